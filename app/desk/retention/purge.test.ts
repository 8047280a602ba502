import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toJson } from "../../../server/database/column-types.ts";
import type { Database } from "../../../server/database/database.ts";
import { parseEnvironment } from "../../../server/environment/environment.ts";
import { createLog } from "../../../server/observability/log.ts";
import { createSigner } from "../../../server/signing.ts";
import { anyJson } from "../../../test/any-json.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { insertServedOrder } from "../../../test/fixtures/old-orders.ts";
import { insertOrder, waitForLock } from "../../../test/orders.ts";
import { getDay } from "../../books/month.ts";
import { findAlert } from "../../companies/alerts/alerts.store.server.ts";
import type { Siren } from "../../companies/siren.ts";
import { recordShareOpening } from "../../customer/sharing/shares.store.server.ts";
import { jobKinds } from "../../job-kinds.ts";
import { diskStorage } from "../../orders/documents/disk-storage.server.ts";
import { countMailboxKeys } from "../../orders/invoices/mailbox-fingerprints.server.ts";
import { deleteErasedOrders, eraseOrders } from "./erase-orders.server.ts";
import { erasePerson } from "./erase-person.server.ts";
import { exportPerson } from "./export-person.server.ts";
import { forEachBatch, type Purged, purge, purgeNightly } from "./purge.server.ts";

/** What is purged and erased, on rows as the shop would have written them long ago. */

const folder = mkdtempSync(join(tmpdir(), "purge-"));
const storage = diskStorage(folder);
const now = new Date("2026-11-20T10:00:00Z");
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
let context: Parameters<typeof erasePerson>[0];
beforeAll(async () => {
	database = await createTestDatabase();
	db = database.db;
	const parsed = parseEnvironment({ APP_SECRET: "a secret of the tests that is long enough to sign" });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	context = { db, environment: parsed.environment, now: () => now, log: createLog("silent"), storage, signer: createSigner(["a secret"]) };
});
afterAll(async () => {
	await database?.close();
	rmSync(folder, { recursive: true });
});

const at = (iso: string) => new Date(iso);
let made = 0;
const next = () => String(++made).padStart(4, "0");

/** Inserts a fulfilled order with the files of its extract, invoice and credit note. */
async function insertFulfilledOrder(when: Date, what?: Parameters<typeof insertServedOrder>[2]) {
	const { id, paths } = await insertServedOrder(context, when, what);
	return { id, files: paths.map((path) => join(folder, path)) };
}

const orderRow = (id: string) => db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirst();

/** All rows of an order, by table. */
async function listRowsOfOrder(orderId: string): Promise<Record<string, Record<string, unknown>[]>> {
	const { rows: tables } = await sql<{ name: string }>`
		select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'order_id'`.execute(db);
	const found: Record<string, Record<string, unknown>[]> = {};
	for (const { name } of tables) {
		const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)} where order_id = ${orderId}`.execute(db);
		if (rows.length > 0) found[name] = rows;
	}
	return found;
}

const rowExists = async (table: string, column: string, value: string | number) =>
	(await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(db)).rows.length === 1;

async function insertMessageAt(when: Date): Promise<string> {
	const id = crypto.randomUUID();
	const row = { id, name: "Ada", email: "ada@example.fr", message: "?", created_at: when };
	await db.insertInto("contact_messages").values(row).execute();
	return id;
}

async function insertSubscription(state: { requested_at: Date; confirmed_at?: Date; unsubscribed_at?: Date }): Promise<string> {
	const id = crypto.randomUUID();
	await db
		.insertInto("newsletter_subscriptions")
		.values({ id, email: `${id}@example.fr`, source: "form", text_version: "1", ...state })
		.execute();
	return id;
}

async function insertConversation({ order_id = null, last_at }: { order_id?: string | null; last_at: Date }): Promise<string> {
	const id = crypto.randomUUID();
	const row = { id, order_id, email: "ada@example.fr", name: "Ada Lovelace", subject: "?", last_at };
	await db.insertInto("conversations").values(row).execute();
	return id;
}

async function insertDraft(order_id: string, dropped_at: Date): Promise<string> {
	const id = crypto.randomUUID();
	const file = { file: Buffer.from("%PDF"), file_name: "lovelace.pdf", sha256: "0".repeat(64), facts: anyJson({}) };
	await db
		.insertInto("extract_drafts")
		.values({ id, order_id, operator: "camille", dropped_at, ...file })
		.execute();
	return id;
}

/** @param activeAt the last act of the mailbox's owner. */
async function insertAlert(state: { requested_at: Date; confirmed_at?: Date; ended_at?: Date }, activeAt?: Date): Promise<string> {
	const [id, follower] = [crypto.randomUUID(), crypto.randomUUID()];
	const mailbox = { id: follower, email: `${follower}@example.fr`, created_at: state.requested_at, active_at: activeAt ?? null };
	await db.insertInto("company_followers").values(mailbox).execute();
	const alert = {
		id,
		follower_id: follower,
		siren: "552032534" as Siren,
		frequency: "weekly" as const,
		topics: ["sales" as const],
		text_version: "1",
	};
	await db
		.insertInto("company_alerts")
		.values({ ...alert, ...state })
		.execute();
	return id;
}

/**
 * A row for each period: what is as old as the period is kept, what is a millisecond older goes. `insert` makes such a thing as of an
 * instant, and gives what tells whether it is still there. The periods are those of docs/rules.md, R43.
 */
const periods: { what: keyof Purged; since: string; counts?: number; insert: (when: Date) => Promise<() => Promise<boolean>> }[] = [
	{
		what: "extracts",
		since: "2026-08-22T10:00:00Z", // 90 days
		async insert(when) {
			const { id, files } = await insertFulfilledOrder(when);
			return async () => {
				const { documents = [], extract_requests: [request] = [] } = await listRowsOfOrder(id);
				const kept = documents.find(({ doc_type }) => doc_type === "kbis")?.purged_at === null;
				expect(files.map(existsSync)).toEqual([kept, true, true]);
				expect(request).toMatchObject({ sha256: expect.any(String), storage_path: kept ? expect.any(String) : null });
				return kept;
			};
		},
	},
	{
		what: "orders",
		since: "2023-11-20T10:00:00Z", // 3 years
		async insert(when) {
			const { id } = await insertFulfilledOrder(when);
			return async () => (await orderRow(id))?.last_name === "Lovelace";
		},
	},
	{
		what: "orders",
		since: "2023-11-20T10:00:00Z",
		async insert(when) {
			// made long before: what counts is the last that happened
			const { id } = await insertFulfilledOrder(at("2020-01-01T10:00:00Z"));
			await db.insertInto("order_events").values({ order_id: id, event_type: "mail_sent", created_at: when }).execute();
			return async () => (await orderRow(id))?.last_name === "Lovelace";
		},
	},
	{
		what: "unpaidOrders",
		since: "2026-10-21T10:00:00Z", // 30 days
		async insert(when) {
			const { id } = await insertOrder(db, { created_at: when, status: "failed" });
			return async () => (await orderRow(id)) !== undefined;
		},
	},
	{
		what: "accounts",
		since: "2015-12-31T23:00:00Z", // 10 years from the end of 2015 in Paris
		async insert(when) {
			const { id, files } = await insertFulfilledOrder(at("2013-01-01T10:00:00Z"), { billed: when });
			await eraseOrders(context, [id]);
			return async () => {
				const kept = (await orderRow(id)) !== undefined;
				expect(files.map(existsSync)).toEqual([false, kept, kept]);
				if (!kept) expect(await listRowsOfOrder(id)).toEqual({});
				return kept;
			};
		},
	},
	...(["expires_at", "revoked_at"] as const).map((end) => ({
		what: "shares" as const,
		since: "2026-10-21T10:00:00Z", // 30 days from its end
		async insert(when: Date) {
			const { id: orderId } = await insertFulfilledOrder(at("2026-10-01T10:00:00Z"));
			const document = await db.selectFrom("documents").select("id").where("order_id", "=", orderId).executeTakeFirstOrThrow();
			const id = crypto.randomUUID();
			const times = { created_at: at("2026-10-01T10:00:00Z"), expires_at: at("2026-12-01T10:00:00Z"), [end]: when };
			await db
				.insertInto("document_shares")
				.values({ id, document_id: document.id, ...times })
				.execute();
			await recordShareOpening(db, id, "opened", when);
			return async () => {
				const isOpeningThere = await rowExists("document_share_openings", "share_id", id);
				expect(await rowExists("document_shares", "id", id)).toBe(isOpeningThere);
				return isOpeningThere;
			};
		},
	})),
	{
		what: "extractDrafts",
		since: "2026-11-19T10:00:00Z", // a day
		async insert(when) {
			const { id: order_id } = await insertOrder(db, { created_at: when, status: "processing", paid_at: when });
			const id = await insertDraft(order_id, when);
			return () => rowExists("extract_drafts", "id", id);
		},
	},
	{
		what: "orderForms",
		since: "2026-11-20T10:00:00.001Z", // when they end
		async insert(when) {
			const order_key = crypto.randomUUID();
			await db
				.insertInto("order_forms")
				.values({ order_key, token_hash: Buffer.from(order_key), fields: anyJson({}), expires_at: when })
				.execute();
			return () => rowExists("order_forms", "order_key", order_key);
		},
	},
	{
		what: "newsletters",
		since: "2023-11-20T10:00:00Z",
		async insert(when) {
			const id = await insertSubscription({ requested_at: when, confirmed_at: when });
			return () =>
				db
					.selectFrom("newsletter_subscriptions")
					.selectAll()
					.where("id", "=", id)
					.executeTakeFirstOrThrow()
					.then((row) => row.unsubscribed_at === null);
		},
	},
	{
		what: "newsletters",
		since: "2023-11-20T10:00:00Z",
		async insert(when) {
			const { id } = await insertOrder(db, { created_at: when, newsletter: true, status: "processing", paid_at: when });
			return async () => (await orderRow(id))?.newsletter === true;
		},
	},
	{
		what: "newsletterRequests",
		since: "2026-10-21T10:00:00Z",
		async insert(when) {
			const id = await insertSubscription({ requested_at: when });
			return () => rowExists("newsletter_subscriptions", "id", id);
		},
	},
	{
		what: "newsletterProofs",
		since: "2023-11-20T10:00:00Z",
		async insert(when) {
			const id = await insertSubscription({ requested_at: at("2019-01-01"), confirmed_at: at("2019-01-01"), unsubscribed_at: when });
			return () => rowExists("newsletter_subscriptions", "id", id);
		},
	},
	{
		what: "companyAlerts",
		since: "2023-11-20T10:00:00Z",
		async insert(when) {
			const id = await insertAlert({ requested_at: when, confirmed_at: when }, when);
			return async () => (await findAlert(db, id))?.ended_at === null;
		},
	},
	{
		what: "companyAlertRequests",
		since: "2026-10-21T10:00:00Z",
		async insert(when) {
			const id = await insertAlert({ requested_at: when });
			return () => rowExists("company_alerts", "id", id);
		},
	},
	{
		what: "companyAlertProofs",
		since: "2023-11-20T10:00:00Z",
		async insert(when) {
			const id = await insertAlert({ requested_at: at("2019-01-01"), confirmed_at: at("2019-01-01"), ended_at: when });
			return () => rowExists("company_alerts", "id", id);
		},
	},
	{
		what: "interest",
		since: "2023-11-20T10:00:00Z",
		async insert(when) {
			const email = `interest${next()}@example.fr`;
			await db.insertInto("subscription_interest").values({ email, text_version: "1", created_at: when }).execute();
			return () => rowExists("subscription_interest", "email", email);
		},
	},
	{
		what: "messages",
		since: "2023-11-20T10:00:00Z",
		async insert(when) {
			const id = await insertMessageAt(when);
			return () => rowExists("contact_messages", "id", id);
		},
	},
	{
		what: "conversations",
		since: "2023-11-20T10:00:00Z",
		async insert(when) {
			const id = await insertConversation({ last_at: when });
			return () => rowExists("conversations", "id", id);
		},
	},
	{
		what: "books",
		since: "2015-12-31T23:00:00Z", // 10 years from the end of 2015 in Paris
		async insert(when) {
			const fact = `fact ${next()}`;
			const day = getDay(when);
			const numbered = { journal: "VT", year: Number(day.slice(0, 4)), number_in_year: ++made } as const;
			const described = { entry_date: day, piece_date: day, piece_ref: fact, label: fact, subject: fact, posted_at: when };
			await db
				.insertInto("account_entries")
				.values({ fact, ...numbered, ...described, lines: toJson([]) })
				.execute();
			return () => rowExists("account_entries", "fact", fact);
		},
	},
	{
		what: "paymentLogs",
		since: "2025-11-20T10:00:00Z", // 12 months
		async insert(when) {
			const id = `evt_${next()}`;
			await db.insertInto("payment_events").values({ id, event_type: "x", handled_at: when }).execute();
			return () => rowExists("payment_events", "id", id);
		},
	},
	{
		what: "paymentLogs",
		since: "2025-11-20T10:00:00Z",
		async insert(when) {
			const compared = ++made;
			await db
				.insertInto("reconciliations")
				.values({ since: when, until: when, compared, differences: toJson([]), created_at: when })
				.execute();
			return () => rowExists("reconciliations", "compared", compared);
		},
	},
	{
		what: "sandbox",
		since: "2025-11-20T10:00:00Z",
		async insert(when) {
			const id = `cs_test_${next()}`;
			await sql`insert into sandbox.sessions values (${id}, 'x', 1, 'eur', 'x', 'ada@example.fr', '/', '/', 'open', 'unpaid', null, ${when}, ${when})`.execute(
				db,
			);
			return () => rowExists("sandbox.sessions", "id", id);
		},
	},
	{
		what: "probes",
		since: "2026-08-22T10:00:00Z", // 90 days
		async insert(when) {
			const part = `part${next()}`;
			await db.insertInto("probes").values({ part, at: when, ok: true, ms: 1, changed: false }).execute();
			return () => rowExists("probes", "part", part);
		},
	},
	{
		what: "deskLog",
		since: "2025-11-20T10:00:00Z",
		async insert(when) {
			const run = crypto.randomUUID();
			await db
				.insertInto("desk_log")
				.values({ run, at: when, verb: "orders list", subject: null, who: "Camille", outcome: "done" })
				.execute();
			return () => rowExists("desk_log", "run", run);
		},
	},
	{
		what: "deskActs",
		since: "2025-11-20T10:00:00Z",
		async insert(when) {
			const key = crypto.randomUUID();
			const act = { key, act: "note", operator_id: crypto.randomUUID(), operator_name: "Camille", origin: "/", requested_at: when };
			await db.insertInto("desk_acts").values(act).execute();
			return () => rowExists("desk_acts", "key", key);
		},
	},
	{
		what: "letterRuns",
		since: "2026-11-18T10:00:00Z", // two days
		async insert(when) {
			const id = crypto.randomUUID();
			const marked_at = made++ % 2 === 0 ? when : null;
			await db
				.insertInto("letter_runs")
				.values({ id, operator_id: "gone", made_at: when, order_ids: [crypto.randomUUID()], hashes: ["0"], marked_at })
				.execute();
			return () => rowExists("letter_runs", "id", id);
		},
	},
	{
		what: "limits",
		since: "2026-11-20T10:00:00Z", // when they end
		async insert(when) {
			const key = `limit:${next()}`;
			await sql`insert into rate_limits (key, points, expire) values (${key}, 1, ${when.getTime()})`.execute(db);
			return () => rowExists("rate_limits", "key", key);
		},
	},
];

test("an unfinished file is kept for a day by the clock of its disk", async () => {
	const write = (hoursAgo: number) => {
		const file = join(folder, "00", `${"0".repeat(64)}.pdf.${crypto.randomUUID()}`);
		mkdirSync(join(folder, "00"), { recursive: true });
		writeFileSync(file, "half");
		const at = new Date(Date.now() - hoursAgo * 3_600_000);
		utimesSync(file, at, at);
		return file;
	};
	const [kept, gone] = [write(23), write(25)];
	expect((await purge(context)).unfinishedFiles).toBe(1);
	expect([existsSync(kept), existsSync(gone)]).toEqual([true, false]);
});

describe("data are kept until the last millisecond of their period, and no longer", () => {
	test.each(periods.map((row, index) => ({ ...row, index })))("$what, since $since ($index)", async ({ what, since, insert }) => {
		await purge(context); // purges the data of the previous cases
		const [kept, gone] = [await insert(at(since)), await insert(new Date(Date.parse(since) - 1))];
		expect((await purge(context))[what]).toBe(1);
		expect([await kept(), await gone()]).toEqual([true, false]);
	});
});

describe("many orders", () => {
	const log = createLog("silent");
	/** The run that forEachBatch receives. */
	const run = { now: () => now, log, until: at("2027-01-01"), step: "orders", fail: () => {} };
	const createIds = (count: number) => Array.from({ length: count }, (_, index) => `${index.toString(16).padStart(4, "0")}ffff`);
	const createLister =
		(all: string[]) =>
		async ({ after, limit }: { after: string | null; limit: number }) =>
			all.filter((id) => id > (after ?? "")).slice(0, limit);

	test("are processed once, in batches of 200, over several pages, also after skipped orders", async () => {
		for (const count of [0, 1, 199, 200, 201, 401, 5000, 5001]) {
			const all = createIds(count);
			const seen: string[][] = [];
			const pages: number[] = [];
			const list: Parameters<typeof forEachBatch>[1] = async (page) => {
				const ids = await createLister(all)(page);
				pages.push(ids.length);
				return ids;
			};
			const isPurged = (id: string) => id.startsWith("0003");
			const done = await forEachBatch(run, list, async (ids) => {
				seen.push(ids);
				return { purged: ids.filter(isPurged).length, fault: undefined };
			});
			expect(seen.flat()).toEqual(all);
			expect(Math.max(0, ...seen.map((ids) => ids.length))).toBe(Math.min(count, 200));
			expect(pages).toEqual(count < 5000 ? [count] : [5000, count - 5000]);
			expect(done).toBe(all.filter(isPurged).length);
		}
	});

	test("of purchases fill a batch by the number of their orders", async () => {
		const sizes = [150, 50, 1, 200, 199, 2, 250, 1, 1];
		const all = createIds(sizes.length);
		const seen: number[][] = [];
		await forEachBatch(
			run,
			createLister(all),
			async (ids) => {
				seen.push(ids.map((id) => sizes[all.indexOf(id)] ?? 0));
				return { purged: ids.length, fault: undefined };
			},
			async (ids) => new Map(ids.map((id) => [id, sizes[all.indexOf(id)] ?? 0])),
		);
		expect(seen).toEqual([[150, 50], [1], [200], [199], [2], [250], [1, 1]]);
	});

	test("are left to the next run when the time is up; progress is logged once a minute", async () => {
		let minutes = 0;
		const clock = () => new Date(now.getTime() + minutes * 60_000);
		const lines: Record<string, unknown>[] = [];
		const seen: string[] = [];
		const limits = {
			until: new Date(now.getTime() + 2 * 60_000),
			log: createLog("info", { write: (line) => lines.push(JSON.parse(line)) }),
		};
		const done = await forEachBatch({ ...run, ...limits, now: clock }, createLister(createIds(0x1000)), async (ids) => {
			seen.push(...ids);
			minutes += 0.5;
			return { purged: 100, fault: undefined };
		});
		expect([done, seen.length]).toEqual([400, 800]);
		expect(lines.map(({ step, orders, done, msg }) => [step, orders, done, msg])).toEqual([
			["orders", 200, 399 / 0x1_0000, "the purge goes on"],
			["orders", 400, 799 / 0x1_0000, "the purge goes on"],
		]);
	});

	test("are processed past failed batches, until three in a row purge nothing because the storage is unavailable", async () => {
		const countBatches = async (purgedCounts: number[]) => {
			const faults: unknown[] = [];
			let batches = 0;
			const fail = (fault: unknown) => void faults.push(fault);
			await forEachBatch({ ...run, fail }, createLister(createIds(200 * purgedCounts.length)), async () => ({
				purged: purgedCounts[batches++] ?? 0,
				fault: "away",
			}));
			return [batches, faults.length];
		};
		expect(await countBatches([1, 1, 1, 1, 1])).toEqual([5, 5]);
		expect(await countBatches([0, 0, 1, 0, 0, 1])).toEqual([6, 6]);
		expect(await countBatches([1, 0, 0, 0, 1, 1])).toEqual([4, 4]);
		// skipped orders, such as locked ones, do not count as a failure
		let idle = 0;
		const skip = async () => ({ purged: 0, fault: void idle++ });
		expect([await forEachBatch(run, createLister(createIds(1000)), skip), idle]).toEqual([0, 5]);
	});

	test("that another transaction has locked are left to the next run", async () => {
		await purge(context);
		const { id: erased } = await insertFulfilledOrder(at("2013-01-01"));
		await eraseOrders(context, [erased]);
		const ids = [
			...[erased, (await insertFulfilledOrder(at("2020-01-01"))).id, (await insertFulfilledOrder(at("2026-08-01"))).id],
			(await insertOrder(db, { created_at: at("2026-10-01"), status: "failed" })).id,
		];
		let purging: ReturnType<typeof purge> | undefined;
		await db.transaction().execute(async (trx) => {
			await trx.selectFrom("orders").select("id").where("id", "in", ids).forUpdate().execute();
			purging = purge(context);
			await waitForLock(db, purging);
		});
		expect(await purging).toMatchObject({ orders: 0, extracts: 0, unpaidOrders: 0, accounts: 0 });
		expect(await purge(context)).toMatchObject({ orders: 1, extracts: 1, unpaidOrders: 1, accounts: 1 });
	});

	test("and all else are counted in the log, which names the step that failed, and says whether there is more to do", async () => {
		await purge(context);
		await insertMessageAt(at("2020-01-01"));
		const lines: Record<string, unknown>[] = [];
		const logging = { ...context, log: createLog("info", { write: (line) => lines.push(JSON.parse(line)) }) };
		const sweep = () => Promise.reject(new Error("the bucket is unavailable"));
		await expect(purge({ ...logging, storage: { ...storage, sweep } })).rejects.toThrow("the bucket is unavailable");
		expect(lines).toEqual([
			expect.objectContaining({ step: "unfinishedFiles", error: expect.stringContaining("the bucket is unavailable") }),
			expect.objectContaining({ messages: 1, orders: 0, unfinishedFiles: 0 }),
		]);
		const said: unknown[] = [];
		for (const limits of [{}, { until: new Date(now.getTime() + 1) }, { until: now }]) {
			await purge(logging, limits);
			said.push(lines.at(-1)?.msg);
		}
		const [all, more] = ["what has been kept long enough is purged", "the purge stops, and goes on next time"];
		expect(said).toEqual([all, all, more]);
	});

	test("fail with the step of their purge", async () => {
		await purge(context);
		const { files } = await insertFulfilledOrder(at("2026-08-01"));
		const lines: Record<string, unknown>[] = [];
		const remove = (path: string) =>
			files.includes(join(folder, path)) ? Promise.reject(new Error("the bucket is unavailable")) : storage.remove(path);
		const failing = {
			...{ ...context, storage: { ...storage, remove } },
			log: createLog("error", { write: (line) => lines.push(JSON.parse(line)) }),
		};
		await expect(purge(failing)).rejects.toThrow("the bucket is unavailable");
		expect(lines).toMatchObject([{ step: "extracts" }]);
		expect(await purge(context)).toMatchObject({ extracts: 1 });
	});

	test("have their mailboxes' keys encrypted with the present secret before they are erased", async () => {
		const [present = ""] = context.environment.secrets;
		const withSecrets = (...secrets: string[]) => ({ ...context, environment: { ...context.environment, secrets } });
		await insertFulfilledOrder(at("2020-01-01"));
		await purge(context);
		const next = "the next secret of this shop, long enough to sign";
		await purge(withSecrets(next, present));
		expect(await countMailboxKeys(withSecrets(next))).toEqual({ all: 1, lost: 0 });
		await purge(withSecrets(present, next));
		expect(await countMailboxKeys(context)).toEqual({ all: 1, lost: 0 });
	});

	test("an order whose file cannot be deleted stays unchanged, the others are erased, and the purge fails at its end", async () => {
		await purge(context);
		const [stuck, free] = [await insertFulfilledOrder(at("2020-01-01")), await insertFulfilledOrder(at("2020-01-01"))];
		const messages = await insertMessageAt(at("2020-01-01"));
		const remove = (path: string) =>
			stuck.files.includes(join(folder, path)) ? Promise.reject(new Error("the bucket is unavailable")) : storage.remove(path);
		await expect(purge({ ...context, storage: { ...storage, remove } })).rejects.toThrow("the bucket is unavailable");
		expect(await orderRow(stuck.id)).toMatchObject({ last_name: "Lovelace", erased_at: null });
		expect((await listRowsOfOrder(stuck.id)).documents?.map(({ purged_at }) => purged_at)).toEqual([null, null, null]);
		expect(await orderRow(free.id)).toMatchObject({ last_name: "", erased_at: now });
		expect(await rowExists("contact_messages", "id", messages)).toBe(false);
		expect(await purge(context)).toMatchObject({ orders: 1, extracts: 0 });
		expect(await orderRow(stuck.id)).toMatchObject({ last_name: "", erased_at: now });
	});

	test("the nightly purge stops before its hour ends, and the next one continues", async () => {
		await purge(context);
		const made = await Promise.all(Array.from({ length: 3 }, () => insertFulfilledOrder(at("2020-01-01"))));
		let calls = 0;
		// each call of the clock advances it by fifty minutes, so the time is up before the first batch
		const slowClock = () => new Date(now.getTime() + ++calls * 60_000 * 50);
		expect((await purgeNightly({ ...context, now: slowClock })).orders).toBe(0);
		for (const { id } of made) expect(await orderRow(id)).toMatchObject({ erased_at: null });
		expect((await purgeNightly(context)).orders).toBe(3);
	});

	test("are erased in one batch, each with its outcome: erased, deleted, unfinished, or skipped", async () => {
		const [paid, done] = [await insertFulfilledOrder(now), await insertFulfilledOrder(now)];
		await eraseOrders(context, [done.id]);
		const unpaid = await insertOrder(db, { created_at: now, status: "failed" });
		const open = await insertOrder(db, { created_at: now, status: "processing", paid_at: now });
		const all = [paid.id, done.id, unpaid.id, open.id, crypto.randomUUID()];
		expect(await eraseOrders(context, all)).toEqual({ erased: [paid.id], deleted: [unpaid.id], archived: [], unfinished: [open.id] });
		expect(await deleteErasedOrders(context, all)).toEqual({ deleted: [paid.id, done.id].sort() });
		expect(await Promise.all([paid, done, unpaid].map(({ id }) => orderRow(id)))).toEqual([undefined, undefined, undefined]);
		expect(paid.files.map(existsSync)).toEqual([false, false, false]);
	});
});

describe("an order is erased", () => {
	test("with all personal data, and no other order", async () => {
		const [mine, other] = [await insertFulfilledOrder(now), await insertFulfilledOrder(now)];
		const replaced = { replaced_at: now, replaced_because: "Madame Lovelace a appelé" };
		await db.updateTable("documents").set(replaced).where("order_id", "=", mine.id).where("doc_type", "=", "kbis").execute();
		const corrected = { tracking_number: "1A2", replaces: "1A1", because: "Madame Lovelace l’a lu", by: "Camille" };
		await db
			.insertInto("order_events")
			.values({ order_id: mine.id, event_type: "tracking_corrected", created_at: now, payload: JSON.stringify(corrected) })
			.execute();
		await db
			.insertInto("order_events")
			.values({ order_id: mine.id, event_type: "failed", created_at: now, payload: JSON.stringify({ because: "not-found" }) })
			.execute();
		for (const { id: order_id } of [mine, other]) {
			await insertConversation({ order_id, last_at: now });
			await insertDraft(order_id, now);
			const note = { id: crypto.randomUUID(), order_id, operator: "camille", text: "Madame Lovelace a appelé", created_at: now };
			await db.insertInto("order_notes").values(note).execute();
			await db.updateTable("refunds").set({ note: "Madame Lovelace attend" }).where("order_id", "=", order_id).execute();
		}
		const untouched = [await orderRow(other.id), await listRowsOfOrder(other.id)];
		expect(await eraseOrders(context, [mine.id])).toEqual({ erased: [mine.id], deleted: [], archived: [], unfinished: [] });
		const rows = await listRowsOfOrder(mine.id);
		// ids, hashes and order numbers may contain the letters by chance
		const json = JSON.stringify([await orderRow(mine.id), { ...rows, invoices: [] }]).toLowerCase();
		const text = json.replaceAll(/[0-9a-f-]{32,}|kb-\w{4}-\w{4}/g, "");
		expect(["lovelace", "1a2", "ada", "grace", "madame"].filter((word) => text.includes(word))).toEqual([]);
		expect(mine.files.map(existsSync)).toEqual([false, true, true]);
		// the code of a failure stays, as no free text
		expect(rows.order_events?.map(({ payload }) => payload)).toEqual(expect.arrayContaining([{ by: "Camille" }, { because: "not-found" }]));
		// sent e-mails, decided requests and postings stay; unsent e-mails are deleted
		expect(rows.mails?.map(({ kind }) => kind).sort()).toEqual(["confirmation", "document-ready"]);
		expect(rows).toMatchObject({ refund_requests: [{ granted: true }], extract_requests: [{ posted_at: now, storage_path: null }] });
		for (const table of ["payment_sessions", "conversations", "extract_drafts", "order_notes"])
			expect(Object.keys(rows), table).not.toContain(table);
		const { rows: sessions } = await sql`select customer_email from sandbox.sessions where client_reference_id = ${mine.id}`.execute(db);
		expect(sessions).toEqual([{ customer_email: "" }]);
		expect([await orderRow(other.id), await listRowsOfOrder(other.id)]).toEqual(untouched);
		expect(other.files.map(existsSync)).toEqual([true, true, true]);
	});

	test("once; an order that does not exist is no fault", async () => {
		const { id } = await insertFulfilledOrder(now);
		await eraseOrders(context, [id]);
		const before = await orderRow(id);
		const nothing = { erased: [], deleted: [], archived: [], unfinished: [] };
		expect(await eraseOrders({ ...context, now: () => new Date(now.getTime() + 1000) }, [id, crypto.randomUUID()])).toEqual(nothing);
		expect(await orderRow(id)).toEqual(before);
	});

	test("completely when it was never paid, and its sandbox page names no person", async () => {
		const unpaid = { created_at: now, status: "failed" } as const;
		const [{ id: mine }, { id: other }] = [await insertOrder(db, unpaid), await insertOrder(db, unpaid)];
		const span = { created_at: now, expires_at: now };
		for (const [id, order_id] of [
			["cs_mine", mine],
			["cs_other", other],
		] as const) {
			await db
				.insertInto("payment_sessions")
				.values({ id, order_id, url: "/", status: "expired", ...span })
				.execute();
			await sql`insert into sandbox.sessions values (${id}, ${order_id}, 1, 'eur', 'x', 'ada@example.fr', '/', '/', 'expired', 'unpaid', null, ${now}, ${now})`.execute(
				db,
			);
		}
		expect(await eraseOrders(context, [mine])).toMatchObject({ deleted: [mine] });
		expect([await orderRow(mine), await listRowsOfOrder(mine)]).toEqual([undefined, {}]);
		const { rows } = await sql`select id, customer_email from sandbox.sessions where id in ('cs_mine', 'cs_other') order by id`.execute(db);
		expect(rows).toEqual([
			{ id: "cs_mine", customer_email: "" },
			{ id: "cs_other", customer_email: "ada@example.fr" },
		]);
		expect(await orderRow(other)).toBeDefined();
	});

	test("not while its payment session is open, even if it failed, because the payment may still arrive", async () => {
		const { id } = await insertOrder(db, { created_at: at("2020-01-01"), status: "failed" });
		const session = { id: `cs_${id}`, order_id: id, url: "/", created_at: now, expires_at: now };
		await db
			.insertInto("payment_sessions")
			.values({ ...session, status: "open" })
			.execute();
		expect(await eraseOrders(context, [id])).toMatchObject({ unfinished: [id] });
		expect(await purge(context)).toMatchObject({ orders: 0, unpaidOrders: 0 });
		expect(await orderRow(id)).toMatchObject({ last_name: "Lovelace" });
		await db.updateTable("payment_sessions").set({ status: "expired" }).where("order_id", "=", id).execute();
		expect(await eraseOrders(context, [id])).toMatchObject({ deleted: [id] });
	});

	test("by its state under the lock: an order that resumes meanwhile stays", async () => {
		const { id } = await insertFulfilledOrder(now);
		let erasing: ReturnType<typeof eraseOrders> | undefined;
		await db.transaction().execute(async (trx) => {
			await trx.selectFrom("orders").select("id").where("id", "=", id).forUpdate().execute();
			erasing = eraseOrders(context, [id]);
			await waitForLock(db, erasing);
			await trx.updateTable("orders").set({ dispute_status: "open" }).where("id", "=", id).execute();
		});
		expect(await erasing).toMatchObject({ erased: [], unfinished: [id] });
		expect(await orderRow(id)).toMatchObject({ last_name: "Lovelace", erased_at: null });
	});

	test("before it is deleted: an order with personal data is never deleted for its age", async () => {
		const { id, files } = await insertFulfilledOrder(at("2010-01-01"));
		expect(await deleteErasedOrders(context, [id, crypto.randomUUID()])).toEqual({ deleted: [] });
		expect(await orderRow(id)).toMatchObject({ last_name: "Lovelace" });
		expect(files.map(existsSync)).toEqual([true, true, true]);
		await eraseOrders(context, [id]);
		expect(await deleteErasedOrders(context, [id])).toEqual({ deleted: [id] });
		expect([await orderRow(id), await listRowsOfOrder(id), files.map(existsSync)]).toEqual([undefined, {}, [false, false, false]]);
	});
});

test("a recipient's address stays in an order until its delivery", async () => {
	const email = "recipient@example.fr";
	const { id } = await insertOrder(db, { created_at: now, status: "processing", paid_at: now, delivery_email: email });
	const { order_number, customer_email } = (await orderRow(id)) ?? {};
	expect((await erasePerson(context, email)).orders).toEqual({
		erased: [],
		deleted: [],
		archived: [],
		delivery: [],
		unfinished: [order_number],
	});
	expect(await orderRow(id)).toMatchObject({ delivery_email: email, customer_email });
	await db.updateTable("orders").set({ status: "failed", paid_at: null }).where("id", "=", id).execute();
	expect((await erasePerson(context, ` ${email.toUpperCase()}`)).orders).toEqual({
		erased: [],
		deleted: [],
		archived: [],
		delivery: [order_number],
		unfinished: [],
	});
	expect(await orderRow(id)).toMatchObject({ delivery_email: null, customer_email });
});

test("an export contains events, and no internal data", async () => {
	const { id } = await insertFulfilledOrder(now, { order: { customer_email: "whole@example.fr", idempotency_key: "our own key" } });
	const found = await exportPerson(context, " Whole@example.fr ");
	expect(found).toMatchObject({
		email: "Whole@example.fr",
		orders: [
			{
				...{ id, tracking_number: "1A23456789012", phone: "06" },
				refunds: [{ amount_cents: 1000, reason: "guarantee", status: "succeeded", requested_at: now, settled_at: now }],
				refund_requests: [{ message: "Lovelace s’écrit ainsi", answer: "Oui, Madame Lovelace", granted: true }],
			},
		],
	});
	expect(found.orders[0]?.withdrawal).toEqual({ declared_at: now, outcome: "refused", reason: null });
	const text = JSON.stringify(found);
	for (const ours of ["our own key", "request_hash", "storage_path", "session_id", "payment_id", "cs_"])
		expect(text, ours).not.toContain(ours);
});

test("the purge runs every night, after the reconciliation", () => {
	const [minute, hour, ...days] = jobKinds.purge.cron.split(" ").map((part) => (part === "*" ? part : Number(part)));
	const compared = jobKinds.reconcile.cron.split(" ").map(Number);
	expect(days).toEqual(["*", "*", "*"]);
	expect(Number(hour)).toBeLessThan(6);
	expect(Number(hour) * 60 + Number(minute)).toBeGreaterThan((compared[1] ?? 0) * 60 + (compared[0] ?? 0));
});
