import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toJson } from "../../../server/database/column-types.ts";
import { type Database, openDatabase, type Trx } from "../../../server/database/database.ts";
import { type Environment, parseEnvironment } from "../../../server/environment/environment.ts";
import { createLog } from "../../../server/observability/log.ts";
import { anyJson } from "../../../test/any-json.ts";
import { startFakeS3 } from "../../../test/fakes/s3.ts";
import { startFakeSmtp } from "../../../test/fakes/smtp.ts";
import { startFakeStripe } from "../../../test/fakes/stripe/stripe.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { recordReading } from "../../../test/publish-notice.ts";
import { listStaleFacts } from "../../catalogue/legal-facts.ts";
import { listStaleRecipientFacts } from "../../content/recipients/recipient-facts.ts";
import { createMailer, createPaymentPartner } from "../../create-shop.server.ts";
import { copyChangedOrders } from "../../orders/copies/copy-changed-orders.server.ts";
import { s3Storage } from "../../orders/documents/s3-storage.server.ts";
import type { Order } from "../../orders/order.ts";
import type { Check, DoctorContext } from "./check.ts";
import { everyFile } from "./check-files.server.ts";
import { checks, doctor, examine, formatTable } from "./command.server.ts";

const now = new Date();
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
let shop: OrderFixture;
let sound: DoctorContext;
let orders: Order[];
let backups: string;
let [smtp, stripe, s3] = [] as unknown as [
	Awaited<ReturnType<typeof startFakeSmtp>>,
	Awaited<ReturnType<typeof startFakeStripe>>,
	Awaited<ReturnType<typeof startFakeS3>>,
];

beforeAll(async () => {
	[shop, smtp, stripe, s3] = await Promise.all([
		createOrderFixture({ startsAt: now.toISOString() }),
		startFakeSmtp(),
		startFakeStripe(),
		startFakeS3(),
	]);
	backups = mkdtempSync(join(tmpdir(), "backups-"));
	writeFileSync(join(backups, "shop.dump"), "a dump");
	orders = [await insertServedOrder(1), await insertServedOrder(2)];
	await shop.db
		.insertInto("invoice_series")
		.values([
			{ kind: "invoice", year: now.getUTCFullYear(), last_number: 2, last_issued_at: now },
			{ kind: "credit_note", year: now.getUTCFullYear(), last_number: 2, last_issued_at: now },
		])
		.execute();
	await shop.db
		.insertInto("job_processes")
		.values({ id: crypto.randomUUID(), seen_at: new Date(Date.now() + 50_000) })
		.execute();
	await shop.db.insertInto("payment_events").values({ id: "evt_1", event_type: "checkout.session.completed", handled_at: now }).execute();
	await copyChangedOrders(shop);
	// new files are ignored by the doctor
	for (const file of readdirSync(shop.folder, { recursive: true, encoding: "utf8" }))
		utimesSync(join(shop.folder, file), minutesAgo(120), minutesAgo(120));
	const environment = createEnvironment({});
	sound = { ...partners(environment), db: shop.db, environment, storage: shop.storage, now: () => new Date(), sample: undefined };
});
afterAll(async () => {
	await Promise.all([shop?.close(), smtp?.close(), stripe?.close(), s3?.close()]);
	rmSync(backups, { recursive: true });
});

function createEnvironment(variables: Record<string, string>): Environment {
	const partners = {
		SMTP_URL: smtp.url,
		STRIPE_API_BASE: stripe.url,
		STRIPE_SECRET_KEY: stripe.secretKey,
		STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
	};
	const parsed = parseEnvironment({ DATA_DIR: shop.folder, BACKUP_DIR: backups, ...partners, ...variables });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	return parsed.environment;
}

const partners = (environment: Environment) => ({
	mailer: createMailer(environment),
	provider: createPaymentPartner(environment, () => new Date()),
	startProgress: () => () => {},
});

/** Inserts an order that is paid, delivered, invoiced, and partly refunded with a credit note. */
async function insertServedOrder(number: number): Promise<Order> {
	const { order, payment } = await shop.insertPaidOrder({
		status: "completed",
		paid_at: minutesAgo(300),
		completed_at: minutesAgo(200),
		promised_at: minutesAgo(180),
	});
	await shop.insertDocument(order, "kbis");
	const { id: refund_id } = await shop.insertRefund(payment, {
		amount_cents: 1000,
		requested_at: minutesAgo(190),
		settled_at: minutesAgo(189),
	});
	const bill = async (kind: "invoice" | "credit_note", total_cents: number, of: { refund_id: string; corrects: string } | null) => {
		const id = crypto.randomUUID();
		const numbers = {
			year: now.getUTCFullYear(),
			number_in_year: number,
			number: `${kind}-${number}`,
			issued_at: minutesAgo(200 - number),
		};
		const document_id = (await shop.insertDocument(order, kind)).id;
		await shop.db
			.insertInto("invoices")
			.values({ id, kind, ...numbers, order_id: order.id, total_cents, data: anyJson({}), document_id, ...of })
			.execute();
		return id;
	};
	const corrects = await bill("invoice", order.price_cents, null);
	await bill("credit_note", 1000, { refund_id, corrects });
	await shop.db
		.insertInto("mails")
		.values({ id: crypto.randomUUID(), order_id: order.id, kind: "confirmation", created_at: minutesAgo(300), sent_at: minutesAgo(299) })
		.execute();
	return order;
}

/** Cancels the invoice of the first order by a credit note without a refund, and adds the one in its place, both without PDF. */
async function replaceFirstInvoice(trx: Trx): Promise<void> {
	const copy = (kind: string, place: number, columns: string) =>
		sql`insert into invoices (id, kind, year, number_in_year, number, order_id, corrects, replaces, issued_at, total_cents, data)
			select gen_random_uuid(), ${kind}, year, ${place}, ${`${kind}-${place}`}, order_id, ${sql.raw(columns)}, now(), total_cents, data
			from invoices where order_id = ${first().id} and kind = 'invoice' and replaces is null`.execute(trx);
	await copy("invoice", 3, "null, id");
	await copy("credit_note", 3, "id, null");
	await sql`update invoice_series set last_number = 3`.execute(trx);
}

/** Closes a month of this year with one file. */
const closeMonthWith = (file: { object: string; sha256: string }) => (trx: Trx) =>
	trx
		.insertInto("account_closings")
		.values({ month: "2026-01-01", closed_at: now, closed_by: "Ada", files: anyJson([{ name: "journal.csv", ...file }]) })
		.execute();

const findChecks = (name: string) => checks.filter((check) => check.name === name);
const first = () => orders[0] as Order;

/** Runs a check after a change to the database, which is rolled back. @returns the problems. */
async function findAfter(name: string, spoil: (trx: Trx) => Promise<unknown>, change: Partial<DoctorContext> = {}): Promise<string[]> {
	const rollback = new Error("rollback");
	let problems: string[] = [];
	await shop.db
		.transaction()
		.execute(async (trx) => {
			await spoil(trx);
			const [row] = await examine({ ...sound, db: trx as unknown as Database, ...change }, findChecks(name));
			problems = row?.problems ?? [];
			throw rollback;
		})
		.catch((error) => {
			if (error !== rollback) throw error;
		});
	return problems.map((problem) => problem.replaceAll(/[\u00a0\u202f]/g, " "));
}

const update = (table: "orders" | "refunds" | "invoices" | "payments" | "documents", set: object, where: string) => async (trx: Trx) => {
	// bypasses the trigger that protects issued invoices
	await sql`set local session_replication_role = replica`.execute(trx);
	await trx
		.updateTable(table)
		.set(set)
		.where(sql<boolean>`${sql.raw(where)}`)
		.execute();
};
/** Shadows objects of the server's catalog by others in an earlier schema. */
const shadow =
	(...statements: string[]) =>
	async (trx: Trx) => {
		await sql.raw(["create schema wrong", ...statements, "set local search_path = wrong, public, pg_catalog"].join(";")).execute(trx);
	};
const shadowSettings = (settings: Record<string, string>) =>
	`create function wrong.current_setting(text) returns text language sql as $$
		select coalesce('${JSON.stringify(settings)}'::json ->> $1, pg_catalog.current_setting($1)) $$`;
/** Records that every notice of the bulletin was read up to some days ago. */
const readUpTo = (trx: Trx, daysAgo: number) =>
	recordReading(trx as unknown as Database, now, {
		from: "2008-01-01",
		to: new Date(now.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10),
	});
const switchReadingOn = (trx: Trx) =>
	trx
		.insertInto("shop_settings")
		.values({ name: "bulletinReading", value: toJson(true) })
		.execute();
const insertWaiting = (row: object) => (trx: Trx) =>
	sql`insert into jobs.job ${sql.raw(
		`(${Object.keys(row).join(", ")}) values (${Object.values(row)
			.map((value) => `'${value}'`)
			.join(", ")})`,
	)}`.execute(trx);
const insertProbe = (minutes: number) => (trx: Trx) =>
	trx
		.insertInto("probes")
		.values({ part: "mail", at: new Date(Date.now() - minutes * 60_000), ok: true, ms: 1, changed: false })
		.execute();
const insertSirene = (days: number) => (trx: Trx) =>
	sql`insert into company_sources values ('sirene', null, now() - make_interval(hours => ${Math.round(days * 24)}), 1)
		on conflict (name) do update set imported_at = excluded.imported_at`.execute(trx);
const event =
	(type: string, at: Date, payload = '{"post": true}') =>
	(trx: Trx) =>
		trx.insertInto("order_events").values({ order_id: first().id, event_type: type, payload, created_at: at }).execute();
/** Inserts a replacement to post, with another change to the order. */
const replacedAnd = (spoil: (trx: Trx) => Promise<unknown>) => async (trx: Trx) => {
	await event("extract_replaced", minutesAgo(1500))(trx);
	await spoil(trx);
};
const mail = (kind: string, at: Date) => (trx: Trx) =>
	trx.insertInto("mails").values({ id: crypto.randomUUID(), order_id: first().id, kind, created_at: at }).execute();

test("a sound shop has no problem, and every check runs once", async () => {
	const examinations = await examine(sound);
	expect(examinations.filter(({ problems }) => problems.length > 0)).toEqual([]);
	expect(examinations.map(({ name }) => name)).toEqual(checks.map(({ name }) => name));
	expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
	const seen = Object.fromEntries(examinations.map((row) => [row.name, row.seen.replaceAll("\u00a0", " ")]));
	expect(seen).toMatchObject({
		files: "6 files read",
		"unnamed-files": "6 files",
		"invoice-numbers": "2 invoices, 2 credit notes",
		mail: "answers",
		payment: "answers",
		"provider-clock": expect.stringMatching(/^\d seconds? (ahead|behind)$/),
	});
	for (const { what, how, todo } of checks) for (const text of [what, how, todo]) expect(text).toMatch(/^[\x20-\x7e«»…]+$/);
});

const firstNumber = () => first().order_number;

describe("each check finds its problem", () => {
	const rows: [
		name: string,
		what: string,
		spoil: (trx: Trx) => Promise<unknown>,
		problem: () => string | RegExp,
		change?: () => Partial<DoctorContext>,
	][] = [
		[
			"schema",
			"the last migration is missing",
			(trx) => sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(trx),
			() => /^The database is older than this program, which has the migration \d{4}_/,
		],
		[
			"schema",
			"a migration of another branch",
			(trx) => sql`insert into kysely_migration values ('0002_of_another_branch', now()::text)`.execute(trx),
			() => /^The database has the migration 0002_of_another_branch, which this program lacks\./,
		],
		["schema", "an empty database", (trx) => sql`alter table kysely_migration rename to gone`.execute(trx), () => "The database is empty."],
		[
			"clock",
			"this machine's clock is late",
			async () => {},
			() => /^The clocks are 30\d\.\d s apart\.$/,
			() => ({ now: () => new Date(Date.now() - 300_000) }),
		],
		[
			"clock",
			"this machine's clock is early",
			async () => {},
			() => /^The clocks are \d\.\d s apart/,
			() => ({ now: () => new Date(Date.now() + 5000) }),
		],
		["version", "an old server", shadow(shadowSettings({ server_version: "14.9" })), () => "PostgreSQL 14.9 is too old."],
		[
			"encoding",
			"other collation rules than the indexes'",
			(trx) =>
				shadow(
					"create table wrong.pg_database as select oid, datname, encoding, datcollate, '1'::text as datcollversion, datfrozenxid from pg_catalog.pg_database",
				)(trx),
			() => /^The collation .* changed/,
		],
		[
			"encoding",
			"another encoding",
			(trx) =>
				shadow(
					"create table wrong.pg_database as select oid, datname, 0 as encoding, datcollate, datcollversion from pg_catalog.pg_database",
				)(trx),
			() => "The encoding is SQL_ASCII.",
		],
		["connections", "few are left", shadow(shadowSettings({ max_connections: "10" })), () => /of 7 are in use\.$/],
		[
			"wraparound",
			"VACUUM is behind",
			shadow("create function wrong.age(xid) returns integer language sql as $$ select 1500000000 $$"),
			() => "The oldest is 1,500,000,000 transactions old.",
		],
		[
			"trusted-proxies",
			"none in production",
			async () => {},
			() => "TRUSTED_PROXIES is 0.",
			() => ({ environment: { ...sound.environment, production: true } }),
		],
		[
			"database-setting",
			"the demo's in production",
			async () => {},
			() => "DATABASE_URL is not set.",
			() => ({ environment: { ...sound.environment, production: true } }),
		],
		[
			"secrets",
			"an unfinished rotation",
			async () => {},
			() => /^APP_SECRET has 3 secrets/,
			() => ({ environment: { ...sound.environment, secrets: ["a", "b", "c"] } }),
		],
		[
			"mailbox-keys",
			"a secret that is gone",
			async (db) => {
				await sql`insert into mailbox_keys values (gen_random_uuid(), '\\x01', now())`.execute(db);
			},
			() => "No secret decrypts 1 key.",
		],
		[
			"backup",
			"an old file",
			async () => {},
			() => "Last backup: file 27 h ago.",
			() => ({ now: () => new Date(Date.now() + 27 * 3_600_000) }),
		],
		[
			"backup",
			"an empty folder",
			async () => {},
			() => /contains no finished backup/,
			() => ({ environment: { ...sound.environment, backupDir: emptyFolder() } }),
		],
		[
			"backup",
			"an empty file and an unfinished one",
			async () => {},
			() => /contains no finished backup/,
			() => {
				const backupDir = join(emptyFolder(), "interrupted");
				mkdirSync(backupDir);
				writeFileSync(join(backupDir, "shop.dump"), "");
				writeFileSync(join(backupDir, "shop.dump.part"), "half");
				return { environment: { ...sound.environment, backupDir } };
			},
		],
		[
			"backup",
			"archiving works, but there are no new dumps",
			shadow(
				shadowSettings({ archive_mode: "on" }),
				"create table wrong.pg_stat_archiver as select now() + interval '27 hours' as last_archived_time, null::timestamptz as last_failed_time",
			),
			() => "Last backup: file 27 h ago.",
			() => ({ now: () => new Date(Date.now() + 27 * 3_600_000) }),
		],
		[
			"backup",
			"none known in production",
			async () => {},
			() => /^No backup is known/,
			() => ({ environment: { ...sound.environment, production: true, backupDir: undefined } }),
		],
		...(
			[
				["fails", "now() - interval '1 hour'", "now()", "PostgreSQL's archiving fails"],
				["has archived nothing", "null::timestamptz", "null::timestamptz", "has archived nothing yet"],
				["is old", "now() - interval '30 hours'", "null::timestamptz", "archiving 30 h ago"],
			] as const
		).map(([what, archived, failed, problem]): (typeof rows)[number] => [
			...(["backup", `archiving ${what}`] as const),
			shadow(
				shadowSettings({ archive_mode: "on" }),
				`create table wrong.pg_stat_archiver as select ${archived} as last_archived_time, ${failed} as last_failed_time`,
			),
			() => new RegExp(problem),
		]),
		[
			"certificate",
			"expired",
			async () => {},
			() => "The certificate has expired.",
			() => ({ ...atSecure(), now: () => new Date("2200-01-01") }),
		],
		[
			"certificate",
			"untrusted",
			async () => {},
			() => /^The certificate is not trusted \(\w+\)\.$/,
			() => ({ ...atSecure(), now: () => new Date("2000-01-01") }),
		],
		[
			"certificate",
			"nobody is there",
			async () => {},
			() => /could not be examined/,
			() => ({ environment: { ...sound.environment, baseUrl: "https://localhost:9" } }),
		],
		[
			"storage",
			"the bucket is unavailable",
			async () => {},
			() => /could not be examined/,
			() => ({ storage: s3Storage({ ...s3, secretAccessKey: "wrong" }) }),
		],
		[
			"mail",
			"nobody is there",
			async () => {},
			() => "The e-mail server does not answer, or refuses.",
			() => partners(createEnvironment({ SMTP_URL: "smtp://127.0.0.1:9" })),
		],
		[
			"payment",
			"the key is wrong",
			async () => {},
			() => "The provider does not answer, or refuses.",
			() => partners(createEnvironment({ STRIPE_SECRET_KEY: "sk_test_wrong" })),
		],
		[
			"provider-clock",
			"this machine is ahead",
			async () => {},
			() => /^This machine is (399|40\d) seconds ahead\.$/,
			() => ({ provider: createPaymentPartner(sound.environment, () => new Date(Date.now() + 400_000)) }),
		],
		[
			"provider-clock",
			"this machine is behind",
			async () => {},
			() => /^This machine is 3[0-4] seconds behind\.$/,
			() => ({ provider: createPaymentPartner(sound.environment, () => new Date(Date.now() - 32_000)) }),
		],
		[
			"failed-jobs",
			"some failed",
			async (trx) => {
				const failed = { name: "invoice-order", state: "failed" };
				await insertWaiting({ ...failed, completed_on: "2026-11-30T10:02:03Z", output: '{"fault": "TypeError"}' })(trx);
				await insertWaiting({ ...failed, completed_on: "2026-11-30T09:00:00Z", output: '{"fault": "RangeError"}' })(trx);
			},
			() => "invoice-order: 2 failed jobs, the last on 2026-11-30 11:02 (TypeError).",
		],
		[
			"failed-jobs",
			"one ran out of time",
			insertWaiting({ name: "pass-on-message", state: "failed", completed_on: "2026-11-30T10:02:03Z" }),
			() => "pass-on-message: 1 failed job, the last on 2026-11-30 11:02 (it ran out of time).",
		],
		[
			"failed-jobs",
			"more than thirty of a frequent kind",
			async (trx) => {
				const failed = { name: "wake-orders", state: "failed", completed_on: "2026-11-30T10:02:03Z" };
				for (let count = 0; count < 31; count++) await insertWaiting(failed)(trx);
			},
			() => "wake-orders: 31 failed jobs, the last on 2026-11-30 11:02 (it ran out of time).",
		],
		["probes", "the last are old", (trx) => insertProbe(16)(trx), () => "The last probes are 16 minutes old."],
		[
			"companies-age",
			"the last update is old",
			insertSirene(3.1),
			() => "The companies are 3 days old.",
			() => ({ environment: { ...sound.environment, production: true } }),
		],
		[
			"queue",
			"one waits",
			insertWaiting({ name: "invoice-order", state: "created", start_after: minutesAgo(25).toISOString() }),
			() => "1 due job; the oldest has waited for 25 minutes.",
		],
		[
			"job-processes",
			"none runs",
			(trx) => sql`update job_processes set seen_at = now() - interval '1 minute'`.execute(trx),
			() => "No process does the jobs.",
		],
		[
			"schedule",
			"it stands still",
			(trx) => sql`update jobs.version set cron_on = now() - interval '121 seconds'`.execute(trx),
			() => "The schedules were looked at 121 seconds ago.",
		],
		[
			"events",
			"none comes",
			async (trx) => {
				await sql`delete from payment_events`.execute(trx);
				await sql`update payments set created_at = ${minutesAgo(20)}`.execute(trx);
			},
			() => "2 payments found by asking.",
		],
		[
			"invoices",
			"none",
			(trx) => update("invoices", { order_id: crypto.randomUUID() }, `order_id = '${first().id}'`)(trx),
			() => `${firstNumber()}: waiting since`,
		],
		[
			"invoices",
			"no PDF",
			(trx) => update("invoices", { document_id: null }, `order_id = '${first().id}' and kind = 'invoice'`)(trx),
			() => `${firstNumber()}: waiting since`,
		],
		[
			"copies",
			"one waits",
			(trx) => sql`insert into order_copy_requests (order_id, requested_at) values (${first().id}, ${minutesAgo(11)})`.execute(trx),
			() => `${firstNumber()}: waiting since`,
		],
		[
			"copies",
			"one was never made",
			async (trx) => {
				await update("payments", { created_at: minutesAgo(11) }, `order_id = '${first().id}'`)(trx);
				await sql`update order_copies set key_id = null where order_id = ${first().id}`.execute(trx);
			},
			() => `${firstNumber()}: waiting since`,
		],
		[
			"copies",
			"nothing asks for one",
			async (trx) => {
				await update("payments", { created_at: minutesAgo(11) }, `order_id = '${first().id}'`)(trx);
				await sql`delete from order_copies where order_id = ${first().id}`.execute(trx);
			},
			() => `${firstNumber()}: waiting since`,
		],
		[
			"promises",
			"one was missed",
			(trx) => update("orders", { status: "processing" }, `id = '${first().id}'`)(trx),
			() => `${firstNumber()}: promised for`,
		],
		["letters", "one was not posted again", event("extract_replaced", minutesAgo(1500)), () => `${firstNumber()}: replaced on`],
		[
			"letters",
			"one of an order refunded for lateness, which is still owed",
			(trx) => replacedAnd(update("refunds", { amount_cents: first().price_cents, reason: "late" }, `order_id = '${first().id}'`))(trx),
			() => `${firstNumber()}: replaced on`,
		],
		["mails", "one is unsent", mail("confirmation-again", minutesAgo(11)), () => `${firstNumber()}, confirmation-again: written on`],
		["mails", "a reminder is unsent", mail("resume", minutesAgo(21)), () => `${firstNumber()}, resume: written on`],
		[
			"mails",
			"a contact message is unsent",
			(trx) =>
				trx
					.insertInto("contact_messages")
					.values({ id: crypto.randomUUID(), name: "A", email: "a@b.fr", message: "?", created_at: minutesAgo(11) })
					.execute(),
			() => "a message of the contact form: written on",
		],
		[
			"refunds",
			"one is stalled",
			(trx) => update("refunds", { status: "requested", requested_at: minutesAgo(61) }, `order_id = '${first().id}'`)(trx),
			() => `${firstNumber()}: requested on`,
		],
		[
			"failed-refunds",
			"one was returned",
			(trx) => update("refunds", { status: "failed" }, `order_id = '${first().id}'`)(trx),
			() => `${firstNumber()}: recorded on`,
		],
		[
			"terms",
			"those of an order are gone",
			(trx) => update("orders", { terms_sha256: "0".repeat(64) }, `id = '${first().id}'`)(trx),
			() => `The terms of ${firstNumber()} are missing.`,
		],
		[
			"invoice-numbers",
			"a gap",
			(trx) =>
				update(
					"invoices",
					{ number_in_year: 5 },
					"number = 'invoice-2'",
				)(trx).then(() => sql`update invoice_series set last_number = 5 where kind = 'invoice'`.execute(trx)),
			() => /^Invoices \d+: numbers 2 to 4 are missing\.$/,
		],
		[
			"invoice-numbers",
			"the last one is missing",
			(trx) => sql`update invoice_series set last_number = 3 where kind = 'credit_note'`.execute(trx),
			() => /^Credit notes \d+: number 3 is missing\.$/,
		],
		[
			"invoice-numbers",
			"one that would be issued again",
			(trx) => sql`update invoice_series set last_number = 1 where kind = 'invoice'`.execute(trx),
			() => /^Invoices \d+: number 2 would be issued again\.$/,
		],
		[
			"invoice-dates",
			"one is earlier than the previous one",
			(trx) => update("invoices", { issued_at: minutesAgo(600) }, "number = 'invoice-2'")(trx),
			() => "invoice-2 has an earlier date",
		],
		[
			"invoice-amounts",
			"another price",
			(trx) => update("orders", { price_cents: 4900 }, `id = '${first().id}'`)(trx),
			() => `invoice-1 (${firstNumber()}): invoice 59,00 €, price 49,00 €, paid 59,00 €.`,
		],
		[
			"invoice-amounts",
			"no payment",
			(trx) => update("payments", { role: "surplus" }, `order_id = '${first().id}'`)(trx),
			() => "no payment.",
		],
		[
			"credit-notes",
			"less than the refunds",
			(trx) => update("refunds", { amount_cents: 1100 }, `order_id = '${first().id}'`)(trx),
			() => `${firstNumber()}: credit notes 10,00 €, refunds 11,00 €, invoice 59,00 €.`,
		],
		[
			"credit-notes",
			"more than the invoice",
			async (trx) => {
				await update("invoices", { total_cents: 9000 }, "number = 'credit_note-1'")(trx);
				await update("refunds", { amount_cents: 9000 }, `order_id = '${first().id}'`)(trx);
			},
			() => "credit notes 90,00 €, refunds 90,00 €, invoice 59,00 €.",
		],
		[
			"credit-notes",
			"more than the invoice that replaced another",
			async (trx) => {
				await replaceFirstInvoice(trx);
				await update("invoices", { total_cents: 9000 }, "number = 'credit_note-1'")(trx);
				await update("refunds", { amount_cents: 9000 }, `order_id = '${first().id}'`)(trx);
			},
			() => "credit notes 90,00 €, refunds 90,00 €, invoice 59,00 €.",
		],
		[
			"closed-months",
			"a file is missing",
			closeMonthWith({ object: "accounts/2026-01-none", sha256: "0" }),
			() => "journal.csv of 2026-01 is missing (accounts/2026-01-none).",
		],
		[
			"closed-months",
			"a file is altered",
			async (trx) => {
				await shop.storage.putObject("accounts/2026-01-other", new TextEncoder().encode("other"));
				await closeMonthWith({ object: "accounts/2026-01-other", sha256: "0" })(trx);
			},
			() => "journal.csv of 2026-01 is altered (accounts/2026-01-other).",
		],
		[
			"balance-read",
			"it was never read",
			(trx) => update("payments", { created_at: minutesAgo(3 * 1440) }, `order_id = '${first().id}'`)(trx),
			() => "It was never read.",
		],
		[
			"balance-read",
			"it was read long ago",
			async (trx) => {
				await update("payments", { created_at: minutesAgo(5 * 1440) }, `order_id = '${first().id}'`)(trx);
				await trx
					.insertInto("provider_readings")
					.values({ until: minutesAgo(4 * 1440), read_at: minutesAgo(4 * 1440) })
					.execute();
			},
			() => /^It was last read until \d{4}-/,
		],
		[
			"bulletin",
			"its last days are not read",
			(trx) => switchReadingOn(trx).then(() => readUpTo(trx, 6)),
			() => /^The bulletin was read up to \d{4}-\d\d-\d\d, [67] days ago\.$/,
		],
		["bulletin", "it is switched on and was never read whole", switchReadingOn, () => /^The bulletin was never read whole\.$/],
		[
			"bulletin",
			"it is switched off in production",
			(trx) => readUpTo(trx, 1),
			() => /^The reading of the bulletin is switched off\.$/,
			() => ({ environment: { ...sound.environment, production: true } }),
		],
	];

	test("bulletin: yesterday's notices are no problem, nor is a demo that reads none", async () => {
		expect(await findAfter("bulletin", (trx) => switchReadingOn(trx).then(() => readUpTo(trx, 1)))).toEqual([]);
		expect(await findAfter("bulletin", (trx) => readUpTo(trx, 30))).toEqual([]);
	});

	test.each([
		["legal-facts", listStaleFacts, "TVA au taux de"],
		["recipient-facts", listStaleRecipientFacts, "Qonto, mise à jour du compte (https://"],
	] as const)("%s: each that was checked eleven months ago is one problem, and none is before", async (name, listStale, first) => {
		const later = new Date("2027-11-15");
		const problems = await findAfter(name, async () => {}, { now: () => later });
		expect(problems).toHaveLength(listStale(later, 11).length);
		expect(problems[0]).toContain(first);
		expect(problems[0]).toMatch(/: \d{4}-\d\d-\d\d\.$/);
		expect(await findAfter(name, async () => {}, { now: () => new Date("2026-12-15") })).toEqual([]);
	});

	test.each(["credit-notes", "invoice-amounts", "invoice-numbers", "invoice-dates"])(
		"%s: a replaced invoice is no problem",
		async (name) => {
			expect(await findAfter(name, replaceFirstInvoice)).toEqual([]);
		},
	);

	test("invoices: the PDF of one that was replaced just now is no problem yet, and later it is", async () => {
		expect(await findAfter("invoices", replaceFirstInvoice)).toEqual([]);
		const later = { now: () => new Date(Date.now() + 3_600_000) };
		expect(await findAfter("invoices", replaceFirstInvoice, later)).toHaveLength(2);
	});

	let secure: Awaited<ReturnType<typeof startFakeSmtp>>;
	let secureUntil: Date;
	let empty: string;
	const emptyFolder = () => empty;
	const atSecure = () => ({ environment: { ...sound.environment, baseUrl: `https://localhost:${new URL(secure.url).port}` } });
	beforeAll(async () => {
		secure = await startFakeSmtp({ secure: true });
		const socket = connect({ port: Number(new URL(secure.url).port), rejectUnauthorized: false });
		await once(socket, "secureConnect");
		secureUntil = new Date(socket.getPeerCertificate().valid_to);
		socket.destroy();
		empty = mkdtempSync(join(tmpdir(), "no-backups-"));
	});
	afterAll(async () => {
		await secure?.close();
		rmSync(empty, { recursive: true });
	});

	test.each(rows)("%s: %s", async (name, _title, spoil, problem, change) => {
		const problems = await findAfter(name, spoil, change?.());
		expect(problems).toHaveLength(1);
		const expected = problem();
		if (typeof expected === "string") expect(problems[0]).toContain(expected);
		else expect(problems[0]).toMatch(expected);
	});

	test("secrets: two during a rotation are no problem", async () => {
		const environment = { ...sound.environment, secrets: ["a", "b"] } as unknown as Environment;
		const [row] = await examine({ ...sound, environment }, findChecks("secrets"));
		expect(row).toMatchObject({ problems: [], seen: expect.stringMatching(/^two: remove the old one/) });
	});

	test("schema: the last migration is named", async () => {
		const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(shop.db);
		expect((await examine(sound, findChecks("schema")))[0]?.seen).toBe(rows[0]?.name);
	});

	test("certificate: fourteen whole days are enough", async () => {
		const at = new Date(secureUntil.getTime() - 14 * 86_400_000);
		const problems = await findAfter("certificate", async () => {}, { ...atSecure(), now: () => at });
		expect(problems.join()).not.toContain("expires");
	});

	test("invoice-numbers: a year is left out from the New Year of France", async () => {
		const spoil = update("invoices", { year: 2000, number_in_year: 7 }, "number = 'invoice-2'");
		for (const [time, isKept] of [
			["2010-12-31T22:59:59Z", true],
			["2010-12-31T23:00:00Z", false],
		] as const) {
			const problems = await findAfter("invoice-numbers", spoil, { now: () => new Date(time) });
			expect(problems.some((problem) => problem.includes("Invoices 2000: numbers 1 to 6 are missing."))).toBe(isKept);
		}
	});

	test("disk: little space", async () => {
		const { bavail, bsize } = statfsSync(shop.folder);
		const tight = { ...sound.environment, dataDir: "/proc" }; // a file system without any room
		expect(bavail * bsize).toBeGreaterThan(2 ** 30);
		expect(await findAfter("disk", async () => {}, { environment: tight })).toEqual(["0.0 GB free in /proc."]);
	});

	test.each([
		[13, "13 days"],
		[1, "1 day"],
		[0, "0 days"],
	])("certificate: %i days left", async (days, daysLeft) => {
		const at = new Date(secureUntil.getTime() - (days + 0.5) * 86_400_000);
		const [first] = await findAfter("certificate", async () => {}, { ...atSecure(), now: () => at });
		expect(first).toBe(`The certificate expires in ${daysLeft}.`);
	});

	test("shared-files: several machines are mentioned, but no problem", async () => {
		const inside = async (trx: Trx) => {
			await shadow(
				"create table wrong.pg_stat_activity as select current_database() as datname, 'extrait-pro' as application_name, unnest(array['10.0.0.1', '10.0.0.2']) as client_addr",
			)(trx);
			const [row] = await examine({ ...sound, db: trx as unknown as Database }, findChecks("shared-files"));
			expect(row).toMatchObject({ problems: [], seen: "2 machines, which must share one volume" });
		};
		expect(await findAfter("shared-files", inside)).toEqual([]);
	});

	test("connections: those of other roles count as well", async () => {
		const hidden = shadow(
			shadowSettings({ max_connections: "100" }),
			"create table wrong.pg_stat_activity as select null::text as backend_type",
			"create table wrong.pg_stat_database as select unnest(array[80, 10]) as numbackends",
		);
		expect(await findAfter("connections", hidden)).toEqual(["90 of 97 are in use."]);
	});

	test("database: without an answer, no other check runs", async () => {
		const { db } = openDatabase({ host: "127.0.0.1", port: 9 }, createLog("silent"));
		const examinations = await examine({ ...sound, db });
		expect(examinations.map(({ name, problems }) => [name, problems.length])).toEqual([["database", 1]]);
		await db.destroy();
	});

	test("companies-age: less than three days is no problem", async () => {
		const environment = { ...sound.environment, production: true };
		expect(await findAfter("companies-age", insertSirene(2.9), { environment })).toEqual([]);
	});

	test("recent and excepted items are no problems", async () => {
		for (const [name, spoil] of [
			["letters", event("extract_replaced", minutesAgo(1400))],
			["letters", event("extract_replaced", minutesAgo(1500), "{}")],
			["letters", replacedAnd(update("orders", { disputed_at: now, dispute_status: "lost" }, `id = '${first().id}'`))],
			["letters", replacedAnd(update("refunds", { amount_cents: first().price_cents }, `order_id = '${first().id}'`))],
			["failed-refunds", update("refunds", { status: "failed", settled_at: minutesAgo(31 * 1440) }, `order_id = '${first().id}'`)],
			[
				"failed-refunds",
				async (trx: Trx) => {
					await update("refunds", { status: "failed" }, `order_id = '${first().id}'`)(trx);
					await update("orders", { erased_at: now }, `id = '${first().id}'`)(trx);
				},
			],
			["mails", mail("confirmation-again", minutesAgo(9))],
			["mails", mail("resume", minutesAgo(19))],
			[
				"refunds",
				(trx: Trx) => update("refunds", { status: "requested", requested_at: minutesAgo(59) }, `order_id = '${first().id}'`)(trx),
			],
			[
				"credit-notes",
				(trx: Trx) => update("refunds", { amount_cents: 1100, settled_at: minutesAgo(59) }, `order_id = '${first().id}'`)(trx),
			],
			[
				"invoice-numbers",
				(trx: Trx) =>
					sql`insert into invoice_gaps select 'credit_note', year, 3, 'base restaurée', now() from invoice_series limit 1`
						.execute(trx)
						.then(() => sql`update invoice_series set last_number = 3 where kind = 'credit_note'`.execute(trx)),
			],
			[
				"failed-jobs",
				async (trx: Trx) => {
					for (let count = 0; count < 30; count++) await insertWaiting({ name: "measure-parts", state: "failed" })(trx);
				},
			],
			["probes", insertProbe(15)],
			["queue", insertWaiting({ name: "deliver-letter", state: "created", priority: -1, start_after: minutesAgo(25).toISOString() })],
			[
				"invoice-numbers",
				(trx: Trx) =>
					update(
						"invoices",
						{ year: 2000, number_in_year: 7 },
						"number = 'invoice-2'",
					)(trx).then(() => sql`update invoice_series set last_number = 1 where kind = 'invoice'`.execute(trx)),
			],
		] as [string, (trx: Trx) => Promise<unknown>][])
			expect(await findAfter(name, spoil), name).toEqual([]);
		const posted = async (trx: Trx) => {
			await event("extract_replaced", minutesAgo(1500))(trx);
			await event("posted", minutesAgo(1450))(trx);
		};
		expect(await findAfter("letters", posted)).toEqual([]);
	});
});

describe.each(["disk", "bucket"] as const)("files: %s", (where) => {
	let examined: DoctorContext;
	const kept: { path: string; sha256: string }[] = [];
	let changeFile: (path: string, bytes: string | null) => Promise<unknown>;
	beforeAll(async () => {
		const storage = where === "disk" ? shop.storage : s3Storage(s3);
		// an hour later than it is: what has just been stored is looked at too
		examined = { ...sound, storage, now: () => new Date(Date.now() + 2 * 3_600_000) };
		for (const { storage_path } of await shop.db.selectFrom("documents").selectAll().execute()) {
			const bytes = await shop.storage.get(storage_path);
			kept.push(await storage.put(bytes));
		}
		changeFile = async (path, bytes) => {
			if (bytes === null) return storage.remove(path);
			if (where === "bucket") return s3.alter(path, new TextEncoder().encode(bytes));
			mkdirSync(join(shop.folder, path, ".."), { recursive: true });
			writeFileSync(join(shop.folder, path), bytes);
		};
	});
	const find = async (name: string, change: Partial<DoctorContext> = {}) =>
		(await examine({ ...examined, ...change }, findChecks(name)))[0]?.problems;

	test("altered and missing files are problems", async () => {
		expect(await find("files")).toEqual([]);
		const [first, second] = kept.map(({ path }) => path);
		if (!first || !second) throw new Error();
		const [one, two] = [await examined.storage.get(first), await examined.storage.get(second)];
		await changeFile(first, "altered");
		await changeFile(second, null);
		const problems = (await find("files")) ?? [];
		expect(problems.map((problem) => problem.split(": ")[1]).sort()).toEqual([
			"the file is missing.",
			"the file was altered (its digest differs).",
		]);
		for (const problem of problems) expect(problem).toMatch(/^(Extract|Invoice|Credit note) [0-9a-f-]{36}, order KB-/);
		// a sample reads the requested number of files
		const few: Check[] = findChecks("files");
		expect((await examine({ ...examined, sample: 2 }, few))[0]?.seen.replace("\u00a0", " ")).toBe("2 files read");
		for (const bytes of [one, two]) await examined.storage.put(bytes);
		expect(await find("files")).toEqual([]);
	});

	test("a file without a document is a problem, unless it is new, no document, or an uploaded extract", async () => {
		expect(await find("unnamed-files")).toEqual([]);
		const { path, sha256 } = await examined.storage.put(new TextEncoder().encode(`%PDF nobody's ${where}`));
		await changeFile("ready", "");
		await changeFile("copies/KB-7F3K-92QD.json", "{}");
		expect(await find("unnamed-files")).toEqual([`${path} belongs to no document.`]);
		expect(await find("unnamed-files", { now: () => new Date() })).toEqual([]);
		const handedIn = { order_id: first().id, requested_at: now, storage_path: path, sha256 };
		await shop.db.insertInto("extract_requests").values(handedIn).execute();
		expect(await find("unnamed-files")).toEqual([]);
		await shop.db.deleteFrom("extract_requests").execute();
		await examined.storage.remove(path);
		// a purged document no longer needs its file
		const [one] = kept;
		await shop.db
			.updateTable("documents")
			.set({ purged_at: now })
			.where("storage_path", "=", one?.path ?? "")
			.execute();
		expect(await find("unnamed-files")).toEqual([`${one?.path} belongs to no document.`]);
		await shop.db.updateTable("documents").set({ purged_at: null }).execute();
	});

	test("the PDF of an issued number is no problem, even if a restored database lacks its invoice", async () => {
		const { path } = await examined.storage.put(new TextEncoder().encode(`%PDF issued ${where}`));
		const keep = (pdf: string | null) => examined.storage.putObject("invoices/F2026-000999", Buffer.from(JSON.stringify({ pdf })));
		await keep(null);
		expect(await find("unnamed-files")).toEqual([`${path} belongs to no document.`]);
		await keep(path);
		expect(await find("unnamed-files")).toEqual([]);
		for (const name of [path, "invoices/F2026-000999"]) await examined.storage.remove(name);
	});
});

test("every file is examined once, for any page size and number of documents that share it", async () => {
	const rollback = new Error("rollback");
	const examinedPaths = await shop.db
		.transaction()
		.execute(async (trx) => {
			const { rows: twins } = await sql`insert into documents (id, order_id, doc_type, issued_at, storage_path, sha256, bytes, created_at)
				select gen_random_uuid(), order_id, 'invoice', issued_at, storage_path, sha256, bytes, created_at from documents returning id`.execute(
				trx,
			);
			expect(twins).toHaveLength(6);
			const paths: string[] = [];
			for await (const { path } of everyFile(trx as unknown as Database, 2)) paths.push(path);
			throw Object.assign(rollback, { paths });
		})
		.catch((error) => {
			if (error !== rollback) throw error;
			return error.paths as string[];
		});
	const kept = await shop.db.selectFrom("documents").select("storage_path").orderBy("storage_path").execute();
	expect(examinedPaths).toEqual(kept.map(({ storage_path }) => storage_path));
});

describe("npm run doctor", () => {
	const run = async (...args: string[]) => {
		const written: string[] = [];
		const { write } = process.stdout;
		process.stdout.write = ((text: string) => written.push(text) > 0) as typeof write;
		try {
			return {
				...(await doctor(shop.connection, args, { ...sound.environment, dataDir: join(shop.folder, "..", "none") })),
				written: written.join(""),
			};
		} finally {
			process.stdout.write = write;
		}
	};

	test("lists problems with what to do, as a table or as JSON, and exits with 1", async () => {
		const { ok, text, written } = await run("--json");
		expect(ok).toBe(false);
		expect(text).toMatch(/checks? failed\.$/);
		const { ok: well, checks: told } = JSON.parse(written);
		expect(well).toBe(false);
		expect(told.find(({ name }: { name: string }) => name === "files")).toMatchObject({
			ok: false,
			what: "Files of documents",
			problems: expect.arrayContaining([expect.stringContaining("the file cannot be read")]),
			todo: expect.stringContaining("dropped again on the page of its order"),
		});
		const table = (await run()).written;
		expect(table).toMatch(/^✓ {2}Database +answers$/m);
		expect(table).toMatch(/^✗ {2}Files of documents/m);
		expect(table).toMatch(/^ {2}→ {2}Restore the file/m);
	});

	test("changes nothing in the database", async () => {
		const { rows: tables } = await sql<{ name: string }>`
			select format('%I.%I', schemaname, tablename) as name from pg_tables
			where schemaname in ('public', 'sandbox', 'jobs') and tablename not like 'compan%' order by 1`.execute(shop.db);
		expect(tables.length).toBeGreaterThan(20);
		const contents = () =>
			Promise.all(
				tables.map(({ name }) =>
					sql`select md5(string_agg(row::text, '' order by row::text)) as all from ${sql.raw(name)} row`.execute(shop.db),
				),
			).then((all) => all.map(({ rows }) => rows));
		const before = await contents();
		await run();
		expect(await contents()).toEqual(before);
	});

	test("invalid arguments print the usage", async () => {
		for (const args of [["--samples"], ["--sample", "0"], ["--sample", "x"], ["now"]])
			expect(await run(...args)).toMatchObject({ ok: false, text: expect.stringContaining("Usage: npm run doctor"), written: "" });
	});

	test("the table shows ten problems per check", () => {
		const row = { name: "x", what: "X", how: "", todo: "Fix it.", seen: "12", problems: Array.from({ length: 12 }, (_, n) => `p${n}`) };
		expect(formatTable([row]).split("\n")).toEqual([
			"✗  X  12",
			...row.problems.slice(0, 10).map((problem) => `     ${problem}`),
			"     … and 2 more.",
			"  →  Fix it.",
		]);
	});
});
