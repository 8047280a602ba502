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
import { insertOrder, insertPayment, type OrderValues } from "../../test/orders.ts";
import { createShop } from "../create-shop.server.ts";
import { listDeskLog } from "../desk/log/desk-log.store.server.ts";
import { eraseOrders } from "../desk/retention/erase-orders.server.ts";
import { claimOrder } from "../fulfilment/claims/claim-order.server.ts";
import { jobKinds } from "../job-kinds.ts";
import { findOrder } from "../orders/orders.store.server.ts";
import { stripeProvider } from "../payments/stripe/stripe-provider.server.ts";
import type { Shop } from "../shop.ts";
import { recordedCommand } from "./recorded-command.server.ts";
import { runCommand } from "./run-command.server.ts";
import { getOperatorName, runRecordedCommand } from "./run-recorded-command.server.ts";
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
const filed = (name: string, content: string | Uint8Array) => {
	const file = join(folder, name);
	writeFileSync(file, content);
	return file;
};

describe("a command with wrong arguments does not run and shows its usage", () => {
	test.each<[string, string[][]]>([
		["list", [["x"], ["--late"]]],
		["upload", [["KB-2222-2222"], ["KB-2222-2222", "a.pdf", "b.pdf"]]],
		["post", [[], ["KB-2222-2222"], ["KB-2222-2222", ..."1234567890"]]],
		["receive", [["-", "x"]]],
		["reconcile", [["1", "2"]]],
		["recreate", [["KB-2222-2222", "KB-2222-2223"], ["--all=yes"]]],
		["move-invoices", [["F2026-000001", "F2026-000002"], ["--reason"]]],
		["export", [[], ["a@b.fr", "a.json", "x"]]],
		["erase", [[], ["a@b.fr", "c@d.fr"], ["a@b.fr", "--force"]]],
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
			...["list", "upload", "post", "receive", "reconcile", "recreate", "move-invoices", "export", "erase"],
		]);
		expect(text).not.toMatch(/ $/m);
	});

	test("an order is found by its number and by its UUID, in any spelling", async () => {
		const id = await insert({ order_number: "KB-7F3K-92QD" });
		for (const typed of ["KB-7F3K-92QD", " kb-7f3k-92qd ", id, ` ${id.toUpperCase()} `])
			expect(await orders("post", typed, "1A23456789012"), typed).toEqual({
				ok: false,
				text: expect.stringContaining("Cette commande a été annulée"),
			});
		for (const typed of [crypto.randomUUID(), "KB", "7F3K", `${id}0`])
			expect(await orders("post", typed, "1A23456789012"), typed).toEqual({ ok: false, text: `La commande ${typed} n’existe pas.` });
	});
});

describe("list", () => {
	beforeAll(async () => {
		await deleteRows(shop.db, "orders");
		const late = { status: "processing", product_code: "express", paid_at: minutesAgo(200), promised_at: minutesAgo(45) } as const;
		const id = await insert({ ...late, order_number: "KB-LATE", late_at: now, company_name: "DANONE\n 1 h 00  KB-MADE" });
		await claimOrder(shop, { id: "ada", name: "Ada" }, id);
		await insert({ order_number: "KB-SOON", status: "paid", paid_at: now, promised_at: new Date("2026-11-20T11:20:00Z") });
		const letter = await insert({ order_number: "KB-POST", status: "processing", paid_at: now, promised_at: now });
		await shop.db.insertInto("extract_requests").values({ order_id: letter, requested_at: now, uploaded_at: now }).execute();
		await insert({ ...late, order_number: "KB-STOP", disputed_at: now });
		await insert({ order_number: "KB-DONE", status: "completed", paid_at: now, promised_at: now, late_at: now });
		await insert({ order_number: "KB-OVER" });
	});

	test("shows the orders that wait for their extract, then those to post, each with who has it at the desk", async () => {
		const { text } = await orders("list");
		expect(text.split("\n")).toEqual([
			expect.stringMatching(/^Reste +Commande +Service +Société +Attend +Promise pour +Prise par$/),
			expect.stringMatching(
				/^retard 45 min +KB-LATE +KBIS Express +DANONE ⏎ 1 h 00 {2}KB-MADE \(552032534\) +extrait +20\/11\/2026 10:15 +Ada$/,
			),
			expect.stringMatching(/^1 h 20 +KB-SOON +KBIS Postal +DANONE \(552032534\) +extrait +20\/11\/2026 12:20$/),
			expect.stringMatching(/^0 min +KB-POST +KBIS Postal +DANONE \(552032534\) +numéro de suivi +20\/11\/2026 11:00$/),
		]);
	});

	test("says when it does not show all orders", async () => {
		await sql`
			insert into orders (id, purchase_id, order_number, status, product_code, price_cents, siren, company_name, customer_email, first_name, last_name, request_hash, created_at)
			select id, id, 'many-' || n, 'paid', 'express', 5900, '552032534', 'DANONE', 'm@example.fr', 'A', 'L', '', ${now} from (select gen_random_uuid() as id, n from generate_series(1, 197) n) made`.execute(
			shop.db,
		);
		const before = (await orders("list")).text;
		expect([before.split("\n").length, before.includes("Au plus")]).toEqual([201, false]);
		await insert({ status: "paid", paid_at: now });
		const { text } = await orders("list");
		expect([text.split("\n").length, text.endsWith("\nAu plus 200 commandes de chaque sorte sont listées.")]).toEqual([203, true]);
		await sql`delete from orders where order_number like 'many-%'`.execute(shop.db);
	});
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

	test("accepts an extract whose company is in doubt, when the operator says why", async () => {
		const { id, number } = await paid();
		const lines = ["Président 732 829 320 R.C.S. Lyon", ...extractLines({ dated: "à jour au 20 novembre 2026" })];
		const doubtful = filed("doubtful.pdf", generatePdf({ lines }));
		expect(await orders("upload", number, doubtful)).toMatchObject({
			ok: false,
			text: expect.stringContaining('Pour en répondre : --confirm-company "raison".'),
		});
		expect(await orders("upload", number, doubtful, "--confirm-company", " ")).toMatchObject({ ok: false });
		expect(await orders("upload", number, doubtful, "--confirm-company", "vu sur la page", "--as", "Ada")).toMatchObject({
			ok: true,
			text: expect.stringContaining("vous avez confirmé que c’est l’extrait de cette entreprise"),
		});
		const notes = await shop.db.selectFrom("order_notes").select(["operator", "text"]).where("order_id", "=", id).execute();
		expect(notes).toEqual([{ operator: "Ada", text: "Doute sur l’entreprise de l’extrait, confirmé\u00a0: vu sur la page" }]);
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

test("a finished order takes no extract, and no file is stored for it", async () => {
	const id = await insert({ status: "completed", paid_at: now, completed_at: now });
	expect(await orders("upload", await getOrderNumber(id), filed("any.pdf", generatePdf()))).toEqual({
		ok: false,
		text: "Cette commande est déjà livrée.",
	});
	expect(await shop.db.selectFrom("extract_requests").selectAll().where("order_id", "=", id).execute()).toEqual([]);
});

describe("the payment provider", () => {
	test("is named when it does not reply", async () => {
		const nobody = { secretKey: "sk_test_x", webhookSecret: "whsec_x", apiBase: "http://127.0.0.1:9", live: false };
		const alone = { ...shop, provider: stripeProvider(nobody, () => now) };
		expect(await ordersAt(alone, null, "reconcile")).toEqual({
			ok: false,
			text: "Le prestataire de paiement ne répond pas. Réessayez plus tard.",
		});
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

describe("the log of commands", () => {
	const run = { verb: "orders test", subject: null, who: "Camille" };
	const findLastLogEntry = async (verb: string) => (await listDeskLog(shop.db, 100)).find((entry) => entry.verb === verb);

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
		const ended = await runRecordedCommand({ ...shop, log }, run, async () => ({ ok: true, text: "done\u0007", subject: unwritable }));
		expect(ended).toEqual({ ok: true, text: "done" });
		expect(await findLastLogEntry("orders test")).toMatchObject({ outcome: "begun" });
		expect(lines).toMatchObject([
			{ command: "orders test", outcome: "begun", who: "Camille" },
			{ level: 50, outcome: "done", msg: "the end of a command is not recorded" },
		]);
		const clock = { times: 0 }; // then a date that PostgreSQL does not have
		const broken = { ...shop, now: () => (clock.times++ === 0 ? now : new Date(-8.64e15)) };
		await expect(runRecordedCommand(broken, run, () => Promise.reject(new Error("its own words")))).rejects.toThrow("its own words");
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
		const moves = (await listDeskLog(shop.db, 100)).filter(({ verb, subject }) => verb === "orders move-invoices" && subject !== null);
		expect(moves[0]).toMatchObject({ subject: "A2025-000003", outcome: "done" });
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
