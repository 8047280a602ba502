import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { knownCompanies } from "../../../test/known-companies.ts";
import { createServing, plain } from "../../../test/serving.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import type { Cents } from "../../catalogue/money.ts";
import { createShare } from "../../customer/sharing/create-share.server.ts";
import { shareUrl } from "../../customer/sharing/share-links.server.ts";
import { listDrafts } from "../../fulfilment/drafts/drafts.store.server.ts";
import { findExtract } from "../../orders/documents/documents.store.server.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { performAct, runScheduledAct } from "../acts/perform-act.server.ts";

let shop: TestShop;
let serving: Awaited<ReturnType<typeof createServing>>;
let operator: typeof serving.operator;
let actor: typeof serving.actor;
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" } });
	serving = await createServing(shop);
	({ operator, actor } = serving);
});
afterAll(() => shop?.close());

const newExtract: typeof serving.newExtract = (how) => serving.newExtract(how);
const newOrder: typeof serving.newOrder = (...how) => serving.newOrder(...how);
const upload: typeof serving.upload = (...sent) => serving.upload(...sent);
const drop: typeof serving.drop = (...dropped) => serving.drop(...dropped);
const readPage: typeof serving.readPage = (number) => serving.readPage(number);
const act: typeof serving.act = (...asked) => serving.act(...asked);
const findDraftId: typeof serving.findDraftId = (orderId) => serving.findDraftId(orderId);

describe("whose order it is", () => {
	const grace = () => ({ ...actor, id: crypto.randomUUID(), name: "Grace" });
	const ask = (who: typeof actor, act: string, orderId: string | null) =>
		performAct(shop.shop, who, { act, key: crypto.randomUUID(), orderId, fields: {} });

	test("files dropped together claim their orders: the next order of a colleague is another one", async () => {
		const order = await newOrder();
		await shop.shop.db
			.updateTable("orders")
			.set({ promised_at: new Date(shop.shop.now().getTime() + 1000) })
			.where("id", "=", order.id)
			.execute();
		await upload("/bureau/fichiers", [{ name: "extrait.pdf", bytes: newExtract() }]);
		expect(await listDrafts(shop.shop.db, order.id)).toHaveLength(1);
		expect((await ask(grace(), "claim-next", null)).text).not.toContain(order.number);
		expect(await readPage(order.number)).toContain("Cette commande est à vous jusqu’à");
	});

	test("a file for an order that a colleague has is refused, and goes to a free order of the same company", async () => {
		const [company] = (await knownCompanies(shop.connection)).filter((each) => each.siren !== "552032534");
		const siren = company?.siren ?? "";
		const [held, free] = [
			await newOrder("express", { order: { siren, companyName: company?.name } }),
			await newOrder("express", { order: { siren, companyName: company?.name } }),
		];
		await ask(grace(), "claim", held.id);
		const bytes = () => newExtract({ siren: siren.replace(/(\d{3})(?=\d)/g, "$1 ") });
		await upload("/bureau/fichiers", [{ name: "un.pdf", bytes: bytes() }]);
		expect([(await listDrafts(shop.shop.db, held.id)).length, (await listDrafts(shop.shop.db, free.id)).length]).toEqual([0, 1]);
		const answer = plain(await (await upload("/bureau/fichiers", [{ name: "deux.pdf", bytes: bytes() }])).text());
		expect(answer).toContain("Grace s’occupe de cette commande");
	});

	test("the page of an order that nobody has offers to take it", async () => {
		const order = await newOrder();
		expect(await readPage(order.number)).toContain("Personne ne s’occupe de cette commande.");
		const page = `/bureau/commandes/${order.number}`;
		await operator.post(page, { act: "claim", key: crypto.randomUUID(), order: order.id });
		const claimed = await readPage(order.number);
		expect(claimed).not.toContain("Personne ne s’occupe");
		expect(claimed).toContain("Cette commande est à vous jusqu’à");
		expect(await ask(grace(), "claim", order.id)).toMatchObject({ state: "refused", text: expect.stringContaining("Camille s’occupe") });
	});

	test("the page of an order whose extract nobody should buy now does not offer to take it", async () => {
		const [disputed, refunded, late] = [await newOrder(), await newOrder(), await newOrder()];
		const now = shop.shop.now();
		const change = (id: string, values: { disputed_at?: Date; refunded_cents?: Cents; late_at?: Date }) =>
			shop.shop.db.updateTable("orders").set(values).where("id", "=", id).execute();
		const { price_cents } = await shop.shop.db
			.selectFrom("orders")
			.select("price_cents")
			.where("id", "=", late.id)
			.executeTakeFirstOrThrow();
		await change(disputed.id, { disputed_at: now });
		await change(refunded.id, { refunded_cents: price_cents });
		await change(late.id, { refunded_cents: price_cents, late_at: now });
		expect(await readPage(disputed.number)).not.toContain("Personne ne s’occupe de cette commande.");
		expect(await readPage(refunded.number)).not.toContain("Personne ne s’occupe de cette commande.");
		expect(await readPage(late.number)).toContain("Personne ne s’occupe de cette commande.");
	});
});

describe("a delivered order", () => {
	const deliver = async (service: "express" | "postal") => {
		const order = await newOrder(service);
		await drop(order.number, newExtract());
		const key = crypto.randomUUID();
		await act("deliver", order.id, { draft: await findDraftId(order.id) }, key);
		await runScheduledAct(shop.shop, key);
		return order;
	};
	const readTrail = (number: string) =>
		shop.shop.db.selectFrom("desk_log").select("change").where("subject", "=", number).where("outcome", "=", "done").execute();

	test("gets another extract with a reason, which the shop keeps", async () => {
		const order = await deliver("express");
		await shop.untilOrderIs("completed", order.id);
		await drop(order.number, newExtract());
		const draft = await findDraftId(order.id);
		expect(await act("replace-extract", order.id, { draft, because: " " })).toMatchObject({ state: "refused", field: "because" });
		const key = crypto.randomUUID();
		expect(await act("replace-extract", order.id, { draft, because: "Page manquante" }, key)).toMatchObject({ state: "scheduled" });
		await runScheduledAct(shop.shop, key);
		const documents = await shop.shop.db
			.selectFrom("documents")
			.select(["replaced_because", "replaced_at"])
			.where("order_id", "=", order.id)
			.where("doc_type", "=", "kbis")
			.orderBy("replaced_at")
			.execute();
		expect(documents.map(({ replaced_because }) => replaced_because)).toEqual(["Page manquante", null]);
		expect(await act("replace-extract", order.id, { draft, because: "Encore" })).toMatchObject({ state: "refused" });
	});

	test("gets the file of its extract back when the storage has lost it", async () => {
		const order = await newOrder("express");
		const extract = newExtract();
		await drop(order.number, extract);
		const key = crypto.randomUUID();
		await act("deliver", order.id, { draft: await findDraftId(order.id) }, key);
		await runScheduledAct(shop.shop, key);
		await shop.untilOrderIs("completed", order.id);
		const again = async () => plain(await (await drop(order.number, extract)).text());
		expect(await again()).toContain("Ce fichier est déjà l’extrait de cette commande : rien n’est changé.");
		const { storage_path } = (await findExtract(shop.shop.db, order.id)) ?? expect.fail("there is no extract");
		await shop.shop.storage.remove(storage_path);
		expect((await drop(order.number, extract)).status).toBe(302);
		expect(Buffer.from(await shop.shop.storage.get(storage_path)).equals(extract)).toBe(true);
		expect(await again()).toContain("Ce fichier est déjà l’extrait");
		expect(await shop.getEventTypes(order.id)).not.toContain("extract_replaced");
	});

	test("loses a link to its extract when the customer asks for it", async () => {
		const order = await deliver("express");
		await shop.untilOrderIs("completed", order.id);
		const owner = async () => (await findOrder(shop.shop.db, order.id)) as Order;
		expect(await readPage(order.number)).not.toContain("Retirer un lien de partage");
		const [one, other] = [
			await createShare(shop.shop, await owner(), "purchase", { label: "Banque Martin", sender: "", purpose: "", days: "7", code: "" }),
			await createShare(shop.shop, await owner(), "purchase", { label: "", sender: "", purpose: "", days: "7", code: "" }),
		];
		if (!one.ok || !other.ok) throw new Error("no link was made");
		const page = await readPage(order.number);
		expect(page).toMatch(/Banque Martin, du .* au .*, jamais ouvert/);
		expect(page).toContain("Lien sans nom, du");
		const stranger = await newOrder("express");
		expect(await act("revoke-share", stranger.id, { share: one.id })).toMatchObject({ state: "refused" });
		expect(await act("revoke-share", order.id, { share: "x" })).toMatchObject({ state: "refused", field: "share" });
		const link = shareUrl(shop.shop, one.id);
		expect((await shop.ask(new URL(link).pathname)).status).toBe(200);
		expect(await act("revoke-share", order.id, { share: one.id })).toMatchObject({ state: "done" });
		expect((await shop.ask(new URL(link).pathname)).status).toBe(410);
		expect(await readPage(order.number)).not.toContain("Banque Martin");
		expect((await shop.ask(new URL(shareUrl(shop.shop, other.id)).pathname)).status).toBe(200);
	});

	test("gets another tracking number with a reason, and both numbers and their author stay in its history", async () => {
		const order = await deliver("postal");
		await vi.waitFor(
			async () => expect(await act("post-letter", order.id, { tracking: "1A11111111111" })).toMatchObject({ state: "done" }),
			scaledTimeout(10_000),
		);
		await shop.untilOrderIs("completed", order.id);
		const fields = { tracking: "1A 22222222222" };
		expect(await act("correct-tracking", order.id, fields)).toMatchObject({ state: "refused", field: "because" });
		const unknown = { tracking: "ABC 12345678", because: "Autre transporteur" };
		expect(await act("correct-tracking", order.id, unknown)).toMatchObject({ state: "refused", field: "confirmed" });
		expect(await act("correct-tracking", order.id, { ...unknown, tracking: "1A1" })).toMatchObject({ state: "refused", field: "tracking" });
		expect(await act("correct-tracking", order.id, { ...fields, because: "Faute de frappe" })).toMatchObject({ state: "done" });
		expect(await act("correct-tracking", order.id, { ...unknown, confirmed: "on" })).toMatchObject({ state: "done" });
		expect((await shop.orderRow(order.id)).tracking_number).toBe("ABC12345678");
		expect(await act("correct-tracking", order.id, { ...fields, because: "Faute de frappe" })).toMatchObject({ state: "done" });
		expect((await shop.orderRow(order.id)).tracking_number).toBe("1A22222222222");
		expect(await readPage(order.number)).toContain("(Camille, Faute de frappe, 1A11111111111, puis 1A22222222222)");
		expect((await readTrail(order.number)).map(({ change }) => change)).toContainEqual({
			before: { tracking: "1A11111111111" },
			after: { tracking: "1A22222222222", because: "Faute de frappe" },
		});
	});
});
