import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { extractLines, generatePdf, generateScan, illegibleLine } from "../../../test/fixtures/pdf.ts";
import { fourColours, generateJpeg, secretPlace } from "../../../test/fixtures/photo.ts";
import { knownCompanies } from "../../../test/known-companies.ts";
import { createServing, plain } from "../../../test/serving.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { formatDay, formatHour } from "../../catalogue/instants.ts";
import { cancelOrder } from "../../customer/tracking/cancel-order.server.ts";
import { listDrafts } from "../../fulfilment/drafts/drafts.store.server.ts";
import { failOrder } from "../../fulfilment/fail-order.server.ts";
import { listNotes } from "../../fulfilment/notes/notes.store.server.ts";
import { maxExtractBytes } from "../../orders/documents/extract-size.ts";
import { performAct, runScheduledAct, undo } from "../acts/perform-act.server.ts";
import type { Role } from "../operators/roles.ts";

// Serving over HTTP, as a browser without scripts does it.

let shop: TestShop;
let serving: Awaited<ReturnType<typeof createServing>>;
let operator: typeof serving.operator;
let actor: typeof serving.actor;
let copies = 0;
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

/** Another company than that of the orders. */
const findOther = async () => (await knownCompanies(shop.connection)).find(({ siren }) => siren !== "552032534") ?? expect.fail();

describe("serving an order", () => {
	test("drop, look, deliver: the extract leaves, and the trail knows who", async () => {
		const order = await newOrder();
		const before = await readPage(order.number);
		for (const text of [
			"DANONE",
			">552032534<",
			">552 032 534<",
			"data.inpi.fr/entreprises/552032534",
			"Déposer l’extrait",
			"ada@example.fr",
		])
			expect(before).toContain(text);

		const dropped = await drop(order.number, newExtract());
		expect([dropped.status, dropped.headers.get("location")]).toEqual([302, `/bureau/commandes/${order.number}`]);
		const page = await readPage(order.number);
		expect(page).toContain("Le SIREN 552 032 534 se lit dans l’extrait.");
		expect(page).toContain(`Il est daté du ${formatDay(shop.shop.now())}`);
		const draft = await findDraftId(order.id);
		const picture = await operator.ask(`/bureau/apercu/${draft}/1`);
		expect([picture.status, picture.headers.get("content-type"), picture.headers.get("cache-control")]).toEqual([
			200,
			"image/png",
			"no-store",
		]);
		expect(picture.headers.get("x-content-type-options")).toBe("nosniff");
		expect((await operator.ask(`/bureau/apercu/${draft}/2`)).status).toBe(404);
		expect((await shop.ask(`/bureau/apercu/${draft}/1`)).status).toBe(302);

		const form = { act: "deliver", key: crypto.randomUUID(), order: order.id, draft };
		const answer = plain(await (await operator.post(`/bureau/commandes/${order.number}`, form)).text());
		expect(answer).toContain("« Livrer l’extrait », demandé par Camille.");
		expect((await shop.orderRow(order.id)).status).toBe("processing");
		await runScheduledAct(shop.shop, `deliver ${form.key}`);
		await shop.untilOrderIs("completed", order.id);
		const events = await shop.shop.db.selectFrom("order_events").selectAll().where("order_id", "=", order.id).execute();
		expect(events.find(({ event_type }) => event_type === "document_issued")?.payload).toMatchObject({ by: "Camille" });
		const done = await readPage(order.number);
		expect(done).toContain("Télécharger");
		expect(done).toContain("Livrer l’extrait");
		expect(done).toContain("Consulter la commande");
		// one line a day
		const lines = await shop.shop.db.selectFrom("desk_log").selectAll().where("subject", "=", order.number).execute();
		expect(lines.filter(({ verb, outcome }) => verb === "look-at-order" && outcome === "done")).toHaveLength(1);
		const [document] = await shop.shop.db
			.selectFrom("documents")
			.selectAll()
			.where("order_id", "=", order.id)
			.where("doc_type", "=", "kbis")
			.execute();
		const download = await operator.ask(`/bureau/documents/${document?.id}`);
		expect(download.headers.get("content-disposition")).toMatch(/^attachment; filename="Kbis_DANONE/);
	});

	test("an undone delivery sends nothing, and the file stays", async () => {
		const order = await newOrder();
		await drop(order.number, newExtract());
		const key = crypto.randomUUID();
		expect(await act("deliver", order.id, { draft: await findDraftId(order.id) }, key)).toMatchObject({ state: "scheduled" });
		expect(await undo(shop.shop, actor, key)).toMatchObject({ ok: true });
		await runScheduledAct(shop.shop, key);
		expect([(await shop.orderRow(order.id)).status, await listDrafts(shop.shop.db, order.id)]).toEqual(["processing", [expect.anything()]]);
	});

	test("an extract that was fresh when « Livrer » was pressed is delivered, even if it is a day old when the act runs", async () => {
		const order = await newOrder();
		const issuedAt = new Date(Math.floor(shop.shop.now().getTime() / 60_000) * 60_000);
		const dated = `à jour au ${formatDay(issuedAt)} à ${formatHour(issuedAt)}`;
		const at = (seconds: number) => ({ ...shop.shop, now: () => new Date(issuedAt.getTime() + 86_400_000 + seconds * 1000) });
		for (const [name, fields] of [
			["deliver", {}],
			["replace-extract", { because: "page manquante" }],
		] as const) {
			await drop(order.number, newExtract({ dated }));
			const form = { act: name, key: `late ${name}`, orderId: order.id, fields: { draft: await findDraftId(order.id), ...fields } };
			expect(await performAct(at(-10), actor, form)).toMatchObject({ state: "scheduled" });
			await runScheduledAct(at(20), form.key);
			await shop.untilOrderIs("completed", order.id);
			expect(await performAct(at(20), actor, form)).toMatchObject({ state: "done" });
		}
	});

	test("the same form twice, and a second delivery of the same file, deliver once", async () => {
		const order = await newOrder();
		await drop(order.number, newExtract());
		const draft = await findDraftId(order.id);
		const keys = [crypto.randomUUID(), crypto.randomUUID()];
		for (const key of [keys[0], keys[0], keys[1]]) await act("deliver", order.id, { draft }, key);
		for (const key of keys) await runScheduledAct(shop.shop, key ?? "");
		await shop.untilOrderIs("completed", order.id);
		expect((await shop.getEventTypes(order.id)).filter((type) => type === "document_issued")).toHaveLength(1);
	});

	test("an order that another operator has refuses files and acts with their name, until it is taken over", async () => {
		const order = await newOrder();
		const grace = { ...actor, id: crypto.randomUUID(), name: "Grace" };
		await performAct(shop.shop, grace, { act: "claim", key: crypto.randomUUID(), orderId: order.id, fields: {} });
		expect(plain(await (await drop(order.number, newExtract())).text())).toContain("Grace s’occupe de cette commande");
		expect(await act("not-found", order.id, { because: "removed" })).toMatchObject({
			...{ state: "refused", text: expect.stringContaining("Grace s’occupe de cette commande") },
		});
		expect(await readPage(order.number)).toContain("La prendre à sa place");
		expect((await shop.orderRow(order.id)).status).toBe("processing");
		await act("take-over", order.id);
		await drop(order.number, newExtract());
		expect(await listDrafts(shop.shop.db, order.id)).toHaveLength(1);
	});

	test("the same file twice stays one; its copy on another order is refused with the number of the first", async () => {
		const [order, other] = [await newOrder(), await newOrder()];
		const bytes = newExtract();
		await drop(order.number, bytes);
		const draft = await findDraftId(order.id);
		const again = await upload(`/bureau/commandes/${order.number}/extrait`, [{ name: "copie.pdf", bytes }]);
		expect(plain(await again.text())).toContain("Ce fichier est déjà déposé ici : rien n’a changé.");
		expect(await findDraftId(order.id)).toBe(draft);
		const key = crypto.randomUUID();
		await act("deliver", order.id, { draft }, key);
		await runScheduledAct(shop.shop, key);
		await shop.untilOrderIs("completed", order.id);
		const refused = plain(await (await drop(other.number, bytes)).text());
		expect(refused).toContain("Ce fichier a déjà été livré pour une autre commande.");
		expect(await listDrafts(shop.shop.db, other.id)).toEqual([]);
	});

	test("a second tab with an earlier file is told that it was replaced; nothing is sent", async () => {
		const order = await newOrder();
		await drop(order.number, newExtract());
		const stale = await findDraftId(order.id);
		await drop(order.number, newExtract());
		expect(await act("deliver", order.id, { draft: stale })).toMatchObject({
			...{ state: "refused", text: expect.stringContaining("il a été livré, retiré ou remplacé par un autre") },
		});
		expect((await shop.orderRow(order.id)).status).toBe("processing");
	});

	test("a claim that ran out while typing changes nothing, unless another operator has taken the order", async () => {
		const order = await newOrder();
		await act("claim", order.id);
		const end = () =>
			shop.shop.db
				.updateTable("order_claims")
				.set({ expires_at: new Date(0) })
				.where("order_id", "=", order.id)
				.execute();
		await end();
		expect((await drop(order.number, newExtract())).status).toBe(302);
		const draft = await findDraftId(order.id);
		await end();
		const grace = { ...actor, id: crypto.randomUUID(), name: "Grace" };
		await performAct(shop.shop, grace, { act: "claim", key: crypto.randomUUID(), orderId: order.id, fields: {} });
		// known at once, so it does not wait
		expect(await act("deliver", order.id, { draft })).toMatchObject({
			...{ state: "refused", text: expect.stringContaining("Grace s’occupe de cette commande") },
		});
		await act("take-over", order.id);
		const key = crypto.randomUUID();
		expect(await act("deliver", order.id, { draft }, key)).toMatchObject({ state: "scheduled" });
		await performAct(shop.shop, grace, { act: "take-over", key: crypto.randomUUID(), orderId: order.id, fields: {} });
		await runScheduledAct(shop.shop, key);
		expect(await readPage(order.number)).toContain("n’a pas été fait. Grace s’occupe de cette commande");
		// the bar says so on every page, until the operator has seen it
		const bar = plain(await (await operator.ask("/bureau/commandes")).text());
		expect(bar).toContain("« Livrer l’extrait » n’a pas été fait. Grace s’occupe de cette commande");
		expect(bar).toContain(`/bureau/commandes/${order.number}`);
		// who may open the order's money alone is led there
		const setRoles = (roles: Role[]) =>
			shop.shop.db.updateTable("operators.member").set({ roles }).where("user_id", "=", actor.id).execute();
		await setRoles(["refund"]);
		const money = await (await operator.ask("/bureau/argent")).text();
		await setRoles([...actor.roles]);
		expect(money).toContain(`href="/bureau/argent/${order.number}"`);
		expect(money).not.toContain(`href="/bureau/commandes/${order.number}"`);
		await operator.post("/bureau/action", { do: "dismiss", key });
		expect(plain(await (await operator.ask("/bureau/commandes")).text())).not.toContain("n’a pas été fait");
		// the file is still there
		expect([(await shop.orderRow(order.id)).status, await findDraftId(order.id)]).toEqual(["processing", draft]);
	});

	test("an order that was refunded in full while it was served sends nothing", async () => {
		const order = await newOrder();
		await drop(order.number, newExtract());
		const key = crypto.randomUUID();
		await act("deliver", order.id, { draft: await findDraftId(order.id) }, key);
		expect(await cancelOrder(shop.shop, order.id, "purchase")).toEqual({ ok: true });
		await runScheduledAct(shop.shop, key);
		expect(await readPage(order.number)).toContain("Cette commande a été annulée, remboursée ou arrêtée entre-temps");
		expect((await shop.getEventTypes(order.id)).includes("document_sent")).toBe(false);
	});

	test("an order that was stopped while it was served refuses the file with a sentence on its page", async () => {
		const order = await newOrder();
		await drop(order.number, newExtract());
		const key = crypto.randomUUID();
		await act("deliver", order.id, { draft: await findDraftId(order.id) }, key);
		expect(await failOrder(shop.shop, order.id, "operator", { by: "Camille" })).toBe(true);
		await runScheduledAct(shop.shop, key);
		expect(await shop.orderRow(order.id)).toMatchObject({ status: "failed", failure_reason: "operator" });
		expect(await readPage(order.number)).toContain("Cette commande a été annulée, remboursée ou arrêtée entre-temps");
	});

	test("while a delivery can be undone, its order takes no other file and no other change; undone, it does", async () => {
		const order = await newOrder();
		await drop(order.number, newExtract());
		const draft = await findDraftId(order.id);
		const key = crypto.randomUUID();
		await act("deliver", order.id, { draft }, key);
		const sentence = "«\u00a0Livrer l’extrait\u00a0», demandé par Camille, n’est pas encore fait.";
		const siren = { siren: (await findOther()).siren, agreement: "par téléphone" };
		for (const [name, fields] of [
			["deliver", { draft }] as const,
			["change-company", siren] as const,
			["discard-draft", { draft }] as const,
		])
			expect(await act(name, order.id, fields), name).toMatchObject({ state: "refused", text: expect.stringContaining(sentence) });
		expect(plain(await (await drop(order.number, newExtract())).text())).toContain("peut encore être annulée");
		expect(await findDraftId(order.id)).toBe(draft);
		await undo(shop.shop, actor, key);
		expect((await drop(order.number, newExtract())).status).toBe(302);
		expect(await findDraftId(order.id)).not.toBe(draft);
	});

	test("a change of company says at its field what is wrong with the SIREN", async () => {
		const order = await newOrder();
		const change = (siren: string) => act("change-company", order.id, { siren, agreement: "par téléphone" });
		expect(await change("12 34")).toMatchObject({ state: "refused", field: "siren", text: "Un SIREN a neuf chiffres." });
		expect(await change("552 032 535")).toMatchObject({ state: "refused", field: "siren", text: expect.stringContaining("n’existe pas") });
		expect(await change("552100554")).toMatchObject({ state: "refused", field: "siren", text: "Aucune entreprise n’a ce SIREN." });
		const { siren: association } = await shop.shop.db
			.selectFrom("companies")
			.select("siren")
			.where("legal_category", "like", "92%")
			.where("masked", "=", false)
			.limit(1)
			.executeTakeFirstOrThrow();
		expect(await change(association)).toMatchObject({ state: "refused", field: "siren", text: "Cette entreprise n’a pas d’extrait." });
		const { siren } = await findOther();
		expect(await change(siren.replace(/(\d{3})(?=\d)/g, "$1\u00a0"))).toMatchObject({ state: "scheduled" });
	});

	test("a company of the same name is a link, which fills in the change of company without JavaScript", async () => {
		const { db } = shop.shop;
		const same = await db
			.selectFrom("companies as one")
			.innerJoin("companies as other", (join) =>
				join.onRef("one.name", "=", "other.name").onRef("one.siren", "<>", "other.siren").onRef("one.status", "=", "other.status"),
			)
			.select(["one.name", "one.siren", "other.siren as otherSiren"])
			.where("one.status", "=", "active")
			.where("one.masked", "=", false)
			.where("other.masked", "=", false)
			.where("one.legal_category", "like", "5%")
			.where("other.legal_category", "like", "5%")
			.limit(1)
			.executeTakeFirstOrThrow();
		const order = await newOrder();
		await db
			.updateTable("orders")
			.set({ siren: same.siren, company_name: same.name ?? "" })
			.where("id", "=", order.id)
			.execute();
		const page = await readPage(order.number);
		const link = `?entreprise=${same.otherSiren}#changer-entreprise`;
		// below « Extrait introuvable » and « Changer l’entreprise »
		expect(page.split(`href="/bureau/commandes/${order.number}${link}"`)).toHaveLength(3);
		expect(page).not.toContain('id="changer-entreprise" open=""');
		const followed = plain(await (await operator.ask(`/bureau/commandes/${order.number}?entreprise=${same.otherSiren}`)).text());
		expect(followed).toMatch(/<details[^>]* open=""[^>]*>.{0,40}<summary[^>]*>Changer l’entreprise/);
		const siren = same.otherSiren.replace(/(\d{3})(?=\d)/g, "$1 ");
		expect(followed).toMatch(new RegExp(`<input[^>]*name="siren"[^>]*value="${siren}"|<input[^>]*value="${siren}"[^>]*name="siren"`));
	});

	test("old, illegible and undated files are confirmed in one step, and who confirmed what is kept", async () => {
		const order = await newOrder();
		await drop(order.number, generatePdf({ lines: [illegibleLine, String(++copies)] }));
		const page = await readPage(order.number);
		for (const name of ["confirm-scan", "date", "confirm-old"]) expect(page).toContain(`name="${name}"`);
		const draft = await findDraftId(order.id);
		expect(await act("deliver", order.id, { draft, date: "31/02/2026" })).toMatchObject({ state: "refused", field: "date" });
		// the typed date is old, and nobody said that it will do
		expect(await act("deliver", order.id, { draft, "confirm-scan": "on", date: "3/11/2025" })).toMatchObject({
			...{ state: "refused", field: "confirm-old" },
		});
		const key = crypto.randomUUID();
		const fields = { draft, "confirm-scan": "on", "confirm-old": "on", date: "3/11/2025" };
		await act("deliver", order.id, fields, key);
		await runScheduledAct(shop.shop, key);
		await shop.untilOrderIs("completed", order.id);
		expect(await readPage(order.number)).toContain("confirmé : texte illisible, date saisie, extrait de plus d’un jour");
	});

	test("where the text leaves a doubt about the company, the operator says why, and the reason stays with the order", async () => {
		const order = await newOrder();
		const lines = ["Président : 732 829 320 R.C.S. Lyon", ...extractLines({ dated: `à jour au ${formatDay(shop.shop.now())}` })];
		await drop(order.number, generatePdf({ lines: [...lines, String(++copies)] }));
		const page = await readPage(order.number);
		expect(page).toContain("son texte ne dit pas sûrement de laquelle il est");
		expect(page).toMatch(/<input[^>]*name="company"/);
		const draft = await findDraftId(order.id);
		for (const company of [undefined, "  "])
			expect(await act("deliver", order.id, { draft, ...(company && { company }) })).toMatchObject({ state: "refused", field: "company" });
		const key = crypto.randomUUID();
		await act("deliver", order.id, { draft, company: " Le président est cité avant elle. " }, key);
		await runScheduledAct(shop.shop, key);
		await shop.untilOrderIs("completed", order.id);
		const delivered = await readPage(order.number);
		expect(delivered).toContain("confirmé : doute sur l’entreprise");
		expect(delivered).toContain("Doute sur l’entreprise de l’extrait, confirmé : Le président est cité avant elle.");
	});

	test("the extract of another order is offered to the right one", async () => {
		const other = await findOther();
		const wrong = await newOrder();
		const right = await shop.placeOrder({ order: { siren: other.siren, companyName: other.name } });
		await shop.payByCard(right.payUrl);
		const { siren } = await shop.untilOrderIs("processing", right.id);
		await drop(wrong.number, newExtract({ siren }));
		const page = await readPage(wrong.number);
		expect(page).toContain("Cette entreprise a une commande en attente");
		expect(page).toContain(right.number);
		expect(page).not.toContain('id="livrer"');
		const grace = { ...actor, id: crypto.randomUUID(), name: "Grace" };
		await performAct(shop.shop, grace, { act: "claim", key: crypto.randomUUID(), orderId: right.id, fields: {} });
		expect(await act("move-draft", wrong.id, { draft: await findDraftId(wrong.id), to: right.id })).toMatchObject({
			...{ state: "refused", text: expect.stringContaining("Grace s’occupe de cette commande") },
		});
		await performAct(shop.shop, grace, { act: "release", key: crypto.randomUUID(), orderId: right.id, fields: {} });
		const moved = await act("move-draft", wrong.id, { draft: await findDraftId(wrong.id), to: right.id });
		expect(moved).toMatchObject({ state: "done", text: expect.stringContaining(right.number) });
		expect([(await listDrafts(shop.shop.db, wrong.id)).length, (await listDrafts(shop.shop.db, right.id)).length]).toEqual([0, 1]);
	});
});

test("the demo's specimen is accepted by the checks of its order, without a question", async () => {
	const order = await newOrder();
	const specimen = await operator.ask(`/bureau/specimen/${order.number}`);
	expect(specimen.headers.get("content-disposition")).toBe(`attachment; filename="Specimen_${order.number}.pdf"`);
	await drop(order.number, new Uint8Array(await specimen.arrayBuffer()));
	const page = await readPage(order.number);
	expect(page).toContain("Le SIREN 552 032 534 se lit dans l’extrait.");
	expect(page).toContain("Il est daté du");
	expect(page).not.toContain('name="confirm-old"');
});

test("a photo of a letter is looked at, confirmed as a scan, and stored as a PDF without the place where it was taken", async () => {
	const order = await newOrder("postal");
	expect((await drop(order.number, generateJpeg({ squares: fourColours, orientation: 6 }), "IMG_0001.jpg")).status).toBe(302);
	expect(await readPage(order.number)).toContain("C’est une photo, mise sur une page A4.");
	const draft = await findDraftId(order.id);
	expect((await operator.ask(`/bureau/apercu/${draft}/1`)).status).toBe(200);
	const deliver = async (fields: Record<string, string>) => {
		const key = crypto.randomUUID();
		await act("deliver", order.id, { draft, ...fields }, key);
		await runScheduledAct(shop.shop, key);
	};
	await deliver({});
	expect((await shop.orderRow(order.id)).status).toBe("processing");
	await deliver({ "confirm-scan": "on", date: formatDay(shop.shop.now()) });
	const kbis = await vi.waitFor(async () => {
		const documents = await shop.shop.db.selectFrom("documents").selectAll().where("order_id", "=", order.id).execute();
		return documents.find(({ doc_type }) => doc_type === "kbis") ?? expect.fail("not stored yet");
	}, scaledTimeout(20_000));
	const file = Buffer.from(await shop.shop.storage.get(kbis?.storage_path ?? "")).toString("latin1");
	expect(file.slice(0, 5)).toBe("%PDF-");
	expect(file).not.toContain(secretPlace);
});

// refused-files.test.ts has the others
describe("a refused file gets its sentence, and is not kept:", () => {
	test.each<[string, () => Uint8Array, string]>([
		["a text", () => new TextEncoder().encode("bonjour"), "n’est ni un PDF ni une photo"],
		["a PDF with a script", () => generatePdf({ objects: ["<< /S /JavaScript /JS (1) >>"] }), "contient du JavaScript"],
		// R206
		[
			"a photo, for an order by e-mail",
			() => generateJpeg({ squares: fourColours }),
			"le client reçoit le fichier du greffe, pas une photo",
		],
		["a scan, for an order by e-mail", generateScan, "le client reçoit le fichier du greffe, pas une image"],
	])("%s", async (_, make, sentence) => {
		const order = await newOrder();
		const answer = await drop(order.number, make());
		expect(answer.status).toBe(200);
		expect(plain(await answer.text())).toContain(sentence);
		expect(await listDrafts(shop.shop.db, order.id)).toEqual([]);
	});
});

describe("several files", () => {
	test("are refused with a sentence when they are far too many", async () => {
		const files = Array.from({ length: 120 }, (_, i) => ({ name: `${i}.pdf`, bytes: new Uint8Array(10) }));
		const answer = await upload("/bureau/fichiers", files);
		expect(answer.status).toBe(413);
		expect(await answer.text()).toContain("Votre envoi contient trop de champs ou de fichiers");
	});

	const sendAll = async (files: { name: string; bytes: Uint8Array }[]) => plain(await (await upload("/bureau/fichiers", files)).text());
	const large = { name: "lourd.pdf", bytes: new Uint8Array(maxExtractBytes + 1) };

	test("are at least one, twenty at most, and one on the page of an order", async () => {
		expect(await sendAll([])).toContain("Choisissez un ou plusieurs fichiers PDF.");
		expect(await sendAll([{ name: "", bytes: new Uint8Array(0) }])).toContain("Choisissez un ou plusieurs fichiers PDF.");
		const small = Array.from({ length: 21 }, (_, i) => ({ name: `${i}.pdf`, bytes: new Uint8Array(i + 1) }));
		expect(await sendAll(small)).toContain("Déposez au plus 20 fichiers à la fois.");
		expect(await sendAll(small.slice(1))).not.toContain("Déposez au plus");
		const order = await newOrder();
		const send = async (...files: { name: string; bytes: Uint8Array }[]) =>
			plain(await (await upload(`/bureau/commandes/${order.number}/extrait`, files)).text());
		expect(await send()).toContain("Choisissez un fichier PDF ou une photo.");
		const file = { name: "a.pdf", bytes: newExtract() };
		expect(await send(file, file)).toContain("Déposez un seul fichier ici.");
		expect(await send(large)).toContain("Ce fichier dépasse 10");
		expect(await listDrafts(shop.shop.db, order.id)).toEqual([]);
	});

	test("too large are refused one by one, after the others; a name is kept without invisible characters", async () => {
		await shop.shop.db.updateTable("orders").set({ status: "completed" }).execute();
		const [order, second] = [await newOrder(), await newOrder()];
		const set = (id: string, values: { promised_at: Date; reference?: string }) =>
			shop.shop.db.updateTable("orders").set(values).where("id", "=", id).execute();
		await set(order.id, { promised_at: new Date(shop.shop.now().getTime() + 60_000), reference: "2026-114" });
		const html = await sendAll([large, { name: "da\u202enone\u0007.pdf", bytes: newExtract() }]);
		expect(html.indexOf("lourd.pdf")).toBeGreaterThan(html.indexOf("danone.pdf"));
		expect(html).toContain("Ce fichier dépasse 10");
		expect(html).toContain("DANONE, 2026-114. Cette entreprise a 2 commandes en attente : la plus pressée est servie d’abord.");
		expect(await listDrafts(shop.shop.db, order.id)).toMatchObject([{ file_name: "danone.pdf" }]);
		const last = await sendAll([{ name: "b.pdf", bytes: newExtract() }]);
		expect(last).toContain(second.number);
		expect(last).toMatch(/DANONE\.(?! Cette)/);
	});

	test("find their orders, and each has its line", async () => {
		const order = await newOrder();
		await shop.shop.db
			.updateTable("orders")
			.set({ promised_at: new Date(shop.shop.now().getTime() + 60_000) })
			.where("id", "=", order.id)
			.execute();
		const files = [
			{ name: "danone.pdf", bytes: newExtract() },
			{ name: "inconnue.pdf", bytes: newExtract({ siren: "404 833 048" }) },
			{ name: "photo.jpg", bytes: new Uint8Array(Buffer.from("\xff\xd8\xff\xe0", "latin1")) },
		];
		const html = plain(await (await upload("/bureau/fichiers", files)).text());
		expect(html).toContain(
			"Aucune commande de cette entreprise n’attend un extrait, ou chacune a déjà son fichier. SIREN lu : 404 833 048.",
		);
		expect(html).toContain("est une photo");
		expect(html).toContain(order.number);
		expect(await listDrafts(shop.shop.db, order.id)).toMatchObject([{ file_name: "danone.pdf" }]);
		expect(plain(await (await operator.ask("/bureau/fichiers")).text())).toContain("danone.pdf");
	});
});

describe("other acts", () => {
	test("not found: the reason fills the customer's mail", async () => {
		const order = await newOrder();
		expect(await act("not-found", order.id, {})).toMatchObject({ state: "refused", field: "because" });
		const key = crypto.randomUUID();
		await act("not-found", order.id, { because: "no-kbis" }, key);
		await runScheduledAct(shop.shop, key);
		await shop.untilOrderIs("failed", order.id);
		const [mail] = await shop.getMails(order, "failed");
		expect(mail?.text).toContain("n’est pas inscrite au registre du commerce et des sociétés");
	});

	test("a note, a resent e-mail and a corrected address are kept with their operator", async () => {
		const order = await newOrder();
		await shop.getMails(order, "confirmation");
		expect(await act("note", order.id, { text: "Rappeler lundi" })).toMatchObject({ state: "done" });
		expect(await listNotes(shop.shop.db, order.id)).toMatchObject([{ text: "Rappeler lundi", operator: "Camille" }]);
		expect(await act("resend", order.id, { kind: "confirmation" })).toMatchObject({ state: "done" });
		expect(await act("resend", order.id, { kind: "alert-late" })).toMatchObject({ state: "refused", field: "kind" });
		expect(await act("correct-address", order.id, { email: "pas une adresse" })).toMatchObject({ state: "refused", field: "email" });
		expect(await act("correct-address", order.id, { email: "grace@example.fr", recipient: "" })).toMatchObject({ state: "done" });
		expect((await shop.orderRow(order.id)).customer_email).toBe("grace@example.fr");
		const trail = await shop.shop.db.selectFrom("desk_log").selectAll().where("subject", "=", order.number).execute();
		expect(JSON.stringify(trail)).not.toContain("grace@example.fr");
	});
});
