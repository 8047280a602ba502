import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generatePdf } from "../../../test/fixtures/pdf.ts";
import { knownCompanies } from "../../../test/known-companies.ts";
import { createOperator } from "../../../test/operators.ts";
import { createServing, plain } from "../../../test/serving.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { listDrafts } from "../../fulfilment/drafts/drafts.store.server.ts";
import { runScheduledAct, undo } from "../acts/perform-act.server.ts";

// What the page of an order shows besides serving, and what strangers write into it.

let shop: TestShop;
let serving: Awaited<ReturnType<typeof createServing>>;
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" } });
	serving = await createServing(shop);
});
afterAll(() => shop?.close());

const log = (number: string) =>
	shop.shop.db.selectFrom("desk_log").select(["verb", "who", "outcome", "change"]).where("subject", "=", number).orderBy("id").execute();

describe("what was written", () => {
	test("shows the conversations of the order, with a link to answer", async () => {
		const order = await serving.newOrder();
		const message = { nom: "Ada", email: "ada@example.fr", message: `Où en est ${order.number} ?\nMerci <b>beaucoup</b>` };
		await shop.postForm("/contact", message);
		const page = await serving.readPage(order.number);
		expect(page).toMatch(/href="\/bureau\/messages\/[0-9a-f-]{36}"/);
		expect(page).toContain("à répondre sous");
		expect(page).toContain("Merci &lt;b&gt;beaucoup&lt;/b&gt;");
	});

	test("opens each e-mail that has left, as text and as a download, without the customer's secrets, and records it", async () => {
		const order = await serving.newOrder();
		const [sent] = await shop.getMails(order, "confirmation");
		const token = /\/acces\/(\S+)/.exec(sent?.text ?? "")?.[1] ?? "";
		expect(token.length).toBeGreaterThan(20);
		const link = /href="(\/bureau\/commandes\/[^"]+\/e-mails\/[^"]+)"[^>]*>E-mail : Confirmation/.exec(
			await serving.readPage(order.number),
		)?.[1];
		const page = await serving.operator.ask(link ?? "");
		expect(page.status).toBe(200);
		const text = await page.text();
		expect(plain(text)).toContain(order.number);
		expect(text).not.toContain(token);
		const file = await serving.operator.ask(`${link}/fichier`);
		expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="E-mail_KB-.+_confirmation\.html"/);
		expect(file.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
		const html = await file.text();
		expect(html).toContain("<!doctype html>");
		expect(html).not.toContain(token);
		const lines = (await log(order.number)).filter(({ verb, outcome }) => verb === "read-email" && outcome === "done");
		expect(lines).toMatchObject([{ who: "Camille" }]);
		expect((await shop.ask(link ?? "")).status).toBe(302);
		expect((await serving.operator.ask(`/bureau/commandes/${order.number}/e-mails/${crypto.randomUUID()}`)).status).toBe(404);
	});

	test("of another order or of an erased customer opens nothing", async () => {
		const [order, other] = [await serving.newOrder(), await serving.newOrder()];
		await shop.getMails(order, "confirmation");
		const { id } = await shop.shop.db
			.selectFrom("mails")
			.select("id")
			.where("order_id", "=", order.id)
			.where("kind", "=", "confirmation")
			.executeTakeFirstOrThrow();
		expect((await serving.operator.ask(`/bureau/commandes/${other.number}/e-mails/${id}`)).status).toBe(404);
		await shop.shop.db.updateTable("orders").set({ erased_at: shop.shop.now() }).where("id", "=", order.id).execute();
		expect((await serving.operator.ask(`/bureau/commandes/${order.number}/e-mails/${id}`)).status).toBe(404);
		expect((await serving.operator.post(`/bureau/commandes/${order.number}/lien`, {})).status).toBe(404);
	});
});

test("the customer's link is shown by a button, recorded, and stands in no record and on no other page", async () => {
	const order = await serving.newOrder();
	const path = `/bureau/commandes/${order.number}/lien`;
	expect(await (await serving.operator.ask(path)).text()).not.toContain("/acces/");
	expect((await log(order.number)).some(({ verb }) => verb === "see-customer-link")).toBe(false);
	const url = /http[^<"\s]+\/acces\/[\w.-]+/.exec(await (await serving.operator.post(path, {})).text())?.[0] ?? "";
	expect((await shop.ask(new URL(url).pathname)).status).toBeLessThan(400);
	expect((await log(order.number)).filter(({ verb, outcome }) => verb === "see-customer-link" && outcome === "done")).toMatchObject([
		{ who: "Camille", change: null },
	]);
	const token = url.split("/acces/")[1] ?? "?";
	for (const table of ["desk_log", "desk_acts"] as const)
		expect(JSON.stringify(await shop.shop.db.selectFrom(table).selectAll().execute())).not.toContain(token);
	expect(await serving.readPage(order.number)).not.toContain("/acces/");
});

test("an invoice offers its XML, and who may refund is led to the payments", async () => {
	const order = await serving.newOrder();
	await shop.getMails(order, "confirmation");
	const page = await serving.readPage(order.number);
	const xml = /href="(\/bureau\/documents\/[^"]+\/factur-x)"/.exec(page)?.[1] ?? "";
	const file = await serving.operator.ask(xml);
	expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="F\d{4}-\d+_factur-x\.xml"/);
	expect(await file.text()).toContain("urn:cen.eu:en16931:2017");
	expect((await serving.operator.ask(`/bureau/documents/${crypto.randomUUID()}/factur-x`)).status).toBe(404);
	expect(page).not.toContain(`/bureau/argent/${order.number}`);
	const manager = await createOperator(shop, "Marie", ["serve", "refund"]);
	expect(await (await manager.ask(`/bureau/commandes/${order.number}`)).text()).toContain(`/bureau/argent/${order.number}`);
});

test("a file of another operator is named on the page, and what can be undone on every other page of its operator", async () => {
	const order = await serving.newOrder();
	await serving.drop(order.number, serving.newExtract());
	const grace = await createOperator(shop, "Grace", ["serve"]);
	expect(plain(await (await grace.ask(`/bureau/commandes/${order.number}`)).text())).toContain("Camille a aussi déposé un fichier");
	const key = crypto.randomUUID();
	await serving.act("deliver", order.id, { draft: await serving.findDraftId(order.id) }, key);
	const queue = plain(await (await serving.operator.ask("/bureau/commandes")).text());
	expect(queue).toContain(`${order.number} : Livrer l’extrait.`);
	expect(await serving.readPage(order.number)).not.toContain(`${order.number} : Livrer l’extrait.`);
	expect(await serving.readPage(order.number)).toContain("Pour déposer un autre fichier, annulez d’abord la demande.");
	expect(plain(await (await grace.ask("/bureau/commandes")).text())).not.toContain("Livrer l’extrait.");
	await undo(shop.shop, serving.actor, key);
	expect(plain(await (await serving.operator.ask("/bureau/commandes")).text())).not.toContain("Livrer l’extrait.");
});

describe("« Tout livrer »", () => {
	test("asks for each clean file under its own key, and leaves the others; sent again it does nothing more", async () => {
		const companies = (await knownCompanies(shop.connection)).filter(({ siren }) => siren !== "552032534").slice(0, 3);
		await shop.shop.db.deleteFrom("extract_drafts").execute();
		const orders: Awaited<ReturnType<typeof serving.newOrder>>[] = [];
		for (const { siren, name } of companies) orders.push(await serving.newOrder("express", { order: { siren, companyName: name } }));
		const [first, second, old] = orders;
		if (!first || !second || !old) throw new Error("the sample has too few companies");
		for (const [index, order] of orders.entries()) {
			const siren = companies[index]?.siren ?? "";
			await serving.drop(order.number, serving.newExtract({ siren, ...(order === old && { dated: "à jour au 02/01/2026" }) }));
		}
		const page = await (await serving.operator.ask("/bureau/fichiers")).text();
		const files = [...page.matchAll(/name="fichier" value="([^"]+)"/g)].map(([, value]) => value ?? "");
		expect([files.length, plain(page).includes("(2 fichiers sans remarque)")]).toEqual([2, true]);
		const send = async (values: string[]) => {
			const body = new URLSearchParams([["do", "deliver-all"], ...values.map((value) => ["fichier", value])]);
			const headers = { "content-type": "application/x-www-form-urlencoded" };
			return plain(await (await serving.operator.ask("/bureau/fichiers", { method: "POST", body, headers })).text());
		};
		const forged = `${await serving.findDraftId(old.id)} ${crypto.randomUUID()}`;
		const answer = await send([...files, forged]);
		expect(answer).toContain("Ce fichier demande une réponse : ouvrez sa commande.");
		expect(answer).toContain("« Livrer l’extrait » est demandé.");
		await send(files);
		const acts = () => shop.shop.db.selectFrom("desk_acts").select(["key", "order_id"]).where("act", "=", "deliver").execute();
		const asked = (await acts()).filter(({ order_id }) => orders.some(({ id }) => id === order_id));
		expect(asked.map(({ order_id }) => order_id).sort()).toEqual([first.id, second.id].sort());
		for (const { key } of asked) await runScheduledAct(shop.shop, key);
		for (const order of [first, second]) await shop.untilOrderIs("completed", order.id);
		expect((await shop.orderRow(old.id)).status).toBe("processing");
	});

	test("says when nothing is ready", async () => {
		const answer = await serving.operator.post("/bureau/fichiers", { do: "deliver-all", fichier: "x y" });
		expect(await answer.text()).toContain("Aucun fichier n’est prêt");
	});
});

describe("what strangers write", () => {
	const attack = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
	/** What a browser would run, or take for an element. */
	const isInjected = (html: string) => /<img src=x|<script>alert/.test(html);

	test("is text on every page of serving: names, notes, messages, files, PDF titles, e-mails", async () => {
		const order = await serving.newOrder("postal");
		await shop.getMails(order, "confirmation");
		await shop.shop.db
			.updateTable("orders")
			.set({
				company_name: attack,
				first_name: attack,
				last_name: attack,
				address: attack,
				billing_company: attack,
				tracking_number: attack,
			})
			.where("id", "=", order.id)
			.execute();
		await serving.act("note", order.id, { text: attack });
		await shop.postForm("/contact", { nom: attack.slice(0, 60), email: "eve@example.fr", message: `${order.number} ${attack}` });
		await shop.shop.db.updateTable("conversations").set({ subject: attack }).where("order_id", "=", order.id).execute();
		await shop.shop.db
			.updateTable("mails")
			.set({ bounced_at: shop.shop.now(), bounce_reason: attack })
			.where("order_id", "=", order.id)
			.execute();
		await serving.drop(order.number, generatePdf({ lines: ["1/1", attack], trailer: `/Info << /Title (${attack}) >>` }), `${attack}.pdf`);
		const mails = await shop.shop.db.selectFrom("mails").select("id").where("order_id", "=", order.id).execute();
		const paths = [
			...["/bureau/commandes", "/bureau/commandes?liste=en-attente", "/bureau/fichiers", "/bureau/courrier"],
			`/bureau/commandes/${order.number}`,
			...mails.map(({ id }) => `/bureau/commandes/${order.number}/e-mails/${id}`),
			`/bureau/commandes/${encodeURIComponent(attack)}`,
			`/bureau/commandes?liste=${encodeURIComponent(attack)}&apres=${encodeURIComponent(attack)}`,
		];
		for (const path of paths) {
			const html = await (await serving.operator.ask(path)).text();
			expect(isInjected(html), path).toBe(false);
		}
		expect(isInjected(await (await serving.operator.post("/bureau/recherche", { q: attack })).text())).toBe(false);
		for (const { id } of mails) {
			const html = await (await serving.operator.ask(`/bureau/commandes/${order.number}/e-mails/${id}/fichier`)).text();
			expect(isInjected(html), "an e-mail's HTML").toBe(false);
		}
		const shown = await serving.readPage(order.number);
		expect(shown).toContain("&lt;img src=x onerror=alert(1)&gt;");
		expect(await listDrafts(shop.shop.db, order.id)).toHaveLength(1);
	});
});
