import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { areJobsProcessed, startJobs } from "../../../server/jobs.ts";
import { createLog } from "../../../server/observability/log.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { startFakeSmtp } from "../../../test/fakes/smtp.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { jobKinds } from "../../job-kinds.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { deliverIssue } from "./deliver-issue.server.ts";
import { insertDeliveries, insertIssue, listIssues } from "./issues.store.server.ts";
import { queueIssue, queueTestCopy } from "./queue-issue.server.ts";
import { readIssue } from "./read-issue.ts";
import { countSubscriptions } from "./subscriptions.store.server.ts";

const monday = new Date("2026-11-23T09:00:00Z");
let at = monday;
let smtp: Awaited<ReturnType<typeof startFakeSmtp>>;
let opened: TestShop;
beforeAll(async () => {
	smtp = await startFakeSmtp();
	opened = await createTestShop({ variables: { SMTP_URL: smtp.url, LOG_LEVEL: "silent" }, now: () => at });
});
afterAll(async () => {
	await opened?.close();
	await smtp.close();
});
beforeEach(async () => {
	at = monday;
	await opened.shop.db.deleteFrom("newsletter_subscriptions").execute();
	await opened.shop.db.deleteFrom("newsletter_letters").execute();
	smtp.mails.length = 0;
});

type State = { confirmed_at?: Date | null; unsubscribed_at?: Date };

/** Somebody who has confirmed, unless it is said otherwise. */
async function subscriber(email: string, state: State = {}): Promise<string> {
	const id = randomUUID();
	const asked = { id, email, source: "form" as const, text_version: "1", requested_at: at, confirmation_sent_at: at, confirmed_at: at };
	await opened.shop.db
		.insertInto("newsletter_subscriptions")
		.values({ ...asked, ...state })
		.execute();
	return id;
}

let letters = 0;
/** A letter like no other. */
function write() {
	const read = readIssue(`# Lettre ${++letters}\n\nBonjour,\n\nLisez [le guide](/commande).\n`, opened.shop.environment.baseUrl);
	if (!read.ok) throw new Error(read.problems.join());
	return read;
}
const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email));
const readHeader = (mail: (typeof smtp.mails)[number] | undefined, name: string) =>
	mail?.content.headers.find(({ key }) => key === name)?.value;
const deliveries = () => opened.shop.db.selectFrom("newsletter_deliveries").selectAll().execute();

/** Waits until no delivery is left to be tried. */
const delivered = () =>
	vi.waitFor(
		async () => {
			if ((await listIssues(opened.shop.db)).some(({ waiting }) => waiting > 0)) throw new Error("still under way");
		},
		{ timeout: scaledTimeout(20_000), interval: 25 },
	);

/** A delivery that is written down, and whose job is this test's to do. */
async function writtenDown(...ids: string[]): Promise<string> {
	const { content, email } = write();
	const kept = await insertIssue(opened.shop.db, { subject: email.subject, content, now: at });
	if (!kept.ok) throw new Error(`${kept.existing.subject} stands in the way`);
	const { letterId } = kept;
	const readers = await opened.shop.db.transaction().execute((trx) => insertDeliveries(trx, letterId, 100));
	expect(readers.sort()).toEqual(ids.sort());
	return letterId;
}

test("an issue goes once to each confirmed subscriber, with a working unsubscribe link", async () => {
	await subscriber("ada@example.fr", { confirmed_at: new Date("2026-11-20T23:30:00Z") }); // the 21st in Paris
	await subscriber("grace@example.fr");
	await subscriber("attend@example.fr", { confirmed_at: null });
	await subscriber("partie@example.fr", { unsubscribed_at: at });
	expect(await queueIssue(opened.shop, write())).toEqual({ ok: true, queued: 2 });
	await delivered();
	expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual(["ada@example.fr", "grace@example.fr"]);

	const [mail = expect.fail("nothing came")] = mailsTo("ada@example.fr");
	expect(readHeader(mail, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
	const url = /^<(http\S+\/lettre-information\/desinscription\/\S+)>$/.exec(readHeader(mail, "list-unsubscribe") ?? "")?.[1] ?? "";
	for (const part of [mail.content.text, mail.content.html]) {
		expect(part).toContain(url);
		expect(part).toContain("l’avez confirmé le 21\u00a0novembre 2026");
		expect(part).toContain(`${opened.url}/commande`);
	}
	expect(mail.content.html).not.toMatch(/<(script|link)\b|<img [^>]*src="(?!cid:)/);
	const answer = await opened.ask(url, { method: "POST", body: new URLSearchParams("List-Unsubscribe=One-Click") });
	expect(answer.status).toBe(200);
	expect(await countSubscriptions(opened.shop.db)).toEqual({ asked: 1, confirmed: 1, ended: 2 });
	at = new Date("2026-12-01T09:00:00Z");
	expect(await queueIssue(opened.shop, write())).toEqual({ ok: true, queued: 1 });
	await delivered();
	expect(mailsTo("ada@example.fr")).toHaveLength(1);
	expect(mailsTo("grace@example.fr")).toHaveLength(2);
});

test("the same file again reaches new subscribers only, even with twenty parallel runs", async () => {
	await subscriber("ada@example.fr");
	const letter = write();
	await queueIssue(opened.shop, letter);
	await delivered();
	await subscriber("grace@example.fr");
	const queued = await Promise.all(Array.from({ length: 20 }, () => queueIssue(opened.shop, letter)));
	expect(queued.reduce((sum, outcome) => sum + (outcome.ok ? outcome.queued : Number.NaN), 0)).toBe(1);
	await delivered();
	expect(smtp.mails.map(({ to }) => to[0])).toEqual(["ada@example.fr", "grace@example.fr"]);
	// who ended it and came back has read it
	await opened.shop.db.updateTable("newsletter_subscriptions").set({ unsubscribed_at: at }).where("email", "=", "ada@example.fr").execute();
	await subscriber("Ada@example.fr");
	expect(await queueIssue(opened.shop, letter)).toEqual({ ok: true, queued: 0 });
	expect((await listIssues(opened.shop.db)).filter(({ subject }) => subject === letter.email.subject)).toMatchObject([{ sent: 2 }]);
});

test("a subscriber gets at most one issue a month, and no issue twice", async () => {
	const { shop } = opened;
	await subscriber("ada@example.fr");
	const november = write();
	at = new Date("2026-11-30T22:59:00Z"); // 23:59 in Paris
	const sent = { subject: november.email.subject, created_at: at };
	const atOnce = await Promise.all([queueIssue(shop, november), ...Array.from({ length: 5 }, () => queueIssue(shop, november))]);
	expect(atOnce.every(({ ok }) => ok)).toBe(true);
	expect(await queueIssue(shop, write())).toMatchObject({ ok: false, code: "issue-exists", existing: sent });
	await subscriber("grace@example.fr");
	at = new Date("2026-11-30T23:01:00Z"); // December
	expect(await queueIssue(shop, november)).toMatchObject({ ok: false, code: "issue-exists", existing: sent });
	expect(await queueIssue(shop, write())).toEqual({ ok: true, queued: 2 });
	await delivered();
	expect([mailsTo("ada@example.fr").length, mailsTo("grace@example.fr").length]).toEqual([2, 1]);
	expect((await listIssues(shop.db)).map(({ created_at, sent }) => [created_at, sent])).toEqual([
		[at, 2],
		[sent.created_at, 1],
	]);
});

test("an issue without recipients does not count for its month", async () => {
	const first = write();
	expect(await queueIssue(opened.shop, first)).toEqual({ ok: true, queued: 0 });
	expect(await listIssues(opened.shop.db)).toEqual([]);
	await subscriber("ada@example.fr");
	expect(await queueIssue(opened.shop, write())).toEqual({ ok: true, queued: 1 });
	await delivered();
	expect(await queueIssue(opened.shop, first)).toMatchObject({ ok: false });
});

test("each confirmed subscriber gets a delivery and a job, over several batches", async () => {
	const { db, connection, close } = await createTestDatabase();
	const jobs = await startJobs(connection, jobKinds, createLog("silent"), { supervise: false });
	const confirmed = { source: "form" as const, text_version: "1", requested_at: at, confirmed_at: at };
	await db
		.insertInto("newsletter_subscriptions")
		.values(Array.from({ length: 1100 }, (_, i) => ({ id: randomUUID(), email: `foule${i}@example.fr`, ...confirmed })))
		.execute();
	expect(await queueIssue({ ...opened.shop, db, jobs, now: () => at }, write())).toEqual({ ok: true, queued: 1100 });
	expect(await db.selectFrom("newsletter_deliveries").select("letter_id").execute()).toHaveLength(1100);
	const { rows } = await sql`select distinct data->>'subscriptionId' from jobs.job where name = 'deliver-newsletter'`.execute(db);
	expect(rows).toHaveLength(1100);
	// that thousands wait for their turn does not make the shop unfit
	await sql`update jobs.job set start_after = now() - interval '1 hour' where name = 'deliver-newsletter'`.execute(db);
	await sql`insert into job_processes values (gen_random_uuid(), now())`.execute(db);
	expect(await areJobsProcessed(db)).toBe(true);
	await jobs.stop(1000);
	await close();
});

test("the outcome of a delivery is recorded on that delivery alone", async () => {
	const [ada, grace] = [await subscriber("ada@example.fr"), await subscriber("grace@example.fr")];
	const november = await writtenDown(ada, grace);
	at = new Date("2026-12-01T09:00:00Z");
	const december = await writtenDown(ada, grace);
	await deliverIssue(opened.shop, november, ada);
	const waiting = (await deliveries()).filter(({ sent_at }) => sent_at === null).map((row) => [row.letter_id, row.subscription_id]);
	expect(waiting.sort()).toEqual([[november, grace], ...[ada, grace].map((id) => [december, id])].sort());
	expect((await listIssues(opened.shop.db)).map(({ sent, waiting }) => [sent, waiting])).toEqual([
		[0, 2],
		[1, 1],
	]);
	expect(smtp.mails.map(({ to }) => to)).toEqual([["ada@example.fr"]]);
});

test("a subscriber who unsubscribed and confirmed again before the sending gets the issue", async () => {
	const before = await subscriber("ada@example.fr");
	const letterId = await writtenDown(before);
	await opened.shop.db.updateTable("newsletter_subscriptions").set({ unsubscribed_at: at }).execute();
	await deliverIssue(opened.shop, letterId, before);
	const back = await subscriber("Ada@example.fr");
	expect(await opened.shop.db.transaction().execute((trx) => insertDeliveries(trx, letterId, 100))).toEqual([back]);
	await deliverIssue(opened.shop, letterId, back);
	expect(smtp.mails.map(({ to }) => to)).toEqual([["Ada@example.fr"]]);
});

test("an issue or a confirmation is retried for half a day while the mail server is down", async () => {
	const { rows } = await sql<{ retry_limit: number; retry_delay: number; retry_delay_max: number }>`
		select retry_limit, retry_delay, retry_delay_max from jobs.queue
		where name in ('deliver-newsletter', 'send-newsletter-confirmation')`.execute(opened.shop.db);
	expect(rows).toHaveLength(2);
	for (const { retry_limit, retry_delay, retry_delay_max } of rows) {
		// pg-boss doubles the delay until it is the longest
		const delays = Array.from({ length: retry_limit }, (_, tried) => Math.min(retry_delay_max, retry_delay * 2 ** tried));
		expect(delays.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(12 * 3600);
	}
});

test("a delivery interrupted after sending is sent again with the same Message-ID, and then no more", async () => {
	const id = await subscriber("ada@example.fr");
	const letterId = await writtenDown(id);
	const killed: Mailer = {
		...opened.shop.mailer,
		async send(mail) {
			await opened.shop.mailer.send(mail);
			throw new Error("killed");
		},
	};
	await expect(deliverIssue({ ...opened.shop, mailer: killed }, letterId, id)).rejects.toThrow("killed");
	expect(await deliveries()).toMatchObject([{ sent_at: null, refused_reason: null }]);
	for (let i = 0; i < 3; i++) await deliverIssue(opened.shop, letterId, id);
	expect(await deliveries()).toMatchObject([{ sent_at: at }]);
	const ids = mailsTo("ada@example.fr").map(({ content }) => content.messageId);
	expect(ids).toEqual(Array(2).fill(expect.stringContaining(`${letterId}-${id}@`)));
});

test("a subscriber who unsubscribes or is erased between queueing and sending gets nothing", async () => {
	const ended = await subscriber("ada@example.fr");
	const erased = await subscriber("grace@example.fr");
	const letterId = await writtenDown(ended, erased);
	await opened.shop.db.updateTable("newsletter_subscriptions").set({ unsubscribed_at: at }).where("id", "=", ended).execute();
	await opened.shop.db.deleteFrom("newsletter_subscriptions").where("id", "=", erased).execute();
	for (const id of [ended, erased]) await deliverIssue(opened.shop, letterId, id);
	expect(smtp.mails).toEqual([]);
	expect(await deliveries()).toMatchObject([{ subscription_id: ended, sent_at: null, refused_reason: null }]);
	// nobody waits for it any more
	expect(await listIssues(opened.shop.db)).toMatchObject([{ sent: 0, refused: 0, waiting: 0 }]);
});

test("deliveries are inserted in batches, each once, the earliest subscribers first", async () => {
	const letterId = await writtenDown();
	const later = await subscriber("ada@example.fr", { confirmed_at: at });
	const first = await subscriber("grace@example.fr", { confirmed_at: new Date(at.getTime() - 1) });
	const next = () => opened.shop.db.transaction().execute((trx) => insertDeliveries(trx, letterId, 1));
	expect([await next(), await next(), await next()]).toEqual([[first], [later], []]);
});

test("an address that no longer exists is unsubscribed; one that only refuses this issue stays", async () => {
	const gone = await subscriber("partie@example.fr");
	const strict = await subscriber("stricte@example.fr");
	smtp.controls.reject("partie@example.fr", "550 5.1.1 <partie@example.fr>: no such user");
	smtp.controls.reject("stricte@example.fr", "550 5.7.1 Looks like spam");
	await queueIssue(opened.shop, write());
	await delivered();
	expect((await deliveries()).map(({ subscription_id, refused_reason }) => [subscription_id, refused_reason?.slice(0, 9)]).sort()).toEqual(
		[
			[gone, "550 5.1.1"],
			[strict, "550 5.7.1"],
		].sort(),
	);
	expect(JSON.stringify(await deliveries())).not.toContain("@example.fr");
	// a refused e-mail is not sent again
	smtp.controls.accept("stricte@example.fr");
	for (const { letter_id } of await deliveries()) await deliverIssue(opened.shop, letter_id, strict);
	expect(mailsTo("stricte@example.fr")).toEqual([]);
	const ends = await opened.shop.db.selectFrom("newsletter_subscriptions").select(["email", "unsubscribed_at"]).orderBy("email").execute();
	expect(ends).toEqual([
		{ email: "partie@example.fr", unsubscribed_at: at },
		{ email: "stricte@example.fr", unsubscribed_at: null },
	]);
});

test("an issue waits while the mail server is down, and is sent once when it is back", async () => {
	await subscriber("ada@example.fr");
	await smtp.controls.down();
	await queueIssue(opened.shop, write());
	expect(await deliveries()).toMatchObject([{ sent_at: null, refused_reason: null }]);
	await smtp.controls.up();
	await delivered();
	expect(mailsTo("ada@example.fr")).toHaveLength(1);
});

test("a test copy goes to one address, looks like the issue, and its link unsubscribes nobody", async () => {
	await subscriber("ada@example.fr");
	const before = await listIssues(opened.shop.db);
	const { content, email } = write();
	await queueTestCopy(opened.shop, content, "relecture@example.fr");
	const mail = await vi.waitFor(() => mailsTo("relecture@example.fr")[0] ?? expect.fail("nothing came"), {
		timeout: scaledTimeout(20_000),
		interval: 25,
	});
	expect(mail.content.subject?.replaceAll("\u00a0", " ")).toBe(email.subject);
	const url = /<(.*)>/.exec(readHeader(mail, "list-unsubscribe") ?? "")?.[1] ?? "";
	expect((await opened.ask(url, { method: "POST" })).status).toBe(200);
	expect(await countSubscriptions(opened.shop.db)).toMatchObject({ confirmed: 1, ended: 0 });
	expect(await listIssues(opened.shop.db)).toEqual(before);
	expect(smtp.mails).toHaveLength(1);
});
