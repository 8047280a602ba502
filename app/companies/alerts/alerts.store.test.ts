import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database, Trx } from "../../../server/database/database.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { insertCompanies } from "../../../test/fixtures/companies.ts";
import { waitForLock } from "../../../test/orders.ts";
import { publishNotice } from "../../../test/publish-notice.ts";
import type { Siren } from "../siren.ts";
import type { AlertChoices } from "./alert-choices.ts";
import {
	deleteAlertMail,
	findSentReading,
	findUnsentAlertMail,
	insertMails,
	listAlertMailsByEmail,
	listFollowers,
	listMailNews,
	recordSentReading,
	updateAlertMail,
} from "./alert-mails.store.server.ts";
import {
	type Alert,
	countAlerts,
	countFollowedCompanies,
	deleteAlertsByEmail,
	deleteOldAlertProofs,
	deleteOldAlertRequests,
	endSilentAlerts,
	findAlert,
	findFollower,
	findOpenAlert,
	findRunningSiren,
	hasRunningAlert,
	insertConfirmedAlert,
	listAlerts,
	listAlertsByEmail,
	listConfirmedTogether,
	listUnsentRequests,
	lockFollower,
	lockFollowerByEmail,
	markAllEnded,
	markConfirmationSent,
	markConfirmed,
	markEnded,
	recordAlertRequest,
	updateActiveAt,
	updateChoices,
	updateConfirmAfter,
} from "./alerts.store.server.ts";

let db: Database;
let close: () => Promise<void>;
beforeAll(async () => {
	({ db, close } = await createTestDatabase());
	const company = (siren: string, name: string) => ({ id: Number(siren), siren, name, legal_category: "5710" });
	await insertCompanies(db, [company(alpha, "ALPHA"), company(beta, "BETA"), company(otherAlpha, "ALPHA"), company(hidden, "HIDDEN")]);
	await db.updateTable("companies").set({ masked: true }).where("siren", "=", hidden).execute();
});
afterAll(() => close?.());
beforeEach(async () => {
	await db.deleteFrom("company_followers").execute();
});

const [beta, alpha, otherAlpha, hidden] = ["900000301", "900000302", "900000303", "900000304"] as Siren[] as [Siren, Siren, Siren, Siren];
const start = new Date("2026-11-23T09:00:00Z");
const later = (milliseconds: number) => new Date(start.getTime() + milliseconds);
const day = 86_400_000;
const inTransaction = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
const choices: AlertChoices = { frequency: "at-once", topics: ["changes"] };
const others: AlertChoices = { frequency: "weekly", topics: ["sales", "accounts"] };

const insertFollower = (email: string) => inTransaction(async (trx) => (await lockFollowerByEmail(trx, email, start)).id);

/** Inserts an alert that was confirmed at once, except for the given columns. @returns its id. */
async function insertAlert(followerId: string, siren: Siren, values: Partial<Alert> = {}): Promise<string> {
	const id = randomUUID();
	const row = { id, follower_id: followerId, siren, ...choices, text_version: "1", requested_at: start, confirmed_at: start, ...values };
	await db.insertInto("company_alerts").values(row).execute();
	return id;
}
const markSent = (id: string, requested_at: Date, now: Date) =>
	inTransaction((trx) => markConfirmationSent(trx, [{ id, requested_at }], { mailId: "a mail", now }));
/** Reads without indexes, which would give the rows in an order that the query does not ask for. */
const readUnsorted = <T>(read: (trx: Trx) => Promise<T>): Promise<T> =>
	inTransaction(async (trx) => {
		for (const way of ["indexscan", "indexonlyscan", "bitmapscan", "sort"])
			await sql`set local ${sql.ref(`enable_${way}`)} = off`.execute(trx);
		return read(trx);
	});
const readAlert = async (id: string) => (await findAlert(db, id)) ?? expect.fail("the alert is not stored");

describe("a mailbox", () => {
	test("is one in any case, keeps its first spelling, and is found by its id and its address", async () => {
		const [id, other] = [await insertFollower("Ada@example.fr"), await insertFollower("grace@example.fr")];
		expect(await insertFollower("ADA@example.fr")).toBe(id);
		await inTransaction((trx) => updateActiveAt(trx, id, later(1)));
		const ada = { id, email: "Ada@example.fr", activeAt: later(1) };
		expect(await findFollower(db, { id })).toEqual(ada);
		expect(await findFollower(db, { email: "ada@EXAMPLE.fr" })).toEqual(ada);
		expect(await findFollower(db, { id: other })).toEqual({ id: other, email: "grace@example.fr", activeAt: null });
		expect([await findFollower(db, { id: randomUUID() }), await findFollower(db, { email: "eve@example.fr" })]).toEqual([null, null]);
		expect(await inTransaction(async (trx) => [await lockFollower(trx, id), await lockFollower(trx, randomUUID())])).toEqual([true, false]);
	});

	test("has its own instant of the next e-mail that asks for confirmation", async () => {
		const lock = (email: string) => inTransaction((trx) => lockFollowerByEmail(trx, email, start));
		const ada = await lock("ada@example.fr");
		expect(ada.confirmAfter).toBeNull();
		await lock("grace@example.fr");
		await inTransaction((trx) => updateConfirmAfter(trx, ada.id, later(5)));
		expect([await lock("ADA@example.fr"), (await lock("grace@example.fr")).confirmAfter]).toEqual([
			{ id: ada.id, confirmAfter: later(5) },
			null,
		]);
	});

	test("lists its running alerts by the company's name, then by number; one of a masked company has no name", async () => {
		const [ada, grace] = [await insertFollower("ada@example.fr"), await insertFollower("grace@example.fr")];
		const sirens = [hidden, beta, otherAlpha, alpha] as const;
		for (const siren of sirens) await insertAlert(ada, siren);
		await insertAlert(ada, alpha, { ended_at: start });
		await insertAlert(ada, "552032534" as Siren, { confirmed_at: null });
		await insertAlert(grace, beta);
		const listed = await readUnsorted((trx) => listAlerts(trx, ada));
		expect(listed.map(({ siren, name }) => [siren, name])).toEqual([
			[alpha, "ALPHA"],
			[otherAlpha, "ALPHA"],
			[beta, "BETA"],
			[hidden, null],
		]);
		expect(listed[0]).toEqual({ id: expect.any(String), siren: alpha, name: "ALPHA", ...choices });
		expect([await countFollowedCompanies(db, ada), await countFollowedCompanies(db, grace)]).toEqual([4, 1]);
	});

	test("has a running alert from its confirmation to its end", async () => {
		const ada = await insertFollower("ada@example.fr");
		await insertAlert(await insertFollower("grace@example.fr"), alpha);
		const id = await insertAlert(ada, alpha, { confirmed_at: null });
		const has = () => hasRunningAlert(db, ada);
		const open = () => inTransaction(async (trx) => (await findOpenAlert(trx, ada, alpha))?.id);
		expect([await has(), await open()]).toEqual([false, id]);
		expect(await inTransaction((trx) => findOpenAlert(trx, ada, beta))).toBeNull();
		await inTransaction((trx) => markConfirmed(trx, id, start));
		expect([await has(), await open()]).toEqual([true, id]);
		await markEnded(db, id, start);
		expect([await has(), await open()]).toEqual([false, undefined]);
	});
});

describe("a request", () => {
	const ask = (followerId: string, of: AlertChoices, milliseconds: number, siren = alpha) =>
		inTransaction((trx) =>
			recordAlertRequest(trx, { followerId, siren, choices: of, textVersion: `${milliseconds}`, now: later(milliseconds) }),
		);

	test("that is repeated has its last choices, and asks for another confirmation a day after the last one", async () => {
		const ada = await insertFollower("ada@example.fr");
		const id = (await ask(ada, choices, 0)) ?? "";
		// not sent yet
		expect(await ask(ada, others, 1)).toBe(id);
		expect(await readAlert(id)).toMatchObject({ ...others, text_version: "1", requested_at: start, email: "ada@example.fr" });
		await markSent(id, later(1), later(10));
		expect((await readAlert(id)).confirmation_sent_at).toBeNull();
		await markSent(id, start, start);
		expect(await ask(ada, others, 2)).toBeNull();
		await markSent(id, start, later(10));
		expect((await readAlert(id)).confirmation_sent_at).toEqual(later(10));
		expect(await ask(ada, choices, day + 9)).toBeNull();
		expect(await readAlert(id)).toMatchObject({ ...choices, requested_at: start });
		expect(await ask(ada, choices, day + 10)).toBe(id);
		expect((await readAlert(id)).requested_at).toEqual(later(day + 10));
		expect(await ask(ada, choices, 2 * day + 9)).toBe(id);
		expect((await readAlert(id)).requested_at).toEqual(later(day + 10));
	});

	test("of another company, or of another mailbox, is another one", async () => {
		const [ada, grace] = [await insertFollower("ada@example.fr"), await insertFollower("grace@example.fr")];
		const ids = [await ask(ada, choices, 0), await ask(ada, choices, 0, beta), await ask(grace, choices, 0)];
		expect(new Set(ids).size).toBe(3);
		for (const id of ids) expect(await readAlert(id ?? "")).toMatchObject({ confirmed_at: null, confirmation_sent_at: null });
		await markSent(ids[0] ?? "", start, start);
		expect((await readAlert(ids[1] ?? "")).confirmation_sent_at).toBeNull();
	});

	test("that waits is confirmed with the choices of the list, once, and then keeps its time", async () => {
		const ada = await insertFollower("ada@example.fr");
		const id = (await ask(ada, others, 0)) ?? "";
		const follow = (siren: Siren, milliseconds: number) =>
			inTransaction((trx) => insertConfirmedAlert(trx, { followerId: ada, siren, choices, textVersion: "list", now: later(milliseconds) }));
		await follow(alpha, 5);
		const confirmed = { ...choices, text_version: "list", confirmed_at: later(5), ended_at: null };
		expect(await readAlert(id)).toMatchObject({ ...confirmed, requested_at: start });
		await follow(beta, 5);
		const [, other] = await listAlerts(db, ada);
		expect(await readAlert(other?.id ?? "")).toMatchObject({ ...confirmed, siren: beta, requested_at: later(5) });
		const waiting = await insertAlert(ada, otherAlpha, { confirmed_at: null });
		const another = await insertAlert(ada, hidden, { confirmed_at: null });
		for (const at of [later(6), later(7)]) await inTransaction((trx) => markConfirmed(trx, waiting, at));
		expect((await readAlert(waiting)).confirmed_at).toEqual(later(6));
		expect((await readAlert(another)).confirmed_at).toBeNull();
		expect((await readAlert(id)).confirmed_at).toEqual(later(5));
		expect(await findAlert(db, randomUUID())).toBeNull();
	});
});

describe("an e-mail that asks for confirmation", () => {
	test("names what waits for one, the oldest first, then by number, up to a limit", async () => {
		const [ada, grace] = [await insertFollower("ada@example.fr"), await insertFollower("grace@example.fr")];
		const asked = { confirmed_at: null, requested_at: later(2) };
		const repeated = await insertAlert(ada, otherAlpha, { ...asked, confirmation_sent_at: later(1) });
		const first = await insertAlert(ada, hidden, { ...asked, requested_at: later(1) });
		const second = await insertAlert(ada, beta, asked);
		await insertAlert(ada, alpha, { ...asked, confirmation_sent_at: later(2) });
		await insertAlert(ada, "552032534" as Siren);
		await insertAlert(grace, alpha, asked);
		const list = (limit: number) => readUnsorted(async (trx) => (await listUnsentRequests(trx, ada, limit)).map(({ id }) => id));
		expect([await list(3), await list(2)]).toEqual([
			[first, second, repeated],
			[first, second],
		]);
	});

	test("confirms what it named and has not ended, the alert of the link first, then by number", async () => {
		const [ada, grace] = [await insertFollower("ada@example.fr"), await insertFollower("grace@example.fr")];
		const named = { confirmed_at: null, confirmation_mail: "a mail" };
		const other = await insertAlert(ada, otherAlpha, named);
		const link = await insertAlert(ada, hidden, named);
		const confirmed = await insertAlert(ada, beta, { confirmation_mail: "a mail" });
		const ofAnother = await insertAlert(ada, alpha, { confirmed_at: null, confirmation_mail: "another mail" });
		await insertAlert(ada, alpha, { confirmation_mail: "a mail", ended_at: start });
		await insertAlert(grace, alpha, named);
		const list = async (id: string) => {
			const alert = await readAlert(id);
			return readUnsorted(async (trx) => (await listConfirmedTogether(trx, alert)).map(({ id }) => id));
		};
		expect(await list(link)).toEqual([link, confirmed, other]);
		expect(await list(ofAnother)).toEqual([ofAnother]);
		// its e-mail left before one could name several
		expect(await list(await insertAlert(grace, beta, { confirmed_at: null }))).toHaveLength(1);
	});
});

describe("the choices", () => {
	test("of a running alert of one's own are changed, and of no other", async () => {
		const [ada, grace] = [await insertFollower("ada@example.fr"), await insertFollower("grace@example.fr")];
		const own = await insertAlert(ada, alpha);
		const untouched = [
			await insertAlert(ada, beta),
			await insertAlert(ada, alpha, { ended_at: start }),
			await insertAlert(ada, otherAlpha, { confirmed_at: null }),
			await insertAlert(grace, alpha),
		];
		for (const id of [own, ...untouched.slice(1)]) await inTransaction((trx) => updateChoices(trx, ada, id, others));
		expect(await readAlert(own)).toMatchObject(others);
		for (const id of untouched) expect(await readAlert(id)).toMatchObject(choices);
	});
});

describe("the end", () => {
	const listEnded = async (ids: readonly string[]) => {
		const ended = [];
		for (const id of ids) ended.push((await findAlert(db, id))?.ended_at);
		return ended;
	};

	test("by the link of an earlier alert is that of the running one for the same company and mailbox", async () => {
		const [ada, grace] = [await insertFollower("ada@example.fr"), await insertFollower("grace@example.fr")];
		const earlier = await insertAlert(ada, alpha, { ended_at: start });
		expect(await findRunningSiren(db, earlier)).toBeNull();
		const waiting = await insertAlert(ada, beta, { confirmed_at: null });
		const ids = [earlier, await insertAlert(ada, alpha), waiting, await insertAlert(grace, alpha)];
		expect(await findRunningSiren(db, earlier)).toBe(alpha);
		expect(await findRunningSiren(db, waiting)).toBeNull();
		await markEnded(db, earlier, later(1));
		await markEnded(db, waiting, later(1));
		expect(await listEnded(ids)).toEqual([start, later(1), null, null]);
	});

	test("of all alerts of a mailbox keeps the time of what had ended, and deletes what waits", async () => {
		const [ada, grace] = [await insertFollower("ada@example.fr"), await insertFollower("grace@example.fr")];
		const ids = [
			...[await insertAlert(ada, alpha, { ended_at: start }), await insertAlert(ada, alpha), await insertAlert(ada, beta)],
			...[await insertAlert(ada, otherAlpha, { confirmed_at: null }), await insertAlert(grace, alpha)],
			await insertAlert(grace, beta, { confirmed_at: null }),
		];
		await inTransaction((trx) => markAllEnded(trx, ada, later(1)));
		expect(await listEnded(ids)).toEqual([start, later(1), later(1), undefined, null, null]);
	});

	test("comes to the running alerts of mailboxes without an act of their owner", async () => {
		const [silent, active] = [await insertFollower("ada@example.fr"), await insertFollower("grace@example.fr")];
		await inTransaction((trx) => updateActiveAt(trx, silent, later(-1)));
		await inTransaction((trx) => updateActiveAt(trx, active, start));
		const ids = [
			...[await insertAlert(silent, alpha), await insertAlert(silent, beta, { ended_at: later(-5) })],
			...[await insertAlert(silent, otherAlpha, { confirmed_at: null }), await insertAlert(active, alpha)],
		];
		expect(await endSilentAlerts(db, start, later(1))).toBe(1);
		expect(await listEnded(ids)).toEqual([later(1), later(-5), null, null]);
	});
});

describe("what is stored of a person", () => {
	test("is listed by time, then by company, and deleted, in any case", async () => {
		const [ada, grace] = [await insertFollower("ada@example.fr"), await insertFollower("grace@example.fr")];
		await inTransaction((trx) => updateActiveAt(trx, ada, later(9)));
		await insertAlert(ada, beta, { requested_at: later(1), confirmation_sent_at: later(2), confirmed_at: later(3), ended_at: later(4) });
		await insertAlert(ada, alpha, others);
		await insertAlert(ada, beta);
		await insertAlert(grace, beta);
		const common = { email: "ada@example.fr", text_version: "1", active_at: later(9) };
		expect(await listAlertsByEmail(db, " ADA@example.fr")).toEqual([
			{ ...common, ...choices, siren: beta, requested_at: start, confirmation_sent_at: null, confirmed_at: start, ended_at: null },
			{ ...common, ...others, siren: alpha, requested_at: start, confirmation_sent_at: null, confirmed_at: start, ended_at: null },
			{
				...{ ...common, ...choices, siren: beta },
				...{ requested_at: later(1), confirmation_sent_at: later(2), confirmed_at: later(3), ended_at: later(4) },
			},
		]);
		expect(await deleteAlertsByEmail(db, " ADA@example.fr")).toBe(3);
		expect([await findFollower(db, { id: ada }), await listAlertsByEmail(db, "ada@example.fr")]).toEqual([null, []]);
		expect([(await findFollower(db, { id: grace }))?.id, (await listAlertsByEmail(db, "grace@example.fr")).length]).toEqual([grace, 1]);
	});

	test("is counted: what waits, and the companies and mailboxes of running alerts", async () => {
		const [ada, grace] = [await insertFollower("ada@example.fr"), await insertFollower("grace@example.fr")];
		for (const siren of [alpha, beta, otherAlpha]) await insertAlert(ada, siren);
		await insertAlert(grace, alpha);
		await insertAlert(grace, hidden, { ended_at: start });
		await insertAlert(grace, beta, { confirmed_at: null });
		expect(await countAlerts(db)).toEqual({ asked: 1, companies: 3, mailboxes: 2 });
	});

	test("goes when it is old: requests that wait, and alerts that ended, with mailboxes that have no other", async () => {
		const emails = ["ada@example.fr", "grace@example.fr", "eve@example.fr"];
		const [ada = "", grace = "", eve = ""] = await Promise.all(emails.map(insertFollower));
		const kept = [
			...[await insertAlert(ada, alpha, { requested_at: later(-1) }), await insertAlert(ada, beta, { confirmed_at: null })],
			await insertAlert(ada, beta, { ended_at: start }),
		];
		const waiting = await insertAlert(grace, alpha, { requested_at: later(-1), confirmed_at: null });
		const ended = await insertAlert(eve, alpha, { ended_at: later(-1) });
		expect(await deleteOldAlertRequests(db, start)).toBe(1);
		expect(await findAlert(db, waiting)).toBeNull();
		expect(await deleteOldAlertProofs(db, start)).toBe(1);
		expect(await findAlert(db, ended)).toBeNull();
		for (const id of kept) await readAlert(id);
		expect((await db.selectFrom("company_followers").select("email").execute()).map(({ email }) => email)).toEqual(["ada@example.fr"]);
	});

	test("stays, of an empty mailbox whose request is just being recorded", async () => {
		const ada = await insertFollower("ada@example.fr");
		await inTransaction(async (trx) => {
			await lockFollower(trx, ada);
			// waits for nothing: the mailbox is left to the next night
			expect(await deleteOldAlertProofs(db, start)).toBe(0);
		});
		expect(await findFollower(db, { id: ada })).not.toBeNull();
		expect(await deleteOldAlertProofs(db, start)).toBe(0);
		expect(await findFollower(db, { id: ada })).toBeNull();
	});
});

describe("the e-mails with news", () => {
	const clear = async () => {
		for (const table of ["bulletin_notices", "bulletin_corrections", "company_alert_readings"] as const)
			await db.deleteFrom(table).execute();
	};
	beforeEach(clear);

	const write = (followerIds: readonly string[], frequency: "at-once" | "weekly" = "at-once") =>
		inTransaction((trx) => insertMails(trx, { followerIds, frequency, now: start }));
	const publish = (siren: Siren, id: string, publishedOn = "2026-11-23") => publishNotice(db, { siren, id, publishedOn });

	test("are for mailboxes with a running alert of that frequency, each once, by page", async () => {
		const ids = (await Promise.all(["a", "b", "c", "d", "e"].map((name) => insertFollower(`${name}@example.fr`)))).sort();
		const [first = "", second = "", third = "", fourth = "", fifth = ""] = ids;
		for (const siren of [alpha, beta]) for (const id of [third, first, second]) await insertAlert(id, siren);
		await insertAlert(first, otherAlpha, others);
		await insertAlert(fourth, alpha, { confirmed_at: null });
		await insertAlert(fifth, alpha, { ended_at: start });
		const list = (values: Partial<Parameters<typeof listFollowers>[1]>) =>
			listFollowers(db, { frequency: "at-once", after: null, limit: 10, ...values });
		expect(await list({})).toEqual([first, second, third]);
		expect(await list({ limit: 2 })).toEqual([first, second]);
		expect(await list({ after: first })).toEqual([second, third]);
		expect(await list({ frequency: "weekly" })).toEqual([first]);
	});

	test("are for mailboxes by their id, of which the next page goes on", async () => {
		const ids = [];
		for (let n = 0; n < 12; n++) ids.push(await insertFollower(`${n}@example.fr`));
		for (const id of ids) await insertAlert(id, alpha);
		const page = { frequency: "at-once", after: null, limit: 12 } as const;
		expect(await readUnsorted((trx) => listFollowers(trx, page))).toEqual(ids.sort());
	});

	test("are one for each of these mailboxes that has any", async () => {
		const [ada, grace, eve] = [
			await insertFollower("ada@example.fr"),
			await insertFollower("grace@example.fr"),
			await insertFollower("eve@example.fr"),
		];
		for (const id of [ada, grace, eve]) await insertAlert(id, alpha);
		await insertAlert(ada, beta);
		await insertAlert(eve, beta, others);
		await publish(alpha, "B202601212014");
		await publish(beta, "B202601212015");
		const mails = await write([ada, grace]);
		expect(mails).toHaveLength(2);
		const news = [];
		for (const id of mails) {
			const mail = await findUnsentAlertMail(db, id);
			expect(mail).toEqual({ id, followerId: mail?.followerId, email: expect.stringContaining("@example.fr"), activeAt: start });
			news.push([mail?.followerId, (await listMailNews(db, id)).map((row) => row.id)]);
		}
		expect(news).toEqual(
			expect.arrayContaining([
				[ada, ["B202601212014", "B202601212015"]],
				[grace, ["B202601212014"]],
			]),
		);
		expect(await write([ada, grace])).toEqual([]);
		expect(await write([eve], "weekly")).toEqual([]);
	});

	test("are written by one of two runs at the same time; the other one finds nothing left to tell", async () => {
		const ada = await insertFollower("ada@example.fr");
		await insertAlert(ada, alpha);
		await publish(alpha, "B202601212014");
		let second: Promise<string[]> | undefined;
		await inTransaction(async (trx) => {
			expect(await insertMails(trx, { followerIds: [ada], frequency: "at-once", now: start })).toHaveLength(1);
			second = write([ada]);
			await waitForLock(db, second);
		});
		expect([await second, (await listAlertMailsByEmail(db, "ada@example.fr")).length]).toEqual([[], 1]);
	});

	test("are not written for a company that was masked", async () => {
		const ada = await insertFollower("ada@example.fr");
		await insertAlert(ada, hidden);
		await publish(hidden, "B202601212014");
		expect(await write([ada])).toEqual([]);
	});

	test("tell a notice or a correction that names several companies once for each, with what it says about it", async () => {
		const ada = await insertFollower("ada@example.fr");
		const tell = async () => {
			const [mailId = ""] = await write([ada]);
			return (await listMailNews(db, mailId)).map(({ siren, id, kind, target_kind }) => [siren, id, kind, target_kind]);
		};
		await insertAlert(ada, alpha);
		await publishNotice(db, { siren: alpha, id: "B1", publishedOn: "2026-11-23", kind: "capital" });
		await publishNotice(db, { siren: beta, id: "B1", publishedOn: "2026-11-23", kind: "adresse" });
		expect(await tell()).toEqual([[alpha, "B1", "capital", null]]);
		// told about the one company, and not yet about the other
		await insertAlert(ada, beta);
		expect(await tell()).toEqual([[beta, "B1", "adresse", null]]);
		// the correction itself names one of them only
		await publishNotice(db, { siren: beta, id: "B2", publishedOn: "2026-11-24", kind: "activité", target: "B1" });
		expect(await tell()).toEqual([
			[alpha, "B2", null, "capital"],
			[beta, "B2", "activité", "adresse"],
		]);
	});

	test("leave out a notice that is no longer in the bulletin", async () => {
		const ada = await insertFollower("ada@example.fr");
		await insertAlert(ada, alpha);
		for (const id of ["B1", "B2"]) await publish(alpha, id);
		const [mailId = ""] = await write([ada]);
		await db.deleteFrom("bulletin_notices").where("id", "=", "B1").execute();
		expect((await listMailNews(db, mailId)).map(({ id }) => id)).toEqual(["B2"]);
	});

	test("list them by the company's name and number, then by day, the newest first, then by id", async () => {
		const ada = await insertFollower("ada@example.fr");
		await inTransaction((trx) => updateActiveAt(trx, ada, later(7)));
		for (const siren of [beta, otherAlpha, alpha]) await insertAlert(ada, siren);
		const published = [
			...([
				[beta, "B1"],
				[otherAlpha, "B2"],
				[alpha, "B4"],
				[alpha, "B3"],
			] as const),
			[alpha, "B5", "2026-11-24"],
		] as const;
		for (const [siren, id, on] of published) await publish(siren, id, on);
		const [mailId = ""] = await write([ada]);
		expect((await listMailNews(db, mailId)).map(({ id }) => id)).toEqual(["B5", "B3", "B4", "B2", "B1"]);
		expect((await findUnsentAlertMail(db, mailId))?.activeAt).toEqual(later(7));
	});

	test("are sent or refused once, and those without news are written again", async () => {
		const [ada, grace] = [await insertFollower("ada@example.fr"), await insertFollower("grace@example.fr")];
		for (const id of [ada, grace]) await insertAlert(id, alpha);
		await publish(alpha, "B202601212014");
		const [ofAda = "", ofGrace = ""] = [...(await write([ada])), ...(await write([grace]))];
		await updateAlertMail(db, ofAda, { sent_at: later(1) });
		expect([await findUnsentAlertMail(db, ofAda), (await findUnsentAlertMail(db, ofGrace))?.id]).toEqual([null, ofGrace]);
		await updateAlertMail(db, ofGrace, { refused_reason: "550" });
		expect(await findUnsentAlertMail(db, ofGrace)).toBeNull();
		const stored = { created_at: start, notices: ["B202601212014"] };
		expect(await listAlertMailsByEmail(db, " ADA@example.fr")).toEqual([{ ...stored, sent_at: later(1), refused_reason: null }]);
		expect(await listAlertMailsByEmail(db, "grace@example.fr")).toEqual([{ ...stored, sent_at: null, refused_reason: "550" }]);
		await deleteAlertMail(db, ofAda);
		expect([(await listAlertMailsByEmail(db, "ada@example.fr")).length, (await write([ada, grace])).length]).toEqual([0, 1]);
	});

	test("of a person are listed oldest first, each with its notices by id", async () => {
		const ada = await insertFollower("ada@example.fr");
		await insertAlert(ada, alpha);
		for (const id of ["B3", "B2"]) await publish(alpha, id);
		await write([ada]);
		await publish(alpha, "B1");
		await inTransaction((trx) => insertMails(trx, { followerIds: [ada], frequency: "at-once", now: later(-1) }));
		expect((await listAlertMailsByEmail(db, "ada@example.fr")).map(({ notices }) => notices)).toEqual([["B1"], ["B2", "B3"]]);
	});

	test("follow a reading of the bulletin, of which only the last is stored", async () => {
		expect(await findSentReading(db)).toBeNull();
		for (const at of [start, later(1)]) {
			await recordSentReading(db, at);
			expect(await findSentReading(db)).toEqual(at);
		}
		expect((await sql`select from company_alert_readings`.execute(db)).rows).toHaveLength(1);
	});
});
