import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toJson } from "../../../server/database/column-types.ts";
import { anyJson } from "../../../test/any-json.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import { toPlainJson } from "../../../test/texts.ts";
import type { Order } from "../../orders/order.ts";
import type { Shop } from "../../shop.ts";
import type { Role } from "../operators/roles.ts";
import { deliverAll } from "./deliver-all.server.ts";
import { findOrderOfPage } from "./find-order.server.ts";
import { listDroppedFiles } from "./list-dropped-files.server.ts";
import { listOtherOrders } from "./other-orders.store.server.ts";
import { readOrder } from "./read-order.server.ts";

// What the page of an order and the list of files read, for orders in each state.

const hour = 3_600_000;
let fixture: OrderFixture;
let shop: Shop;
beforeAll(async () => {
	fixture = await createOrderFixture({ startsAt: "2026-11-23T08:00:00Z" });
	shop = fixture as unknown as Shop;
});
afterAll(() => fixture?.close());

const me = { id: randomUUID(), name: "Ada", roles: new Set<Role>(["serve"]), origin: "test" };
const read = async (order: Order, actor = me) => toPlainJson(await readOrder(shop, actor, await fixture.getOrder(order.id)));
const insert = async (values: OrderValues = {}) => (await fixture.insertPaidOrder(values)).order;
const request = (order: Order, values: object) =>
	fixture.db
		.insertInto("extract_requests")
		.values({ order_id: order.id, requested_at: fixture.start, ...values })
		.execute();
const uploaded = { uploaded_at: new Date("2026-11-23T08:00:00Z"), storage_path: "x" };

describe("what an operator may still do", () => {
	const may = async (order: Order, actor = me) =>
		Object.entries((await read(order, actor)).may)
			.filter(([, value]) => value)
			.map(([name]) => name)
			.join(" ");

	test("depends on the state of the order and its extract", async () => {
		const none = await insert();
		expect(await may(none)).toBe("recordRequest claim write");
		await request(none, {});
		expect(await may(none)).toBe("deliver recordRequest claim write");
		expect(await may(none, { ...me, roles: new Set<Role>(["serve", "refund"]) })).toBe("deliver recordRequest claim write refund");
		const requested = await insert({ extract_requested_at: fixture.start });
		await request(requested, {});
		expect(await may(requested)).toBe("deliver claim write");
		const postal = await insert({ product_code: "postal" });
		await request(postal, uploaded);
		expect(await may(postal)).toBe("claim write");
		const posted = await insert({ product_code: "postal", tracking_number: "1A23456789012" });
		await request(posted, { ...uploaded, tracking_number: "1A23456789012" });
		expect(await may(posted)).toBe("correctTracking write");
		const sent = await insert();
		await request(sent, uploaded);
		expect(await may(sent)).toBe("write");
		const notFound = await insert();
		await request(notFound, { not_found_at: fixture.start });
		expect(await may(notFound)).toBe("write");
		const delivered = await insert({ status: "completed" });
		await fixture.insertDocument(delivered);
		expect(await may(delivered)).toBe("replace write");
		const failed = await insert({ status: "failed" });
		await fixture.insertDocument(failed);
		expect(await may(failed)).toBe("write");
		const erased = await insert({ status: "completed", erased_at: fixture.start, tracking_number: "1A23456789012" });
		await fixture.insertDocument(erased);
		expect(await may(erased)).toBe("");
		const pending = await fixture.insertOrder();
		expect(await may(pending, { ...me, roles: new Set<Role>(["refund"]) })).toBe("");
		const disputed = await insert({ disputed_at: fixture.start });
		await request(disputed, {});
		expect(await may(disputed)).toBe("deliver recordRequest write");
	});

	test("says what happens to the extract of an open order", async () => {
		const state = async (order: Order) => (await read(order)).state;
		const order = await insert();
		await request(order, {});
		expect(await state(order)).toBeNull();
		await fixture.db.updateTable("extract_requests").set(uploaded).where("order_id", "=", order.id).execute();
		expect(await state(order)).toBe("L’extrait est déposé. Il part au client.");
		await fixture.insertDocument(order);
		expect(await state(order)).toBe("L’extrait est prêt. Il part au client.");
		await fixture.db.updateTable("extract_requests").set({ not_found_at: fixture.start }).where("order_id", "=", order.id).execute();
		expect(await state(order)).toBe("L’extrait est signalé introuvable : le remboursement part.");
		await fixture.db.updateTable("orders").set({ status: "completed" }).where("id", "=", order.id).execute();
		expect(await state(order)).toBeNull();
	});
});

test("the facts of an order have what happened, and nothing else", async () => {
	expect((await read(await fixture.insertOrder())).facts).toEqual([]);
	const at = (hours: number) => fixture.after(hours * hour);
	const order = await insert({
		...{ paid_at: at(0), completed_at: at(1), late_at: at(2), refunded_cents: 500, tracking_number: "1A23456789012" },
		...{ disputed_at: at(3), set_aside_at: at(4), erased_at: at(5), status: "completed" },
	});
	expect((await read(order)).facts).toEqual([
		["Payée le", "23/11/2026 à 9 h"],
		["Livrée le", "23/11/2026 à 10 h"],
		["En retard", "constaté le 23/11/2026 à 11 h"],
		["Remboursé", "5,00 €"],
		["Numéro de suivi", "1A23456789012"],
		["Contestation", "depuis le 23/11/2026 à 12 h"],
		["Mise de côté", "23/11/2026 à 13 h"],
		["Client effacé le", "23/11/2026 à 14 h"],
	]);
});

test("the page has the order, its customer and its company; an erased customer is not shown", async () => {
	const order = await insert({
		...{ phone: "0612345678", billing_company: "DUPONT", reference: "2026-114", company_name: "DANONE ANCIEN", product_code: "postal" },
		...{ address: "1 rue de la Paix", postal_code: "75002", city: "Paris", promised_at: fixture.after(2 * hour) },
	});
	const view = await read(order);
	expect(view).toMatchObject({
		...{ number: order.order_number, status: "processing", statusLabel: "En traitement", open: true, posted: true, demo: true },
		...{ service: "KBIS Postal", price: "44,00 €", reference: "2026-114", purchase: null },
		promise: { at: fixture.after(2 * hour).toISOString(), text: "lundi 23 novembre à 11 h" },
		customer: {
			...{ name: "Ada Lovelace", email: order.customer_email, recipient: null, phone: "0612345678", billed: "DUPONT" },
			...{ letter: ["DUPONT, Ada Lovelace", "1 rue de la Paix", "75002 Paris"], address: "1 rue de la Paix, 75002 Paris" },
		},
		company: { siren: "552032534", name: "DANONE ANCIEN", registeredName: "DANONE", known: true, documentName: "extrait Kbis" },
		extractCost: { recorded: null },
	});
	expect(view.company).toMatchObject({
		status: "active",
		headOffice: expect.stringMatching(/^\S.+/),
		legalForm: expect.stringMatching(/^\S.+/),
	});
	const bare = await insert({ company_name: "DANONE", status: "completed", promised_at: null });
	expect(await read(bare)).toMatchObject({
		...{ open: false, posted: false, promise: null, holder: null, namesakes: [], draft: null, otherDrafts: [] },
		customer: { letter: null, address: null, billed: null },
		company: { registeredName: null },
	});
	const unknown = await insert({ siren: "999999999", erased_at: fixture.start, status: "completed" });
	expect(await read(unknown)).toMatchObject({
		customer: null,
		company: {
			...{
				notices: [],
				known: false,
				registeredName: null,
				legalForm: null,
				headOffice: null,
				greffe: null,
				status: null,
				registeredOn: null,
			},
		},
	});
});

test.each([
	["nothing before it is delivered", {}, null],
	["nothing without a promise", { completed_at: 10, promised_at: null }, null],
	["how long before its hour it was delivered", { completed_at: 73, promised_at: 120 }, "47 minutes avant l’heure promise"],
	["its hour itself", { completed_at: 120, promised_at: 120 }, "à l’heure promise"],
	["how late it was", { completed_at: 180, promised_at: 120, late_at: 121 }, "1 h après l’heure promise"],
	["nothing when only its e-mail was late", { completed_at: 125, promised_at: 120 }, null],
])("of the promise, the page says %s", async (_what, minutes: Record<string, number | null>, kept) => {
	const times = Object.entries(minutes).map(([name, after]) => [name, after === null ? null : fixture.after(after * 60_000)]);
	expect((await read(await insert(Object.fromEntries(times)))).kept).toEqual(kept);
});

test("the holder is named, and who asks knows their own", async () => {
	const order = await insert();
	const claim = (operator_id: string, minutes: number) =>
		fixture.db
			.insertInto("order_claims")
			.values({
				...{ order_id: order.id, operator_id, operator_name: "Grace", claimed_at: fixture.start },
				expires_at: fixture.after(minutes * 60_000),
			})
			.onConflict((conflict) => conflict.column("order_id").doUpdateSet({ operator_id, expires_at: fixture.after(minutes * 60_000) }))
			.execute();
	await claim(randomUUID(), 5);
	expect((await read(order)).holder).toEqual({ name: "Grace", isMe: false, until: "9 h 05" });
	await claim(me.id, 60);
	expect((await read(order)).holder).toEqual({ name: "Grace", isMe: true, until: "10 h" });
	await fixture.db.updateTable("orders").set({ status: "completed" }).where("id", "=", order.id).execute();
	expect((await read(order)).holder).toBeNull();
});

test("an act that waits is shown with who asked, and one that was refused for a quarter of an hour", async () => {
	const order = await insert();
	const ask = (key: string, values: object) =>
		fixture.db
			.insertInto("desk_acts")
			.values({
				...{ key, act: "deliver", order_id: order.id, operator_id: me.id, operator_name: "Ada", origin: "test" },
				...{ requested_at: fixture.start, fields: anyJson({}), ...values },
			})
			.execute();
	const refused = { due_at: fixture.start, ok: false, sentence: "Non.", requested_at: fixture.after(2) };
	await ask("due", { due_at: fixture.after(1000) });
	await ask("approval", { needs_approval: true, act: "gone", requested_at: fixture.after(1) });
	await ask("refused", { ...refused, ended_at: fixture.after(-900_000) });
	await ask("long ago", { ...refused, ended_at: fixture.after(-900_001) });
	expect((await read(order)).openActs).toEqual([
		{
			...{ key: "due", act: "deliver", label: "Livrer l’extrait", who: "Ada", dueAt: fixture.after(1000).toISOString() },
			...{ waitsForApproval: false, refusal: null },
		},
		{ key: "approval", act: "gone", label: "gone", who: "Ada", dueAt: null, waitsForApproval: true, refusal: null },
		expect.objectContaining({ key: "refused", refusal: "Non.", waitsForApproval: false }),
	]);
});

test("a conversation has its last four messages, cut after six hundred characters", async () => {
	const order = await insert();
	const id = randomUUID();
	await fixture.db
		.insertInto("conversations")
		.values({
			id,
			order_id: order.id,
			order_found: "number",
			email: "a@b.fr",
			name: "A",
			subject: "Objet",
			last_at: fixture.start,
			waiting_since: fixture.start,
		})
		.execute();
	const texts = ["un", "deux", "a".repeat(600), "b".repeat(601), "trois"];
	for (const [index, text] of texts.entries())
		await fixture.db
			.insertInto("conversation_messages")
			.values({
				...{ id: randomUUID(), conversation_id: id, direction: index === 4 ? "out" : "in", author: index === 4 ? "Ada" : "a@b.fr", text },
				...{ attachments: toJson([]), created_at: fixture.after(index) },
			})
			.execute();
	const [conversation] = (await read(order)).conversations;
	expect(conversation).toMatchObject({ id, subject: "Objet", earlier: 1, wait: { text: "à répondre sous 1 j 0 h" } });
	expect(conversation?.messages.map(({ author, text }) => [author, text])).toEqual([
		["a@b.fr", "deux"],
		["a@b.fr", "a".repeat(600)],
		["a@b.fr", `${"b".repeat(600)}…`],
		["La boutique (Ada)", "trois"],
	]);
});

test("a link to the extract is shown with how often it was opened, as long as it opens", async () => {
	const order = await insert({ status: "completed" });
	const { id: document_id } = await fixture.insertDocument(order);
	const share = async (label: string | null, values: object = {}) => {
		const id = randomUUID();
		await fixture.db
			.insertInto("document_shares")
			.values({ id, document_id, label, created_at: fixture.start, expires_at: fixture.after(hour), ...values })
			.execute();
		return id;
	};
	const open = (share_id: string, kind: "opened" | "downloaded", count: number, days: number) =>
		fixture.db
			.insertInto("document_share_openings")
			.values({ share_id, kind, count, day: fixture.after(days * 24 * hour), first_at: fixture.start, last_at: fixture.start })
			.execute();
	const [bank, other] = [await share("Banque"), await share(null)];
	await share("Retiré", { revoked_at: fixture.start });
	await share("Fini", { expires_at: fixture.start });
	await open(bank, "opened", 2, 0);
	await open(bank, "opened", 3, 1);
	await open(bank, "downloaded", 7, 0);
	await open(other, "downloaded", 1, 0);
	const { shares } = await read(order);
	expect(shares.toSorted((a, b) => a.text.localeCompare(b.text))).toEqual([
		{ id: bank, text: "Banque, du 23/11/2026 à 9 h au 23/11/2026 à 10 h, ouvert 5 fois" },
		{ id: other, text: "Lien sans nom, du 23/11/2026 à 9 h au 23/11/2026 à 10 h, jamais ouvert" },
	]);
});

test("other orders are those of the same customer or company that were paid, the newest first, eight at most", async () => {
	const siren = "123456782";
	const at = (n: number) => ({ created_at: fixture.after(n) });
	const order = await insert({ siren, customer_email: "Lea@Example.fr " });
	const others = [
		await insert({ siren, company_name: "MEME SOCIETE", ...at(1) }),
		await insert({ customer_email: "LEA@example.fr", company_name: "MEME CLIENT", ...at(2), status: "failed" }),
		await insert({ siren, customer_email: "lea@example.fr", company_name: "LES DEUX", ...at(3) }),
	];
	await fixture.insertOrder({ siren, ...at(4) });
	const { orders: bought } = await fixture.insertPaidPurchase(["express", "express"], { siren, ...at(-1) });
	const list = async (of: Order) => (await listOtherOrders(fixture.db, of)).map(({ id, sameCustomer }) => [id, sameCustomer]);
	const spaced = { ...order, customer_email: " Lea@Example.fr " };
	expect((await list(spaced)).slice(0, 3)).toEqual([
		[others[2]?.id, true],
		[others[1]?.id, true],
		[others[0]?.id, false],
	]);
	expect(await list({ ...spaced, erased_at: fixture.start })).not.toContainEqual([others[1]?.id, true]);
	expect((await list(bought[0])).map(([id]) => id)).not.toContain(bought[1]?.id);
	expect((await read(order)).otherOrders[0]).toEqual({
		...{ id: others[2]?.id, number: others[2]?.order_number, sameCustomer: true },
		text: "LES DEUX, KBIS Express, en traitement, le 23/11/2026 à 9 h",
	});
	const newest: string[] = [];
	for (let n = 0; n < 9; n++) newest.unshift((await insert({ siren, ...at(100 + n) })).id);
	expect((await list(order)).map(([id]) => id)).toEqual(newest.slice(0, 8));
	const mine: string[] = [];
	for (let n = 0; n < 9; n++) mine.unshift((await insert({ customer_email: "lea@example.fr", ...at(200 + n) })).id);
	expect((await list(spaced)).map(([id]) => id)).toEqual(mine.slice(0, 8));
});

test("the page of a number is found however it is written, and an unknown one is named, but not at length", async () => {
	const order = await insert({ order_number: "KB-2345-6789" });
	expect((await findOrderOfPage(fixture, "kb2345 6789")).id).toBe(order.id);
	await expect(findOrderOfPage(fixture, "KB-9999-9999")).rejects.toMatchObject({
		init: { status: 404 },
		data: "La commande KB-9999-9999 n’existe pas.",
	});
	await expect(findOrderOfPage(fixture, "x".repeat(50))).rejects.toMatchObject({ data: `La commande ${"x".repeat(40)} n’existe pas.` });
});

describe("the list of dropped files", () => {
	const operator = { ...me, id: randomUUID() };
	const drop = (order: Order, facts: object = {}, values: object = {}) => {
		const usual = {
			problem: null,
			readable: true,
			siren: order.siren,
			sirens: [order.siren],
			pages: 1,
			issueDate: { at: fixture.start, hasHour: true },
		};
		const id = randomUUID();
		return fixture.db
			.insertInto("extract_drafts")
			.values({
				...{ id, order_id: order.id, operator: operator.id, file: Buffer.from("x"), file_name: `${order.company_name}.pdf`, sha256: id },
				...{ dropped_at: fixture.start, facts: anyJson({ ...usual, ...facts }), ...values },
			})
			.returning("id")
			.executeTakeFirstOrThrow();
	};

	test("says what is ready, open and asked for, the earliest promise first", async () => {
		const order = (company_name: string, minutes: number, values: OrderValues = {}) =>
			insert({ company_name, promised_at: fixture.after(minutes * 60_000), reference: "2026-1", ...values });
		const [clean, asked, undated, failed, ended] = [
			await order("NETTE", 2),
			await order("DEMANDEE", 1),
			await order("SANS DATE", 3),
			await order("REFUSEE", 4),
			await order("FINIE", 5, { status: "completed" }),
		];
		await drop(clean);
		await drop(asked);
		await drop(undated, { issueDate: null });
		const { id: refused } = await drop(failed, { problem: "other-company" });
		await drop(ended);
		await drop(await order("D’UN AUTRE", 0), {}, { operator: randomUUID() });
		const ask = (of: Order, values: object) =>
			fixture.db
				.insertInto("desk_acts")
				.values({
					...{ key: randomUUID(), act: "deliver", order_id: of.id, operator_id: operator.id, operator_name: "Ada", origin: "test" },
					...{ requested_at: fixture.start, due_at: fixture.after(1), fields: anyJson({}), ...values },
				})
				.execute();
		await ask(asked, {});
		await ask(asked, { act: "note" });
		await ask(clean, { act: "note" });
		await ask(undated, { ended_at: fixture.after(1), ok: false });
		const files = await listDroppedFiles(shop, operator);
		expect(files.map(({ fileName, ready, open, requested }) => [fileName, ready, open, requested])).toEqual([
			["DEMANDEE.pdf", true, true, true],
			["NETTE.pdf", true, true, false],
			["SANS DATE.pdf", false, true, false],
			["REFUSEE.pdf", false, true, false],
			["FINIE.pdf", false, false, false],
		]);
		expect(toPlainJson(files[1])).toMatchObject({
			...{ droppedAt: "23/11/2026 à 9 h", promise: "lundi 23 novembre à 9 h 02" },
			order: { id: clean.id, number: clean.order_number, company: "NETTE", reference: "2026-1" },
		});
		const form = new FormData();
		form.append("fichier", `${refused} ${randomUUID()}`);
		expect(await deliverAll(shop, operator, form)).toEqual({
			text: null,
			lines: [
				{
					...{ fileName: "REFUSEE.pdf", orders: [failed.order_number], ok: false },
					text: "Ce fichier demande une réponse\u00a0: ouvrez sa commande.",
				},
			],
		});
		for (const key of ["", "x", `${refused} x`]) {
			const unreadable = new FormData();
			unreadable.append("fichier", key);
			expect(await deliverAll(shop, operator, unreadable)).toEqual({ text: "Aucun fichier n’est prêt à être livré.", lines: [] });
		}
	});
});
