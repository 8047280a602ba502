import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { extractLines, generatePdf } from "../../../test/fixtures/pdf.ts";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { insertOrder, insertPayment, type OrderValues } from "../../../test/orders.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { maxLetters } from "../../fulfilment/letters/print-letters.server.ts";
import { toLetterNumber } from "../../orders/letter-number.server.ts";
import type { OrderNumber } from "../../orders/order-number.server.ts";
import { listDeskLog } from "../log/desk-log.store.server.ts";
import { listLettersToPost, listPostedLetters } from "./post.store.server.ts";
import { readPost } from "./read-post.server.ts";
import { lettersPerPdf } from "./to-print.tsx";

let shop: TestShop;
let ada: TestOperator;
let accountant: TestOperator;
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" } });
	ada = await createOperator(shop, "Ada", ["serve"]);
	accountant = await createOperator(shop, "Luca", ["accounts"]);
});
afterAll(() => shop?.close());
beforeEach(async () => {
	await shop.shop.db.updateTable("orders").set({ status: "failed" }).execute();
});

/** Inserts a letter whose extract was uploaded. */
async function letter(values: OrderValues & { printed?: boolean; damaged?: boolean } = {}) {
	const { printed = false, damaged = false, ...columns } = values;
	const { db, storage } = shop.shop;
	const now = shop.shop.now();
	const order = await insertOrder(db, {
		...{ status: "processing", product_code: "postal", created_at: now, paid_at: now, promised_at: new Date(now.getTime() + 3_600_000) },
		...{ address: "1 rue de la Paix", postal_code: "75002", city: "Paris" },
		...columns,
	});
	await insertPayment(db, order, { created_at: now });
	const lines = [...extractLines(), crypto.randomUUID()];
	const stored = await storage.put(damaged ? Buffer.from(`%PDF-1.7 ${crypto.randomUUID()}`) : generatePdf({ lines }));
	await db
		.insertInto("extract_requests")
		.values({
			...{ order_id: order.id, requested_at: now, uploaded_at: now, issued_at: now, printed_at: printed ? now : null },
			...{ storage_path: stored.path, sha256: stored.sha256, bytes: stored.bytes },
		})
		.execute();
	return order;
}

const page = async () => (await ada.ask("/bureau/courrier")).text();
const print = (...orders: { id: string }[]) => ada.post("/bureau/courrier/lettres", { orders: orders.map(({ id }) => id).join(",") });
const post = (fields: Record<string, string>) => ada.post("/bureau/courrier", { key: crypto.randomUUID(), ...fields });
const tracking = async ({ id }: { id: string }) =>
	(await shop.shop.db.selectFrom("extract_requests").select("tracking_number").where("order_id", "=", id).executeTakeFirst())
		?.tracking_number;

describe("printing", () => {
	test("gives one PDF as a download, and a line of the trail without names", async () => {
		const orders = [await letter(), await letter()];
		const answer = await print(...orders);
		expect(answer.headers.get("content-type")).toBe("application/pdf");
		expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="Courriers_\d\d-\d\d-\d{4}\.pdf"/);
		expect(
			Buffer.from(await answer.arrayBuffer())
				.subarray(0, 5)
				.toString(),
		).toBe("%PDF-");
		const { change, who } = await shop.shop.db
			.selectFrom("desk_log")
			.select(["change", "who"])
			.orderBy("id", "desc")
			.limit(1)
			.executeTakeFirstOrThrow();
		const numbers = expect.stringMatching(new RegExp(orders.map(({ order_number }) => `(?=.*${order_number})`).join("")));
		expect({ change, who }).toEqual({ who: "Ada", change: { after: { letters: 2, orders: numbers, unreadable: 0, left: 0 } } });
		for (const { order_number } of orders)
			expect((await listDeskLog(shop.shop.db, 10, { subject: order_number })).map(({ change: made }) => made?.after?.letters)).toContain(2);
		expect((await listDeskLog(shop.shop.db, 10, { subject: orders[0]?.order_number.slice(0, -1) ?? "" })).length).toBe(0);
	});

	test("names an extract that cannot be read, and offers the others", async () => {
		const [good, bad] = [await letter(), await letter({ damaged: true })];
		const html = await (await print(good, bad)).text();
		expect(html).toContain(bad.order_number);
		expect(html).toContain(`value="${good.id}"`);
		expect((await ada.ask("/bureau/courrier/lettres")).headers.get("location")).toBe("/bureau/courrier");
	});

	const mark = (fields: Record<string, string> = {}) =>
		ada.post("/bureau/courrier", { act: "mark-printed", key: crypto.randomUUID(), ...fields });

	test("is noted by a button for what was in the PDF, with the orders in the trail", async () => {
		const order = await letter();
		expect(await (await mark()).text()).toContain("Téléchargez d’abord le PDF des courriers");
		await print(order);
		const arrived = await letter();
		const before = await page();
		expect(before).toMatch(/PDF téléchargé à (<!-- -->)?\d+\sh\s\d\d/);
		expect(before).toContain("Un autre courrier reste à télécharger.");
		expect(before).toContain("Télécharger le courrier (PDF)");
		expect(before).not.toContain(`suivi-${order.id}`);
		const [button = ""] = /<button[^>]*name="run"[^>]*>/.exec(before) ?? [];
		const run = /value="([^"]+)"/.exec(button)?.[1] ?? "";
		expect(await (await mark({ run })).text()).toContain("Le courrier est marqué comme imprimé.");
		const after = await page();
		expect(after).toContain(`suivi-${order.id}`);
		expect(after).not.toContain(`suivi-${arrived.id}`);
		const [line] = await listDeskLog(shop.shop.db, 1, { subject: order.order_number });
		expect(line?.change?.after).toEqual({ letters: 1, orders: order.order_number });
	});

	test("is offered again for a letter that is noted printed", async () => {
		const order = await letter({ printed: true });
		const [reprint = ""] = /<button[^>]*form="reimprimer"[^>]*>/.exec(await page()) ?? [];
		expect(reprint).toContain('name="orders"');
		expect(reprint).toContain(`value="${order.id}"`);
		const again = await print(order);
		expect(again.headers.get("content-type")).toBe("application/pdf");
		expect(await page()).toContain(`suivi-${order.id}`);
	});

	test("is limited to as many letters as the page sends at once", async () => {
		expect(lettersPerPdf).toBe(maxLetters);
		const unknown = Array.from({ length: maxLetters }, () => ({ id: crypto.randomUUID() }));
		expect(await (await print(...unknown, await letter())).text()).toContain("Aucun de ces courriers n’est à imprimer.");
	});

	test("says which extracts cannot be read, and when none can", async () => {
		const [good, bad, worse] = [await letter(), await letter({ damaged: true }), await letter({ damaged: true })];
		const read = async (...orders: { id: string }[]) => (await (await print(...orders)).text()).replaceAll("\u00a0", " ");
		expect(await read(good, bad)).toContain(
			`Cet extrait est illisible, rien n’est téléchargé : ${bad.order_number}. Remplacez-le sur la page de sa commande.`,
		);
		expect(await read(good, bad, worse)).toMatch(
			/Ces extraits sont illisibles, rien n’est téléchargé : KB-.{9}, KB-.{9}\. Remplacez-les sur la page de leur commande\./,
		);
		expect(await read(bad)).toContain("Aucun de ces extraits n’est lisible. Remplacez-les sur la page de leur commande.");
	});

	test("of several letters is noted with their number; noted again it changes nothing", async () => {
		const orders = [await letter(), await letter()];
		await print(...orders);
		const { id: run } = await shop.shop.db
			.selectFrom("letter_runs")
			.select("id")
			.orderBy("made_at", "desc")
			.limit(1)
			.executeTakeFirstOrThrow();
		expect(await (await mark({ run })).text()).toContain("2 courriers sont marqués comme imprimés.");
		expect(await (await mark({ run })).text()).toContain("Si leur extrait ou leur adresse a changé depuis, téléchargez-les de nouveau.");
	});
});

test("the page has what is to print, printed and posted since midnight in Paris", async () => {
	const { db, signer } = shop.shop;
	const night = new Date("2026-11-23T23:30:00Z");
	const day = 86_400_000;
	const [hidden, since] = [night.getTime() - 60 * day, new Date("2026-11-23T23:00:00Z")];
	const posted = async (company_name: string, at: Date, values: OrderValues = {}) => {
		const order = await letter({ company_name, status: "completed", paid_at: night, city: "Lyon", first_name: "Léa", ...values });
		const set = { posted_at: at, tracking_number: "1A23456789012" };
		await db.updateTable("extract_requests").set(set).where("order_id", "=", order.id).execute();
	};
	await posted("TOT", since);
	await posted("TARD", night);
	await posted("HIER", new Date(since.getTime() - 1));
	await posted("EFFACEE", night, { erased_at: night });
	await posted("EXPRESS", night, { product_code: "express" });
	await posted("ANCIENNE", night, { paid_at: new Date(hidden) });
	await posted("PRESQUE ANCIENNE", new Date(since.getTime() + 1), { paid_at: new Date(hidden + 1) });
	const promised = (minutes: number) => new Date(night.getTime() + minutes * 60_000);
	for (const [company_name, minutes, printed] of [
		["B", 20, false],
		["A", 10, false],
		["D", 20, true],
		["C", 10, true],
	] as const)
		await letter({ company_name, promised_at: promised(minutes), printed });
	const read = await readPost({ db, signer, now: () => night }, crypto.randomUUID());
	expect(read.posted.map(({ company }) => company)).toEqual(["TARD", "PRESQUE ANCIENNE", "TOT"]);
	expect(read.posted[0]).toMatchObject({ city: "Lyon", recipient: "Léa Lovelace", trackingNumber: "1A23456789012" });
	expect(read.toPrint.map(({ company }) => company)).toEqual(["A", "B"]);
	expect(read.printed.map(({ company }) => company)).toEqual(["C", "D"]);
	expect(read.toPrint[0]).toMatchObject({ dueAt: promised(10).toISOString(), isPrinted: false, trackingNumber: null });
	expect((await listLettersToPost({ db, signer }, night, 1)).map(({ company }) => company)).toHaveLength(1);
	expect((await listPostedLetters({ db, signer }, { now: night, since, limit: 1 })).map(({ company }) => company)).toEqual(["TARD"]);
});

describe("posting", () => {
	test("takes all numbers at once; each refused one stays with its sentence, and the others are posted", async () => {
		const [typed, wrong, pasted] = [await letter({ printed: true }), await letter({ printed: true }), await letter({ printed: true })];
		const sheet = await letter({ printed: true });
		const answer = await post({
			[`suivi-${typed.id}`]: "1A 234 567 890 12",
			[`suivi-${wrong.id}`]: "abc",
			liste: `${pasted.order_number};1A99999999999\nrien de bon\nKB-2222-2222 1A23456789012\n${toLetterNumber(shop.shop.signer, sheet.order_number as OrderNumber)} 1A88888888888`,
		});
		const html = await answer.text();
		const numbers = await Promise.all([typed, wrong, pasted, sheet].map(tracking));
		expect(numbers).toEqual(["1A23456789012", null, "1A99999999999", "1A88888888888"]);
		expect(html).toContain("3 courriers postés");
		const line = shop.shop.db.selectFrom("desk_log").select("change").where("subject", "=", typed.order_number);
		expect(await line.where("outcome", "=", "done").execute()).toEqual([
			{ change: { before: { tracking: null }, after: { tracking: "1A23456789012" } } },
		]);
		expect(html).toContain("3 numéros refusés");
		expect(html).toContain('value="abc"');
		expect(html).toContain("11 à 15 lettres et chiffres");
		expect(html).toContain("rien de bon");
		expect(html).toContain("Le numéro KB-2222-2222 n’est celui d’aucune commande ni d’aucun courrier.");
		await shop.untilOrderIs("completed", typed.id);
		expect(await page()).toContain("1A23456789012");
	});

	test("of a letter that was cancelled meanwhile, or that somebody else has, is refused", async () => {
		const [ended, held] = [await letter({ printed: true, status: "failed" }), await letter({ printed: true })];
		const until = new Date(shop.shop.now().getTime() + 600_000);
		await shop.shop.db
			.insertInto("order_claims")
			.values({ order_id: held.id, operator_id: "grace", operator_name: "Grace", claimed_at: shop.shop.now(), expires_at: until })
			.execute();
		const html = await (await post({ [`suivi-${ended.id}`]: "1A23456789012", [`suivi-${held.id}`]: "1A23456789013" })).text();
		expect(html).toContain("Grace s’occupe de cette commande");
		expect(await Promise.all([ended, held].map(tracking))).toEqual([null, null]);
	});

	test("leaves what was refused in its field: pasted lines, and what was typed for a letter", async () => {
		const [posted, other] = [await letter({ printed: true }), await letter({ printed: true })];
		const { order_number: number } = posted;
		const answer = await post({
			[`suivi-${other.id}`]: "  1A 23456 ",
			[`autre-${other.id}`]: "1A23456789012",
			"suivi-x": "1A23456789012",
			[`suivi-${crypto.randomUUID()}`]: "1A23456789012",
			liste: `${number} abc\n${number} 1A23456789012`,
		});
		const html = (await answer.text()).replaceAll(/<!-- -->/g, "");
		expect(html).toContain("1 courrier posté");
		expect(html).toContain("2 numéros refusés");
		expect(html).toMatch(new RegExp(`<textarea[^>]*>\\s*${number} abc</textarea>`));
		expect(html).toContain('value="1A 23456"');
		expect(await Promise.all([posted, other].map(tracking))).toEqual(["1A23456789012", null]);
	});

	test("asks once about a number of a form that is not known, and takes it when it is sent again", async () => {
		const [typed, pasted] = [await letter({ printed: true }), await letter({ printed: true })];
		// a page without scripts sends the same key again
		const key = crypto.randomUUID();
		const form = { key, [`suivi-${typed.id}`]: "ABC 12345678", liste: `${pasted.order_number} 123456789012` };
		const html = await (await post(form)).text();
		expect(html).toContain("S’il est juste, envoyez-le de nouveau.");
		const asked = [...html.matchAll(/<input type="hidden" name="demande" value="([^"]*)"/g)].map(([, number]) => number);
		expect(asked).toEqual(["ABC 12345678", "123456789012"]);
		expect(await Promise.all([typed, pasted].map(tracking))).toEqual([null, null]);
		// another number than the one that was asked about is asked about again
		const other = { [`suivi-${typed.id}`]: "ABC 12345679", demande: "ABC 12345678" };
		expect(await (await post(other)).text()).toContain("S’il est juste, envoyez-le de nouveau.");
		expect(await (await post({ ...form, demande: "ABC 12345678" })).text()).toContain("1 courrier posté");
		expect(await Promise.all([typed, pasted].map(tracking))).toEqual(["ABC12345678", null]);
	});

	test("reads four hundred lines at most, and cuts what is no number", async () => {
		const many = (await (await post({ liste: "rien\n".repeat(401) })).text()).replaceAll("<!-- -->", "");
		expect(many).toContain("400 numéros refusés");
		const long = await (await post({ liste: "x".repeat(20_001) })).text();
		expect(long).toContain("x".repeat(20_000));
		expect(long).not.toContain("x".repeat(20_001));
		const order = await letter({ printed: true });
		const typed = await (await post({ [`suivi-${order.id}`]: "y".repeat(101), [order.id]: "1A23456789012" })).text();
		expect(typed).toContain(`value="${"y".repeat(100)}"`);
		expect(typed.replaceAll("<!-- -->", "")).toContain("1 numéro refusé");
		expect(await tracking(order)).toBeNull();
	});

	test("sent twice by the same form posts once", async () => {
		const order = await letter({ printed: true });
		const key = crypto.randomUUID();
		const form = { key, [`suivi-${order.id}`]: "1A23456789044" };
		const answers = await Promise.all([ada.post("/bureau/courrier", form), ada.post("/bureau/courrier", form)]);
		expect(answers.map(({ status }) => status)).toEqual([200, 200]);
		const acts = await shop.shop.db.selectFrom("desk_acts").selectAll().where("order_id", "=", order.id).execute();
		expect(acts).toHaveLength(1);
	});
});

test.each([
	["JSON", "application/json", '{"key":"x"}', 400],
	["a broken form", "multipart/form-data; boundary=x", "--y", 400],
	["a form with too many fields", "application/x-www-form-urlencoded", "a&".repeat(80_000), 413],
])("%s is refused", async (_, type, body, status) => {
	expect((await ada.ask("/bureau/courrier", { method: "POST", headers: { "content-type": type }, body })).status).toBe(status);
});

test("the camera is allowed on this page only, which only those who serve may open", async () => {
	expect((await ada.ask("/bureau/courrier")).headers.get("permissions-policy")).toContain("camera=(self)");
	expect((await ada.ask("/bureau/commandes")).headers.get("permissions-policy")).toContain("camera=()");
	for (const path of ["/bureau/courrier", "/bureau/courrier/lettres"]) {
		expect((await accountant.ask(path)).status, path).toBe(403);
		expect((await accountant.post(path, { orders: "" })).status, path).toBe(403);
	}
});
