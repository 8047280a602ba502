import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime } from "../../server/create-runtime.ts";
import { type Environment, parseEnvironment } from "../../server/environment/environment.ts";
import { createLog } from "../../server/observability/log.ts";
import { createTestDatabase } from "../../test/database.ts";
import { deleteRows } from "../../test/delete-rows.ts";
import { insertServedOrder } from "../../test/fixtures/old-orders.ts";
import { extractLines, generatePdf, illegibleLine } from "../../test/fixtures/pdf.ts";
import { insertOrder, insertPayment, type OrderValues, waitForLock } from "../../test/orders.ts";
import { cents } from "../catalogue/money.ts";
import { createShop } from "../create-shop.server.ts";
import { listDeskLog } from "../desk-log/desk-log.store.server.ts";
import { jobKinds } from "../job-kinds.ts";
import { findOrder, lockOrder } from "../orders/orders.store.server.ts";
import { stripeProvider } from "../payments/stripe/stripe-provider.server.ts";
import { insertRefund, type PaymentRole } from "../refunds/refunds.store.server.ts";
import { eraseOrders } from "../retention/erase-orders.server.ts";
import type { Shop } from "../shop.ts";
import { recordedCommand } from "./recorded-command.server.ts";
import { runCommand } from "./run-command.server.ts";
import { getOperatorName, runRecorded } from "./run-recorded.server.ts";
import { fail } from "./serving-commands.server.ts";
import { terminalCommands } from "./terminal-commands.server.ts";

/** The operator's verbs on a shop where nothing else happens: no jobs are done, so that each test has its rows for itself. */

const folder = mkdtempSync(join(tmpdir(), "verbs-"));
const now = new Date("2026-11-20T10:00:00Z");
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let environment: Environment;
let opened: Awaited<ReturnType<typeof createRuntime>>;
let shop: Shop;
beforeAll(async () => {
	database = await createTestDatabase();
	const secret = "a secret of the tests that is long enough to sign";
	const parsed = parseEnvironment({ APP_SECRET: secret, DATA_DIR: folder, ISSUER: "manual", LOG_LEVEL: "silent" });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	environment = parsed.environment;
	const log = createLog("silent");
	opened = await createRuntime(environment, database.connection, jobKinds, { supervise: false, now: () => now, log });
	shop = createShop(opened.runtime);
});
afterAll(async () => {
	await opened?.close(1000);
	await database?.close();
	rmSync(folder, { recursive: true });
});

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

/** What the operator is told, with ordinary spaces, having piped in `input`. */
async function ordersAt(where: Shop, input: string | null, ...args: string[]) {
	const readInput = async () => (input === null ? null : new TextEncoder().encode(input));
	const { ok, text } = await runCommand({ shop: where, readInput }, args);
	return { ok, text: plain(text) };
}
const orders = (...args: string[]) => ordersAt(shop, null, ...args);

const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
/** A letter that nobody paid, except for the given columns. */
const insert = async (values: OrderValues = {}) =>
	(await insertOrder(shop.db, { created_at: now, status: "failed", product_code: "postal", ...values })).id;
const getOrderNumber = async (id: string) => (await findOrder(shop.db, id))?.order_number ?? "";
const served = async (order?: OrderValues) => {
	const { id, paths } = await insertServedOrder(shop, now, { order });
	return { id, number: await getOrderNumber(id), paths };
};
const pay = (orderId: string, id: string, role: PaymentRole, amount_cents = 5900) =>
	insertPayment(shop.db, { id: orderId, price_cents: cents(amount_cents) }, { id, role, created_at: minutesAgo(60) });
const listRefunds = (order_id: string) =>
	shop.db
		.selectFrom("refunds")
		.select(["payment_id", "amount_cents", "reason", "status", "cause", "note"])
		.where("order_id", "=", order_id)
		.orderBy("requested_at")
		.orderBy("amount_cents")
		.execute();
const filed = (name: string, content: string | Uint8Array) => {
	const file = join(folder, name);
	writeFileSync(file, content);
	return file;
};

describe("a command with wrong arguments does not run and shows its usage", () => {
	test.each<[string, string[][]]>([
		["list", [["x"]]],
		["show", [[], ["KB-2222-2222", "x"]]],
		["upload", [["KB-2222-2222"], ["KB-2222-2222", "a.pdf", "b.pdf"]]],
		["post", [["KB-2222-2222"], ["KB-2222-2222", ..."1234567890"]]],
		["replace-extract", [["KB-2222-2222"], ["KB-2222-2222", "a.pdf", "b.pdf"], ["KB-2222-2222", "a.pdf", "--reason"]]],
		["correct-tracking", [["KB-2222-2222"], ["KB-2222-2222", ..."1234567890"]]],
		["not-found", [[], ["KB-2222-2222", "KB-2222-2223"]]],
		["fail", [[], ["KB-2222-2222", "KB-2222-2223"]]],
		["refund", [[], ["KB-2222-2222", "1", "2", "3"], ["KB-2222-2222", "--payment"]]],
		["refuse-refund", [["KB-2222-2222"], ["KB-2222-2222", "Non", "merci"]]],
		["settle", [[], ["KB-2222-2222", "x"]]],
		["resend", [["KB-2222-2222"], ["KB-2222-2222", "posted", "x"]]],
		["bounce", [["x"]]],
		["release-refunds", [["KB-2222-2222", "x"], ["--all=yes"]]],
		["reconcile", [["1", "2"]]],
		["recreate", [["KB-2222-2222", "KB-2222-2223"], ["--all=yes"]]],
		["move-invoices", [["F2026-000001", "F2026-000002"], ["--reason"]]],
		["export", [[], ["a@b.fr", "a.json", "x"]]],
		["erase", [[], ["a@b.fr", "c@d.fr"], ["a@b.fr", "--force"]]],
		["purge", [["x"]]],
		["log", [["1", "2"]]],
		[
			"settings",
			[
				["day-off", "1", "2", "3", "4", "5"],
				["close", "--until"],
			],
		],
	])("%s", async (verb, wrong) => {
		const before = await listDeskLog(shop.db, 10_000);
		for (const words of wrong)
			expect(await orders(verb, ...words), words.join(" ")).toEqual({
				ok: false,
				text: expect.stringMatching(`^Usage : npm run orders -- ${verb}`),
			});
		expect(await listDeskLog(shop.db, 10_000)).toEqual(before);
	});

	test("the usage lists each command once, with its description", async () => {
		const { text } = await orders();
		expect([...text.matchAll(/^ {2}([a-z-]+).*\n {6}\S/gm)].map(([, verb]) => verb)).toEqual([
			...[
				"list",
				"show",
				"requested",
				"upload",
				"post",
				"not-found",
				"change-company",
				"note",
				"fail",
				"replace-extract",
				"correct-tracking",
			],
			...["refund", "refuse-refund", "settle", "resend", "terms"],
			...["bounce", "release-refunds", "receive", "reconcile", "recreate", "move-invoices", "export", "erase", "purge", "log", "settings"],
		]);
		expect(text).not.toMatch(/ $/m);
	});

	test("an order is found by its number and by its UUID, in any spelling", async () => {
		const id = await insert({ order_number: "KB-7F3K-92QD" });
		for (const typed of ["KB-7F3K-92QD", " kb-7f3k-92qd ", id, ` ${id.toUpperCase()} `])
			expect(await orders("show", typed), typed).toMatchObject({ ok: true, text: expect.stringContaining(id) });
		for (const typed of [crypto.randomUUID(), "KB", "7F3K", `${id}0`])
			expect(await orders("show", typed), typed).toEqual({ ok: false, text: `La commande ${typed} n’existe pas.` });
	});
});

describe("list", () => {
	beforeAll(async () => {
		await deleteRows(shop.db, "orders");
		const late = {
			status: "processing",
			product_code: "express",
			paid_at: minutesAgo(200),
			promised_at: minutesAgo(45),
		} as const;
		const id = await insert({ ...late, order_number: "KB-LATE", late_at: now, set_aside_at: now, disputed_at: now });
		await shop.db.insertInto("extract_requests").values({ order_id: id, requested_at: now, uploaded_at: now }).execute();
		await shop.db.insertInto("refund_requests").values({ id: crypto.randomUUID(), order_id: id, message: "?", created_at: now }).execute();
		await insert({ order_number: "KB-SOON", status: "paid", paid_at: now, promised_at: new Date("2026-11-20T11:20:00Z") });
		await insert({ order_number: "KB-DONE", status: "completed", paid_at: now, promised_at: now, late_at: now });
		await insert({ order_number: "KB-OVER" });
	});
	const numbers = async (...options: string[]) => [...(await orders("list", ...options)).text.matchAll(/KB-[A-Z]{4}/g)].map(String);

	test("shows the orders in progress, the most urgent first, with their notes", async () => {
		const { text } = await orders("list");
		expect(text.split("\n")).toEqual([
			expect.stringMatching(/^Reste +Commande +Service +Société +État +Promise pour +À savoir$/),
			expect.stringMatching(
				/^retard 45 min +KB-LATE +KBIS Express +DANONE \(552032534\) +En traitement +20\/11\/2026 10:15 +en retard, extrait déposé, mise de côté, remboursement demandé, contestée$/,
			),
			expect.stringMatching(/^1 h 20 +KB-SOON +KBIS Postal +DANONE \(552032534\) +Payé +20\/11\/2026 12:20$/),
		]);
	});

	test("filters by state, by lateness and by refund request", async () => {
		expect(await numbers("--status", " completed , failed")).toEqual(["KB-DONE", "KB-OVER"]);
		expect((await orders("list", "--status", "completed")).text).toMatch(/\n— +KB-DONE/); // no time is left to it
		expect((await orders("list", "--status", "failed")).text).toMatch(/\n— +KB-OVER .* —$/); // nothing was promised
		expect(await numbers("--late")).toEqual(["KB-LATE"]);
		expect(await numbers("--late", "--status", "completed")).toEqual(["KB-DONE"]);
		expect(await numbers("--refund-requests")).toEqual(["KB-LATE"]);
		for (const unknown of ["toString", "paid,done", "", "PAID"])
			expect(await orders("list", "--status", unknown), unknown).toMatchObject({
				ok: false,
				text: expect.stringContaining("n’est pas un état"),
			});
	});

	test("says when it does not show all orders", async () => {
		await sql`
			insert into orders (id, purchase_id, order_number, status, product_code, price_cents, siren, company_name, customer_email, first_name, last_name, request_hash, created_at)
			select id, id, 'many-' || n, 'paid', 'express', 5900, '552032534', 'DANONE', 'm@example.fr', 'A', 'L', '', ${now} from (select gen_random_uuid() as id, n from generate_series(1, 197) n) made`.execute(
			shop.db,
		);
		const before = (await orders("list")).text;
		expect([before.split("\n").length, before.includes("Seules")]).toEqual([200, false]);
		await insert({ status: "paid", paid_at: now });
		const { text } = await orders("list");
		expect([text.split("\n").length, text.endsWith("\nSeules les 200 premières sont listées.")]).toEqual([202, true]);
		await sql`delete from orders where order_number like 'many-%'`.execute(shop.db);
	});
});

test("requested records that the registry was asked, once, with the operator's name", async () => {
	const id = await insert({ status: "processing", paid_at: now });
	const number = await getOrderNumber(id);
	const done = { ok: true, text: "C’est noté : le client lit que sa demande est transmise au greffe." };
	expect(await orders("requested", number, "--as", "Ada")).toEqual(done);
	expect(await orders("requested", number)).toEqual({
		ok: true,
		text: "C’est déjà noté : l’extrait de cette commande est demandé au greffe.",
	});
	const events = await shop.db.selectFrom("order_events").select(["event_type", "payload"]).where("order_id", "=", id).execute();
	expect(events).toEqual([{ event_type: "extract_requested", payload: { by: "Ada" } }]);
	const ended = await getOrderNumber(await insert({ status: "completed", paid_at: now }));
	expect(await orders("requested", ended)).toEqual({ ok: false, text: "Cette commande est déjà terminée." });
});

describe("upload", () => {
	const paid = async () => {
		const id = await insert({ status: "processing", product_code: "express", paid_at: now });
		return { id, number: await getOrderNumber(id) };
	};
	const undated = () => filed("undated.pdf", generatePdf({ lines: extractLines({ dated: "du commerce" }) }));
	const illegible = () => filed("illegible.pdf", generatePdf({ lines: [illegibleLine] }));

	test("accepts the operator's date in Paris time, and names what the operator confirmed", async () => {
		const { id, number } = await paid();
		for (const date of ["bientôt", "2026-11-31", "31/11/2026", "20/11/26", "2026/11/20", "20/11/2026 24:00"])
			expect(await orders("upload", number, undated(), "--date", date)).toMatchObject({
				ok: false,
				text: expect.stringContaining("Cette date ne se lit pas"),
			});
		expect(await orders("upload", number, undated())).toMatchObject({
			ok: false,
			text: expect.stringContaining("Pour en répondre : --date JJ/MM/AAAA."),
		});
		expect(await orders("upload", number, undated(), "--date", " 2026-11-20 10:32 ")).toEqual({
			ok: true,
			text: "L’extrait est déposé. La commande continue.\nLa date de délivrance est celle que vous avez indiquée.",
		});
		const kept = await shop.db.selectFrom("extract_requests").select("issued_at").where("order_id", "=", id).executeTakeFirst();
		expect(kept).toEqual({ issued_at: new Date("2026-11-20T09:32:00Z") });
	});

	test("accepts illegible text that the operator confirms; each confirmation counts for one question only", async () => {
		const { number } = await paid();
		expect(await orders("upload", number, illegible(), "--confirm-date", "--date", "2026-11-01")).toMatchObject({
			ok: false,
			text: expect.stringContaining("Pour en répondre : --confirm-scan."),
		});
		expect(await orders("upload", number, illegible(), "--confirm-scan", "--date", "2026-11-01")).toMatchObject({
			ok: false,
			text: expect.stringContaining("Pour en répondre : --confirm-date."),
		});
		expect(await orders("upload", number, illegible(), "--confirm-scan", "--date", "2026-11-20")).toMatchObject({ ok: true });
	});
});

describe("an order of the wrong company", () => {
	test("moves to another one with the customer's agreement, which becomes a note", async () => {
		const id = await insert({ status: "processing", paid_at: now });
		const number = await getOrderNumber(id);
		expect(await orders("change-company", number, "12")).toMatchObject({ ok: false, text: "Un SIREN a neuf chiffres." });
		expect(await orders("change-company", number, "552 032 534")).toMatchObject({
			ok: false,
			text: expect.stringContaining("--agreement"),
		});
		const agreed = ["--agreement", "par téléphone"];
		expect(await orders("change-company", number, "000 000 000", ...agreed)).toMatchObject({
			ok: false,
			text: "Aucune entreprise n’a ce SIREN.",
		});
		const { rows } = await sql<{ siren: string }>`select siren from companies
			where status = 'active' and name is not null and legal_category like '5%' and siren <> '552032534' order by id limit 1`.execute(
			shop.db,
		);
		const { siren = "" } = rows[0] ?? {};
		expect(await orders("change-company", number, siren, ...agreed)).toMatchObject({ ok: true });
		expect(await findOrder(shop.db, id)).toMatchObject({ siren });
		expect(await orders("note", number, "Rappeler", "lundi", "--as", "Camille")).toMatchObject({ ok: true });
		const notes = await shop.db.selectFrom("order_notes").selectAll().where("order_id", "=", id).execute();
		expect(notes.map(({ text }) => text).sort()).toEqual(["Rappeler lundi", "par téléphone"]);
	});
});

describe("a finished order is not served, failed or refused again", () => {
	test("not even when it was completed after the command read it", async () => {
		const id = await insert({ status: "processing", paid_at: now });
		const order = await findOrder(shop.db, id);
		if (order === null) throw new Error();
		await shop.db.updateTable("orders").set({ status: "completed", completed_at: now }).where("id", "=", id).execute();
		const call = { shop, args: [], options: {}, readInput: async () => null };
		expect(await fail.run(call, order)).toMatchObject({ ok: false, text: expect.stringContaining("vient de changer d’état") });
		const number = await getOrderNumber(id);
		expect(await orders("fail", number)).toEqual({ ok: false, text: "Cette commande est déjà terminée." });
		expect(await orders("not-found", number)).toEqual({ ok: false, text: "Cette commande est déjà terminée." });
		expect(await orders("upload", number, filed("any.pdf", generatePdf()))).toEqual({
			ok: false,
			text: "Cette commande est déjà terminée.",
		});
		expect(await findOrder(shop.db, id)).toMatchObject({ status: "completed", failure_reason: null });
	});

	test.each([
		["fail", "operator", "Cette commande est déjà arrêtée."],
		["not-found", "not-found", "C’est déjà noté : la commande a échoué."],
	] as const)("and « %s » of one that failed for that reason says that it is done", async (verb, failure_reason, text) => {
		expect(await orders(verb, await getOrderNumber(await insert({ failure_reason })))).toEqual({ ok: true, text });
	});

	test("and the reply does not claim a reason for which it did not fail", async () => {
		const number = await getOrderNumber(await insert({ failure_reason: "cancelled" }));
		for (const verb of ["fail", "not-found"])
			expect(await orders(verb, number), verb).toMatchObject({ ok: false, text: expect.stringContaining("a échoué ou a été annulée") });
	});
});

describe("refund", () => {
	test("wants a reason of the desk's list, and a note for another one; both are kept", async () => {
		const id = await insert({ status: "completed", product_code: "express", paid_at: now });
		const number = await getOrderNumber(id);
		await pay(id, `pi_${id}`, "order");
		const refund = (...more: string[]) => orders("refund", number, "10", ...more);
		expect(await refund()).toMatchObject({ ok: false, text: expect.stringContaining("--reason : wrong-extract, wrong-company, late") });
		expect(await refund("--reason", "toString")).toMatchObject({ ok: false });
		expect(await refund("--reason", "other")).toMatchObject({ ok: false, text: expect.stringContaining("--note") });
		expect(await listRefunds(id)).toEqual([]);
		expect(await refund("--reason", "other", "--note", "Chèque perdu")).toMatchObject({ ok: true });
		expect(await listRefunds(id)).toMatchObject([{ amount_cents: 1000, cause: "other", note: "Chèque perdu" }]);
	});

	test("of all that was paid for an open order asks whether the order stops", async () => {
		const open = async () => {
			const id = await insert({ status: "processing", product_code: "express", paid_at: now });
			await pay(id, `pi_${id}`, "order");
			return id;
		};
		const [stopped, continued] = [await open(), await open()];
		const refund = async (id: string, ...more: string[]) =>
			orders("refund", await getOrderNumber(id), "--reason", "not-available", ...more);
		for (const more of [[], ["59"], ["--stop", "--go-on"]])
			expect(await refund(stopped, ...more)).toMatchObject({ ok: false, text: expect.stringContaining("--stop") });
		for (const option of ["--stop", "--go-on"])
			expect(await refund(stopped, "10", option)).toMatchObject({ ok: false, text: expect.stringContaining("rembourser en entier") });
		expect(await listRefunds(stopped)).toEqual([]);
		expect(await refund(stopped, "--stop")).toMatchObject({ ok: true, text: expect.stringContaining("arrêtée") });
		expect(await listRefunds(stopped)).toMatchObject([{ reason: "failed", cause: "not-available" }]);
		expect(await refund(continued, "--go-on")).toMatchObject({ ok: true });
		expect(await listRefunds(continued)).toMatchObject([{ reason: "operator", cause: "not-available" }]);
	});

	test("refunds the payment given by --payment, and requires the option when several are possible", async () => {
		const id = await insert({ status: "pending" });
		const number = await getOrderNumber(id);
		for (const payment of ["pi_a", "pi_b"]) await pay(id, payment, "mismatch", 4200);
		expect(await orders("refund", "--reason", "late", number, "--payment", "pi_elsewhere")).toMatchObject({
			ok: false,
			text: expect.stringContaining("n’a pas ce paiement"),
		});
		expect(await orders("refund", "--reason", "late", number)).toEqual({
			ok: false,
			text: "Plusieurs paiements restent à rendre. Choisissez : --payment pi_a, --payment pi_b.",
		});
		expect(await listRefunds(id)).toEqual([]);
		expect(await orders("refund", "--reason", "late", number, "--payment", "pi_b")).toMatchObject({
			ok: true,
			text: expect.stringContaining("42,00 €"),
		});
		expect(await listRefunds(id)).toMatchObject([{ payment_id: "pi_b", amount_cents: 4200 }]);
		expect(await orders("refund", "--reason", "late", number, "--payment", "pi_b")).toMatchObject({
			ok: false,
			text: expect.stringContaining("déjà rendu en entier"),
		});
		// one is left: it need not be named
		expect(await orders("refund", "--reason", "late", number, "2")).toMatchObject({ ok: true, text: expect.stringContaining("2,00 €") });
		expect(await listRefunds(id)).toMatchObject([{ payment_id: "pi_a", amount_cents: 200 }, { payment_id: "pi_b" }]);
	});

	test("refunds nothing when everything was refunded meanwhile", async () => {
		const id = await insert({ status: "completed", product_code: "express", paid_at: now });
		const number = await getOrderNumber(id);
		const payment = await pay(id, `pi_${id}`, "order");
		let asked: ReturnType<typeof orders> | undefined;
		await shop.db.transaction().execute(async (trx) => {
			await lockOrder(trx, id);
			asked = orders("refund", "--reason", "late", number);
			await waitForLock(shop.db, asked);
			await insertRefund(trx, { orderId: id, payment, amount: 5900, reason: "operator", status: "requested", providerId: null, now });
		});
		expect(await asked).toEqual({ ok: true, text: "Tout ce qui a été payé est déjà rendu, ou va l’être." });
		expect(await listRefunds(id)).toHaveLength(1);
	});

	test("refunds the order's own payment unless --payment gives another", async () => {
		const id = await insert({ status: "completed", price_cents: 5900, paid_at: now });
		const number = await getOrderNumber(id);
		for (const [payment, role] of [
			["pi_more", "surplus"],
			["pi_odd", "mismatch"],
			["pi_own", "order"],
		] as const)
			await pay(id, payment, role);
		expect(await orders("refund", "--reason", "late", number, "59,01")).toEqual({
			ok: false,
			text: "C’est trop : il reste 59,00 € à rembourser au plus.",
		});
		expect(await orders("refund", "--reason", "late", number, "10")).toMatchObject({ ok: true });
		// the same of another payment is no repetition
		expect(await orders("refund", "--reason", "late", number, "10", "--payment", "pi_more")).toMatchObject({
			ok: true,
			text: expect.stringContaining("est demandé"),
		});
		expect(await orders("refund", "--reason", "late", number, "10,00")).toMatchObject({
			ok: true,
			text: expect.stringContaining("est déjà demandé (20/11/2026 11:00)"),
		});
		expect((await listRefunds(id)).map(({ payment_id }) => payment_id).sort()).toEqual(["pi_more", "pi_own"]);
	});

	test.each([
		["succeeded", "operator", true],
		["pending", "operator", true],
		["requested", "operator", true],
		["succeeded", "guarantee", true],
		["failed", "operator", false],
		["refused", "operator", false],
		["succeeded", "dashboard", false],
	] as const)("of an amount that is %s already (%s) is a repetition: %s", async (status, reason, repeated) => {
		const id = await insert({ status: "completed", price_cents: 5900, paid_at: now });
		const payment_id = `pi_${id}`;
		await pay(id, payment_id, "order");
		const earlier = { id: crypto.randomUUID(), order_id: id, payment_id, amount_cents: 1000, requested_at: minutesAgo(9) };
		await shop.db
			.insertInto("refunds")
			.values({ ...earlier, status, reason })
			.execute();
		expect((await orders("refund", "--reason", "late", await getOrderNumber(id), "10")).text.includes("déjà demandé")).toBe(repeated);
		expect(await listRefunds(id)).toHaveLength(repeated ? 1 : 2);
	});

	test("accepts one cent", async () => {
		const id = await insert({ status: "completed", price_cents: 5900, paid_at: now });
		await pay(id, `pi_${id}`, "order");
		expect((await orders("refund", "--reason", "late", await getOrderNumber(id), "0,01")).ok).toBe(true);
		expect(await listRefunds(id)).toMatchObject([{ amount_cents: 1 }]);
	});

	test("says when a dispute delays the refund", async () => {
		const id = await insert({ status: "completed", price_cents: 5900, paid_at: now, disputed_at: now, dispute_status: "open" });
		await pay(id, `pi_${id}`, "order");
		expect((await orders("refund", "--reason", "late", await getOrderNumber(id), "1")).text).toMatch(
			/1,00 € est demandé\..* attend la fin de la contestation\.$/,
		);
	});
});

test("a refund request is refused with an answer, and a second answer is rejected", async () => {
	const id = await insert({ status: "completed", paid_at: now });
	const number = await getOrderNumber(id);
	await shop.db.insertInto("refund_requests").values({ id: crypto.randomUUID(), order_id: id, message: "?", created_at: now }).execute();
	expect(await orders("refuse-refund", number, "  ")).toEqual({
		ok: false,
		text: "Écrivez votre réponse : le client la lira telle quelle.",
	});
	const answer = () => shop.db.selectFrom("refund_requests").select(["answer", "granted"]).where("order_id", "=", id).executeTakeFirst();
	expect(await answer()).toEqual({ answer: null, granted: null });
	expect(await orders("refuse-refund", number, " Non. ")).toMatchObject({ ok: true });
	expect(await answer()).toEqual({ answer: "Non.", granted: false });
	expect(await orders("refuse-refund", number, "Non.")).toEqual({ ok: true, text: "Cette réponse est déjà donnée." });
	expect(await orders("refuse-refund", number, "Si.")).toMatchObject({ ok: false, text: expect.stringContaining("pas de demande") });
	expect(await answer()).toEqual({ answer: "Non.", granted: false });
});

describe("the payment provider", () => {
	test("is not asked when the order has no payment session", async () => {
		const number = await getOrderNumber(await insert());
		expect(await orders("settle", number)).toEqual({ ok: true, text: "Cette commande n’a aucune session de paiement. État : Échec." });
	});

	test("is named when it does not reply", async () => {
		const [asked, paid] = [await insert(), await insert({ status: "completed", price_cents: 5900, paid_at: now })];
		const session = { id: "cs_test_silent", order_id: asked, url: "/", created_at: now, expires_at: now };
		await shop.db
			.insertInto("payment_sessions")
			.values({ ...session, status: "complete" })
			.execute();
		await pay(paid, "pi_silent", "order");
		const nobody = { secretKey: "sk_test_x", webhookSecret: "whsec_x", apiBase: "http://127.0.0.1:9", live: false };
		const alone = { ...shop, provider: stripeProvider(nobody, () => now) };
		const away = { ok: false, text: "Le prestataire de paiement ne répond pas. Réessayez plus tard." };
		const told = [["settle", await getOrderNumber(asked)], ["settle", await getOrderNumber(paid)], ["reconcile"]].map((args) =>
			ordersAt(alone, null, ...args),
		);
		expect(await Promise.all(told)).toEqual([away, away, away]);
	});

	test("is compared over the given number of days, three by default", async () => {
		for (const days of ["0", "3661", "1.5", "x", "1e3x"])
			expect(await orders("reconcile", days), days).toMatchObject({ ok: false, text: expect.stringContaining("nombre de jours") });
		await deleteRows(shop.db, "orders", "sandbox.sessions");
		const order = await insertOrder(shop.db, { created_at: now, order_number: "KB-7777-2345", status: "completed", paid_at: now });
		for (const [days, role] of [
			[2.5, "order"],
			[3.5, "surplus"],
		] as const)
			await insertPayment(shop.db, order, { id: `pi_${days}_days`, role, created_at: minutesAgo(days * 1440) });
		const found = async (...days: string[]) => {
			const { ok, text } = await orders("reconcile", ...days);
			expect(ok).toBe(!text.includes("inconnu"));
			return [...text.matchAll(/^pi_(\S+)_days +KB-7777-2345 +inconnu chez lui +59,00 € +—$/gm)].map(([, days]) => days);
		};
		expect([await found(), await found("1"), await found("2"), await found("3"), await found("3660")]).toEqual(
			[["2.5"], [], [], ["2.5"], ["2.5", "3.5"]].map((days) => expect.arrayContaining(days)),
		);
		expect([(await found()).length, (await found("3660")).length]).toEqual([1, 2]);
	});
});

describe("show", () => {
	test("shows all data of an order, with the labels of the shop", async () => {
		const facts = { promised_at: minutesAgo(45), late_at: minutesAgo(45), set_aside_at: minutesAgo(30), failure_reason: null };
		const person = {
			customer_email: "ada1@example.fr",
			city: "Paris",
			postal_code: "75002",
			billing_company: "ESSAI SARL",
			terms_accepted_at: now,
			consent_text_version: "2026-11-22",
			newsletter: true,
		};
		const { id, number } = await served({ ...facts, ...person, withdrawal_waived_at: now, disputed_at: now, dispute_status: "lost" });
		await shop.db.updateTable("extract_requests").set({ not_found_at: now }).where("order_id", "=", id).execute();
		await shop.db.updateTable("documents").set({ purged_at: now }).where("order_id", "=", id).where("doc_type", "=", "kbis").execute();
		const { text } = await orders("show", number);
		for (const line of [
			...[/État +Terminé$/m, /Service +KBIS Postal, 44,00 €$/m, /Société +DANONE \(SIREN 552032534\)$/m, /Passée le +20\/11\/2026 11:00$/m],
			...[/Payée le +20\/11\/2026 11:00$/m, /Promise pour +20\/11\/2026 10:15$/m, /En retard +constaté le 20\/11\/2026 10:15$/m],
			...[/Livrée le +20\/11\/2026 11:00$/m, /N° de suivi +1A23456789012$/m, /Remboursé +10,00 €$/m, /Mise de côté +20\/11\/2026 10:30$/m],
			...[/Contestation +perdue$/m, /À obtenir depuis +20\/11\/2026 11:00$/m, /Extrait déposé le +20/, /Introuvable +20/, /Posté le +20/],
			...[/Nom +Ada Lovelace$/m, /E-mail +ada1@example\.fr$/m, /Livraison à +grace\d+@example\.fr$/m, /Téléphone +06$/m],
			...[
				/Société facturée +ESSAI SARL$/m,
				/Adresse facturée +1 rue, 75002 Paris$/m,
				/Conditions acceptées +20\/11\/2026 11:00 \(2026-11-22\)$/m,
			],
			...[/Rétractation +renoncée le 20\/11\/2026 11:00$/m, /Lettre d’information +oui$/m, /tracking_number=1A2$/m, /payée +cs_/],
			...[
				/44,00 € +règle la commande +pi_/,
				/10,00 € +fait +20\/11\/2026 11:00 +guarantee/,
				/invoice-\d+ +44,00 €$/m,
				/credit_note-\d+ +10,00 €$/m,
			],
			...[/Extrait +20.* octets +\S+ +[0-9a-f]{64} +supprimé le 20\/11\/2026 11:00$/m, /Facture +20.*[0-9a-f]$/m, /Avoir +20/],
			...[
				/^ +20\/11\/2026 11:00 +document-ready +parti le 20/m,
				/confirmation +refusé le 20\/11\/2026 11:00 : Lovelace\?$/m,
				/ posted +en attente$/m,
			],
			...[/ +Lovelace s’écrit ainsi\n.* accordée +Oui, Madame Lovelace$/m, /Rétractation\n +20\/11\/2026 11:00 +refusée$/m],
		])
			expect(text).toMatch(line);
	});

	test("shows the time left of an order in progress, the failure reason, and a missing PDF", async () => {
		for (const status of ["paid", "processing"] as const) {
			const serving = await insert({ status, paid_at: now, promised_at: new Date("2026-11-20T11:20:00Z"), dispute_status: "won" });
			const { text } = await orders("show", serving);
			expect(text).toMatch(/Promise pour +20\/11\/2026 12:20 \(1 h 20\)$/m);
			expect(text).toMatch(/Contestation +gagnée$/m);
			for (const line of [/Conditions acceptées +non$/m, /Rétractation +droit gardé$/m, /Lettre d’information +non$/m])
				expect(text).toMatch(line);
			for (const fact of [
				"En retard",
				"Livrée le",
				"Remboursé",
				"Mise de côté",
				"effacé",
				"Téléphone",
				"Adresse",
				"Paiements",
				"Documents",
			])
				expect(text).not.toContain(fact);
		}
		for (const [failure_reason, words] of [
			["expired", "paiement non reçu à temps"],
			["cancelled", "annulée par le client"],
			["not-available", "aucun extrait pour cette société"],
			["not-found", "introuvable au registre"],
			["operator", "arrêtée par la boutique"],
		] as const) {
			const failed = (await orders("show", await insert({ failure_reason, promised_at: now }))).text;
			expect(failed).toContain(`: ${words}`);
			expect(failed).toMatch(/Promise pour +\S+ \S+$/m);
		}
	});

	test("shows the lines of a letter's label, and the numbers of the invoiced company", async () => {
		const company = { billing_company: "ANALYSE SAS", billing_siren: "356000000", billing_vat: "FR39356000000" };
		const billing = { address: "1 rue", postal_code: "75002", city: "Paris" };
		const to = { delivery_name: "Grace Hopper", delivery_complement: "Bâtiment B", delivery_address: "4 quai" };
		const elsewhere = { ...to, delivery_postal_code: "75001", delivery_city: "Paris 1er" };
		const show = async (values: OrderValues) => (await orders("show", await insert({ ...company, ...billing, ...values }))).text;
		const text = await show({ product_code: "postal", ...elsewhere });
		expect(text).toMatch(/Poster à +Grace Hopper\n +Bâtiment B\n +4 quai\n +75001 Paris 1er$/m);
		expect(text).toMatch(/SIREN facturé +356000000\n *TVA facturée +FR39356000000\n *Adresse facturée +1 rue, 75002 Paris$/m);
		expect(await show({ product_code: "postal" })).toMatch(/Poster à +ANALYSE SAS, (\S+ \S+)\n +1 rue\n +75002 Paris$/m);
		expect(await show({ product_code: "express" })).not.toMatch(/Poster à|Adresse facturée/);
	});

	test("says which invoice was replaced, and that its credit note gives nothing back", async () => {
		const { id, number } = await served();
		const copyInvoice = (columns: string, data: object) =>
			sql`insert into invoices (id, kind, year, number_in_year, number, order_id, corrects, replaces, issued_at, total_cents, data)
				select gen_random_uuid(), ${sql.raw(columns)}, issued_at, total_cents, ${JSON.stringify(data)}
				from invoices where order_id = ${id} and kind = 'invoice' and replaces is null`.execute(shop.db);
		await copyInvoice("'invoice', year, 90001, 'F2026-090001', order_id, null, id", {});
		await copyInvoice("'credit_note', year, 90001, 'A2026-090001', order_id, id, null", { replacedBy: "F2026-090001" });
		const { text } = await orders("show", number);
		expect(text).toMatch(/invoice-\d+ +44,00 € +remplacée$/m);
		expect(text).toMatch(/F2026-090001 +44,00 € +PDF à faire$/m);
		expect(text).toMatch(/A2026-090001 +44,00 € +facture remplacée, rien n’est remboursé, PDF à faire$/m);
	});

	test.each([
		["1 rue", null, null, "1 rue"],
		["1 rue", "75002", null, "1 rue, 75002"],
		["1 rue", null, "Paris", "1 rue, Paris"],
	])("shows the known parts of an address: %s, %s, %s", async (address, postal_code, city, told) => {
		const { text } = await orders("show", await insert({ address, postal_code, city }));
		expect(text).toMatch(new RegExp(`Adresse facturée +${told}$`, "m"));
		expect(text, "one empty line between two parts, and none for a part that is not there").not.toContain("\n\n\n");
	});

	test("shows no data of an erased customer", async () => {
		const { id, number } = await served();
		await eraseOrders(shop, [id]);
		const { text } = await orders("show", number);
		expect(text).toMatch(/Client effacé le +20\/11\/2026 11:00$/m);
		expect(text).not.toMatch(/^Client$|Nom |Lovelace|grace|Téléphone/m);
	});
});

describe("an e-mail is not sent again", () => {
	test("when it does not exist, its customer is erased, its document is deleted, or the address is invalid", async () => {
		const resend = async (number: string, ...more: string[]) => (await orders("resend", number, "document-ready", ...more)).text;
		expect(await resend(await getOrderNumber(await insert()))).toBe("Cette commande n’a encore aucun e-mail.");
		const { id, number } = await served();
		expect(await resend(number, "--to", "grace@")).toBe("Cette adresse e-mail n’est pas valide.");
		expect(await resend(number, "--to", " ")).toBe("Cette adresse e-mail n’est pas valide.");
		await shop.db.updateTable("documents").set({ purged_at: now }).where("order_id", "=", id).execute();
		expect(await resend(number)).toBe("Le document de cet e-mail n’est plus conservé.");
		await eraseOrders(shop, [id]);
		expect(await resend(number)).toBe("Le client de cette commande a été effacé : il n’y a plus à qui écrire.");
		expect(await ordersAt(shop, "", "bounce")).toMatchObject({ ok: false, text: expect.stringContaining("Donnez l’avis") });
	});

	test("to the typed address: the command trims its blanks", async () => {
		const { number } = await served({ delivery_email: null });
		expect(await orders("resend", number, "document-ready", "--to", " grace@example.fr ")).toEqual({
			ok: true,
			text: "L’e-mail document-ready part de nouveau, à grace@example.fr.",
		});
		expect(await orders("resend", number, "document-ready")).toEqual({ ok: true, text: "L’e-mail document-ready part de nouveau." });
	});
});

describe("the data of a person", () => {
	/** Each with one thing that is kept of them, and nothing else. */
	const kinds: [string, (email: string) => Promise<unknown>][] = [
		["orders", (customer_email) => insert({ customer_email })],
		["deliveries", (delivery_email) => insert({ delivery_email })],
		[
			"messages",
			(email) =>
				shop.db
					.insertInto("contact_messages")
					.values({ id: crypto.randomUUID(), name: "", email, message: "?", created_at: now })
					.execute(),
		],
		["interest", (email) => shop.db.insertInto("subscription_interest").values({ email, text_version: "1", created_at: now }).execute()],
		[
			"newsletter",
			(email) =>
				shop.db
					.insertInto("newsletter_subscriptions")
					.values({ id: crypto.randomUUID(), email, source: "form", text_version: "1", requested_at: now })
					.execute(),
		],
		[
			"invoices",
			async (email) => {
				const { id } = await insertServedOrder(shop, now, { order: { customer_email: email } });
				await eraseOrders(shop, [id], { findableBy: "mailbox" });
			},
		],
	];
	test.each(kinds)("are found when they are only %s; deleted rows are counted", async (kind, make) => {
		const email = `only.${kind}@example.fr`;
		await make(email);
		const found = JSON.parse((await orders("export", email)).text) as Record<string, unknown[]>;
		for (const [name] of kinds) expect(found[name], name).toHaveLength(name === kind ? (kind === "invoices" ? 2 : 1) : 0);
		const told = await orders("erase", email);
		expect(told.ok).toBe(false);
		expect(told.text.match(/: +[1-9]/g)).toHaveLength(1);
		expect(told.text).toContain(`erase ${email} --yes`);
		const erased = await orders("erase", email, "--yes");
		expect(erased).toMatchObject({
			ok: true,
			text: expect.stringMatching(kind === "invoices" ? /\nLes factures et les avoirs restent/ : /: .+\.$/),
		});
		expect(erased.text.includes("restent")).toBe(kind === "invoices");
		expect(await orders("erase", email)).toMatchObject({ ok: true });
	});

	test("of an unknown person are empty", async () => {
		const nothing = "Rien n’est conservé sous cette adresse.";
		expect(await orders("erase", "nobody@example.fr")).toEqual({ ok: true, text: nothing });
		expect(await orders("erase", "nobody@example.fr", "--yes")).toEqual({ ok: true, text: nothing });
		expect(await orders("erase", " nobody @example.fr", "--yes")).toEqual({ ok: true, text: nothing });
		for (const verb of ["export", "erase"])
			expect(await orders(verb, "nobody@")).toEqual({ ok: false, text: "Cette adresse e-mail n’est pas valide." });
	});

	test("are written to a new file, never to an existing one that others may read", async () => {
		await insert({ customer_email: "filed@example.fr" });
		const file = filed("export.json", "somebody else's");
		expect(await orders("export", "filed@example.fr", file)).toMatchObject({
			ok: false,
			text: expect.stringContaining("existe déjà. Donnez un autre nom."),
		});
		expect(readFileSync(file, "utf8")).toBe("somebody else's");
		expect(await orders("export", "filed@example.fr", join(folder, "none", "a.json"))).toMatchObject({
			ok: false,
			text: expect.stringContaining("ENOENT"),
		});
	});
});

test("each step of the purge has its label", async () => {
	await orders("purge");
	const long = new Date("2019-01-01T00:00:00Z");
	const times = async (count: number, add: (index: number) => Promise<unknown>) => {
		for (let index = 0; index < count; index++) await add(index);
	};
	await times(2, (index) =>
		shop.db
			.insertInto("payment_events")
			.values({ id: `evt_${index}`, event_type: "x", handled_at: long })
			.execute(),
	);
	await times(3, () =>
		shop.db
			.insertInto("contact_messages")
			.values({ id: crypto.randomUUID(), name: "", email: "x", message: "?", created_at: long })
			.execute(),
	);
	await times(4, (index) =>
		shop.db
			.insertInto("subscription_interest")
			.values({ email: `i${index}@x.fr`, text_version: "1", created_at: long })
			.execute(),
	);
	await times(5, () => insert({ created_at: minutesAgo(45 * 1440) }));
	await times(6, () => insertServedOrder(shop, minutesAgo(100 * 1440)));
	const { text } = await orders("purge");
	const counted = text
		.split("\n")
		.map((line) => line.split(/ : +/))
		.filter(([, count]) => count !== "0");
	expect(counted).toEqual([
		["Extraits livrés", "6"],
		["Commandes jamais payées", "5"],
		["Demandes d’être prévenu", "4"],
		["Messages", "3"],
		["Événements de paiement et comparaisons", "2"],
	]);
	expect(text.split("\n")).toHaveLength(27);
});

test("the purge runs every night, after the reconciliation", () => {
	const [minute, hour, ...days] = jobKinds.purge.cron.split(" ").map((part) => (part === "*" ? part : Number(part)));
	const compared = jobKinds.reconcile.cron.split(" ").map(Number);
	expect(days).toEqual(["*", "*", "*"]);
	expect(Number(hour)).toBeLessThan(6);
	expect(Number(hour) * 60 + Number(minute)).toBeGreaterThan((compared[1] ?? 0) * 60 + (compared[0] ?? 0));
});

describe("the log of commands", () => {
	const run = { verb: "orders test", subject: null, who: "Camille" };
	const findLastLogEntry = async (verb: string) => (await listDeskLog(shop.db, 100)).find((entry) => entry.verb === verb);

	test("lists the given number of runs, fifty by default", async () => {
		for (const count of ["0", "10001", "1.5", "x"])
			expect(await orders("log", count), count).toMatchObject({ ok: false, text: expect.stringContaining("nombre de lignes") });
		await sql`insert into desk_log (run, at, verb, who, outcome) select gen_random_uuid(), ${now}, 'orders old', 'x', 'failed' from generate_series(1, 60)`.execute(
			shop.db,
		);
		const lines = async (...args: string[]) => (await orders("log", ...args)).text.split("\n").length - 1;
		expect([await lines(), await lines("1"), await lines("55")]).toEqual([50, 1, 55]);
		expect(await orders("log", "10000")).toMatchObject({ ok: true, text: expect.stringContaining("arrêtée par une panne") });
	});

	test("shows the latest row of each run, regardless of the order of rows", async () => {
		for (const [written, order] of [
			[1, sql`place`],
			[2, sql`place desc`],
		] as const)
			await sql`
				insert into desk_log (id, run, at, verb, who, outcome) overriding system value
				select -1000 * ${written}::integer + 100 * place + run, md5(concat_ws(' ', run, ${written}::integer))::uuid, ${now}, 'orders both', 'x', outcome
				from generate_series(1, 30) run, (values (1, 'begun'), (2, 'done')) as row (place, outcome)
				order by ${order}`.execute(shop.db);
		const both = (await listDeskLog(shop.db, 10_000)).filter(({ verb }) => verb === "orders both");
		expect(both.map(({ outcome }) => outcome)).toEqual(Array(60).fill("done"));
	});

	test.each([
		["Camille", "Camille"],
		["  Camille\nMartin\u001b ", "Camille Martin"],
		["x".repeat(101), "x".repeat(100)],
		["", userInfo().username],
		[" \n\u0007", userInfo().username],
		[undefined, userInfo().username],
	])("records the operator's name: %j is %s", (as, who) => expect(getOperatorName(as)).toBe(who));

	test("records how a command ended; a failure to record changes neither the result nor the fault", async () => {
		const lines: Record<string, unknown>[] = [];
		const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line)) });
		const unwritable = "\0"; // PostgreSQL takes no such text
		const ended = await runRecorded({ ...shop, log }, run, async () => ({ ok: true, text: "done\u0007", subject: unwritable }));
		expect(ended).toEqual({ ok: true, text: "done" });
		expect(await findLastLogEntry("orders test")).toMatchObject({ outcome: "begun" });
		expect(lines).toMatchObject([
			{ command: "orders test", outcome: "begun", who: "Camille" },
			{ level: 50, outcome: "done", msg: "the end of a command is not recorded" },
		]);
		const clock = { times: 0 }; // then a date that PostgreSQL does not have
		const broken = { ...shop, now: () => (clock.times++ === 0 ? now : new Date(-8.64e15)) };
		await expect(runRecorded(broken, run, () => Promise.reject(new Error("its own words")))).rejects.toThrow("its own words");
	});

	test.each([
		[["552032534", "--as", "Camille", "--reason", "x"], ["552032534", "--reason", "x"], "Camille"],
		[["--as=Camille", "552032534", "x"], ["552032534", "x"], "Camille"],
		[["552032534", "--as"], ["552032534"], userInfo().username],
		[["--assume", "552032534"], ["--assume", "552032534"], userInfo().username],
	])("removes --as from the arguments of other concepts' commands: %j", async (args, rest, who) => {
		let given: string[] = [];
		const command = recordedCommand("companies:test", async (connection, words) => {
			given = words;
			expect(connection).toBe(database.connection);
			return { ok: false, text: "non\u001b", subject: "552032534" };
		});
		expect(await command(database.connection, args, environment)).toEqual({ ok: false, text: "non" });
		expect(given).toEqual(rest);
		expect(await findLastLogEntry("companies:test")).toMatchObject({ outcome: "refused", who, subject: "552032534" });
	});
});

test("a command that throws shows the reason and says that it may be run again", async () => {
	const id = await insert({ status: "processing", paid_at: now });
	const old = filed("old.pdf", generatePdf({ lines: extractLines({ dated: "à jour au 3 novembre 2020" }) }));
	const args = ["upload", await getOrderNumber(id), old, "--confirm-date"];
	const answer = await terminalCommands.orders?.run(database.connection, args, { ...environment, dataDir: old });
	expect(answer).toMatchObject({
		ok: false,
		text: expect.stringMatching(/^La commande s’est arrêtée : [\s\S]*ENOTDIR[\s\S]*\nElle peut être relancée sans rien faire deux fois\.$/),
	});
	expect(existsSync(join(folder, "documents", "x"))).toBe(false);
	expect((await listDeskLog(shop.db, 1))[0]).toMatchObject({ verb: "orders upload", outcome: "failed" });
});

describe("moving a series of invoice numbers", () => {
	const known = (number: string) => shop.storage.putObject(`invoices/${number}`, new TextEncoder().encode("{}"));

	test("shows the series, requires a reason, and reports the change", async () => {
		expect((await orders("move-invoices")).text).not.toContain("A2025");
		await known("A2025-000002");
		expect(await orders("move-invoices", "A2025-2")).toEqual({ ok: false, text: expect.stringContaining("Donnez le motif") });
		expect(await orders("move-invoices", "A2025-1", "--reason", "base restaurée")).toEqual({
			ok: false,
			text: "Le stockage connaît A2025-000002 : faites passer la série au moins jusque-là.",
		});
		expect(await orders("move-invoices", "A2025-3", "--reason", " base restaurée ")).toEqual({
			ok: true,
			text: "Le dernier numéro est maintenant A2025-000003. Le prochain sera A2025-000004. Numéros sans facture, notés avec ce motif : A2025-000001, A2025-000002, A2025-000003.",
		});
		expect(await shop.db.selectFrom("invoice_gaps").select("reason").distinct().execute()).toEqual([{ reason: "base restaurée" }]);
		expect(await orders("move-invoices", "A2025-3", "--reason", "de nouveau")).toEqual({
			ok: true,
			text: "Le dernier numéro est maintenant A2025-000003. Le prochain sera A2025-000004.",
		});
		expect((await orders("move-invoices")).text).toContain(
			"Série A2025 : dernier numéro ici A2025-000003, dans le stockage aucun après lui.",
		);
		await known("A2025-000009");
		expect((await orders("move-invoices")).text).toContain(
			"Série A2025 : dernier numéro ici A2025-000003, dans le stockage A2025-000009.\n  Tant que la série n’avance pas, rien n’est facturé : move-invoices A2025-000009",
		);
		expect((await orders("log")).text).toMatch(/orders move-invoices +A2025-000003 +faite/);
	});

	test.each([
		["KB-2222-2222", "Ce numéro ne se lit pas."],
		["A2025-2", "La série est déjà à A2025-000003 : elle ne recule pas."],
		["A2025-1010", "C’est plus de 1 000 numéros après A2025-000009"],
		["F2027-1", "Cette année n’a pas commencé."],
	])("refuses %s", async (number, sentence) => {
		expect(await orders("move-invoices", number, "--reason", "x")).toEqual({ ok: false, text: expect.stringContaining(sentence) });
	});
});
