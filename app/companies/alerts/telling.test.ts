import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { typedEntries, typedKeys } from "../../../server/types/objects.ts";
import { type AlertShop, createAlertShop, createRecordedLog, danone } from "../../../test/company-alerts.ts";
import { waitForLock } from "../../../test/orders.ts";
import { recordReading } from "../../../test/publish-notice.ts";
import { formatLongDay } from "../../catalogue/instants.ts";
import { jobKinds } from "../../job-kinds.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { NoticeFamily } from "../bulletin/notice.ts";
import { type AlertChoices, alertTopics } from "./alert-choices.ts";
import { insertMails } from "./alert-mails.store.server.ts";
import { lockFollower, recordAlertRequest } from "./alerts.store.server.ts";
import { deliverAlertMail } from "./deliver-alert-mail.server.ts";
import { queueAlertsAtOnce, queueWeeklyAlerts } from "./queue-alerts.server.ts";

let shop: AlertShop;
beforeAll(async () => {
	shop = await createAlertShop("2026-11-23T09:00:00Z");
});
afterAll(() => shop?.stop());
beforeEach(async () => {
	await shop.waitForJobs();
	const { db } = shop.shop;
	for (const table of [
		"company_followers",
		"company_alert_readings",
		"bulletin_notices",
		"bulletin_corrections",
		"bulletin_readings",
	] as const)
		await db.deleteFrom(table).execute();
	await sql`delete from rate_limits`.execute(db);
	shop.smtp.mails.length = 0;
	shop.clock.at = new Date(new Date("2026-11-23T09:00:00Z").getTime() + ++tests * 7 * 86_400_000);
});
let tests = 0;

const laPoste = "356000000";
const today = (offset = 0) => new Date(shop.clock.at.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
const subjects = (email: string) => shop.newsTo(email).map(({ subject }) => subject);
const countMails = async () => (await shop.shop.db.selectFrom("company_alert_mails").select("id").execute()).length;

/** E-mails that are written, and whose job is this test's to do. */
async function writeMails(): Promise<string[]> {
	const { db } = shop.shop;
	const followerIds = (await db.selectFrom("company_followers").select("id").execute()).map(({ id }) => id);
	return db.transaction().execute((trx) => insertMails(trx, { followerIds, frequency: "at-once", now: shop.clock.at }));
}

test("each follower is told of a new notice once, in an e-mail with its source and three ways to end", async () => {
	await shop.follow("ada@example.fr");
	await shop.follow("grace@example.fr");
	await shop.ask("attend@example.fr");
	await shop.tell();
	expect(shop.newsTo("ada@example.fr")).toEqual([]); // no e-mail without news
	shop.days(1);
	const id = await shop.publish({ kind: "capital", court: "PARIS", id: "B202601212014" });
	await shop.tell();
	await shop.tell();
	for (const email of ["ada@example.fr", "grace@example.fr"]) expect(subjects(email)).toEqual(["Une annonce au BODACC : DANONE"]);
	expect(shop.newsTo("attend@example.fr")).toEqual([]);
	const [{ text, endAll, oneClick } = expect.fail("nothing came")] = shop.newsTo("ada@example.fr");
	expect(text).toContain(`Modification publiée le ${formatLongDay(new Date(today()))} : capital`);
	for (const said of [
		`https://www.bodacc.fr/pages/annonces-commerciales-detail/?q.id=id:${id}`,
		"Source : BODACC (DILA, Licence Ouverte 2.0), dernier relevé le",
		`${shop.url}/entreprise/${danone}`,
		`${shop.url}/alertes/fin/`,
		endAll,
	])
		expect(text).toContain(said);
	expect(endAll).toContain(`${shop.url}/alertes/desinscription/`);
	expect(oneClick).toBe("List-Unsubscribe=One-Click");
	expect(text).toMatch(/http\S+\/alertes\/[\w-]+\./);
	for (const url of text.match(/http\S+\/alertes\/\S+/g) ?? []) expect(decodeURIComponent(url)).not.toContain("@");
});

test("the news of a mailbox are one e-mail, grouped by company", async () => {
	await shop.follow("ada@example.fr");
	await shop.follow("ada@example.fr", { siren: laPoste });
	await shop.publish({ family: "vente" });
	await shop.publish({ siren: laPoste, family: "collective", kind: "Jugement d’ouverture" });
	await shop.publish({ family: "radiation" });
	await shop.tell();
	expect(subjects("ada@example.fr")).toEqual(["3 annonces au BODACC : 2 entreprises que vous suivez"]);
	const [{ text } = expect.fail()] = shop.newsTo("ada@example.fr");
	const places = ["DANONE", "Annonce de vente", "Radiation publiée", "LA POSTE", "Annonce de procédure collective publiée"].map((part) =>
		text.indexOf(part),
	);
	expect(places).not.toContain(-1);
	expect(text.indexOf("LA POSTE")).toBeGreaterThan(text.indexOf("Radiation publiée"));
	expect(text).toContain("Une radiation peut suivre un transfert à un autre greffe");
	expect(text.match(/\/alertes\/fin\//g)).toHaveLength(2);
});

test("only the chosen families are told; a family without a code belongs to the changes", async () => {
	const families = typedEntries(alertTopics).flatMap(([, { families }]) => families);
	expect([...families].sort()).toEqual(
		(
			[
				"creation",
				"immatriculation",
				"modification",
				"radiation",
				"transfert",
				"collective",
				"conciliation",
				"vente",
				"dpc",
				"other",
			] satisfies NoticeFamily[]
		).sort(),
	);
	for (const topic of typedKeys(alertTopics)) await shop.follow(`${topic}@example.fr`, { topics: [topic] });
	await shop.follow("defaut@example.fr");
	for (const family of families) await shop.publish({ family });
	await shop.tell();
	for (const topic of typedKeys(alertTopics)) {
		const { families } = alertTopics[topic];
		expect(subjects(`${topic}@example.fr`)).toEqual([
			`${families.length === 1 ? "Une annonce" : `${families.length} annonces`} au BODACC : DANONE`,
		]);
	}
	expect(subjects("defaut@example.fr")).toEqual([`${families.length - 1} annonces au BODACC : DANONE`]);
});

test("notices from before the day of the confirmation are not told; late ones from that day on are", async () => {
	await shop.publish({ publishedOn: today(-1) });
	await shop.publish({ publishedOn: today() });
	await shop.follow("ada@example.fr");
	await shop.tell();
	expect(subjects("ada@example.fr")).toEqual(["Une annonce au BODACC : DANONE"]);
	shop.days(5);
	await shop.publish({ publishedOn: today(-6) });
	await shop.publish({ publishedOn: today(-3) });
	await shop.tell();
	expect(subjects("ada@example.fr")).toHaveLength(2);
	expect(subjects("ada@example.fr")[1]).toBe("Une annonce au BODACC : DANONE");
});

test("the day of the confirmation is that of Paris", async () => {
	shop.clock.at = new Date(`${today()}T23:30:00Z`); // 0 h 30 of the next day
	await shop.publish({ publishedOn: today() });
	await shop.follow("ada@example.fr");
	await shop.tell();
	expect(subjects("ada@example.fr")).toEqual([]);
});

test("nothing is told at once before the bulletin was read again; what came meanwhile is told after the next reading", async () => {
	await shop.follow("ada@example.fr");
	await shop.tell();
	await shop.publish();
	await queueAlertsAtOnce(shop.shop);
	expect(await countMails()).toBe(0);
	await shop.tell();
	expect(await countMails()).toBe(1);
});

test("a weekly alert is sent on Monday only, with the notices of the week", async () => {
	await shop.follow("hebdo@example.fr", { frequency: "weekly" });
	await shop.follow("ada@example.fr");
	await shop.publish();
	await shop.tell();
	shop.days(1);
	await shop.publish();
	await shop.tell();
	expect([subjects("hebdo@example.fr").length, subjects("ada@example.fr").length]).toEqual([0, 2]);
	await shop.tell("weekly");
	await shop.tell("weekly");
	expect(subjects("hebdo@example.fr")).toEqual(["2 annonces au BODACC : DANONE"]);
	expect(subjects("ada@example.fr")).toHaveLength(2);
	expect(jobKinds["queue-weekly-company-alerts"].cron).toBe("30 7 * * 1");
});

test("a told notice that is corrected or cancelled is told again; one that was never told is not", async () => {
	await shop.follow("ada@example.fr", { topics: ["sales"] });
	const sale = await shop.publish({ family: "vente", kind: "fonds de commerce" });
	const corrected = await shop.publish({ family: "vente" });
	const other = await shop.publish({ family: "modification" });
	await shop.tell();
	shop.days(2);
	await shop.publish({ family: "vente", target: sale, cancels: true });
	// its own family is not chosen, but what it corrects was told
	await shop.publish({ family: "modification", kind: "adresse", target: corrected });
	await shop.publish({ family: "modification", target: other, cancels: true });
	await shop.tell();
	await shop.tell();
	expect(subjects("ada@example.fr")).toEqual(["2 annonces au BODACC : DANONE", "2 annonces au BODACC : DANONE"]);
	const text = shop.newsTo("ada@example.fr")[1]?.text ?? "";
	expect(text).toMatch(/Annonce du .* \(vente ou cession, fonds de commerce\) : annulée par une annonce publiée le/);
	expect(text).toMatch(/Modification publiée le .* : adresse\. Rectifie l’annonce du/);
});

test("a notice that was cancelled before it was told is not told, and a corrected one only as its correction", async () => {
	await shop.follow("ada@example.fr");
	const [cancelled, corrected] = [await shop.publish(), await shop.publish()];
	await shop.publish({ target: cancelled, cancels: true });
	await shop.publish({ target: corrected, kind: "capital" });
	await shop.tell();
	expect(subjects("ada@example.fr")).toEqual(["Une annonce au BODACC : DANONE"]);
	expect(shop.newsTo("ada@example.fr")[0]?.text).toContain("capital. Rectifie l’annonce du");
});

test("who ends an alert and follows again confirms again, starts anew, and is told nothing old", async () => {
	const first = await shop.follow("ada@example.fr");
	await shop.publish();
	await shop.tell();
	const [{ text } = expect.fail()] = shop.newsTo("ada@example.fr");
	const end = /http\S+\/alertes\/fin\/\S+/.exec(text)?.[0] ?? "";
	await shop.postForm(end, {});
	shop.days(1);
	const between = await shop.publish();
	await shop.tell();
	expect(subjects("ada@example.fr")).toHaveLength(1);
	// the old confirmation confirms nothing
	expect((await shop.postForm(first.link, {})).status).toBe(410);
	shop.days(1);
	const again = await shop.follow("Ada@example.fr".toLowerCase());
	expect(again.alert.id).not.toBe(first.alert.id);
	await shop.tell();
	expect(subjects("ada@example.fr")).toHaveLength(1);
	const fresh = await shop.publish();
	await shop.tell();
	expect(subjects("ada@example.fr")).toHaveLength(2);
	expect(shop.newsTo("ada@example.fr")[1]?.text).toContain(fresh);
	expect(shop.newsTo("ada@example.fr")[1]?.text).not.toContain(between);
	// ended and followed again on one day: what was told on that day is not told again, what comes later is
	await shop.postForm(again.list, { do: "end", alert: again.alert.id });
	await shop.postForm(again.list, { do: "follow", siren: danone });
	await shop.tell();
	expect(subjects("ada@example.fr")).toHaveLength(2);
	await shop.publish();
	await shop.tell();
	expect(subjects("ada@example.fr")).toHaveLength(3);
	// the link of the oldest e-mail ends what runs now
	expect(await (await shop.request(end)).text()).toContain("Ne plus suivre cette entreprise");
	await shop.postForm(end, {});
	expect((await shop.listAlerts("ada@example.fr")).filter(({ ended_at }) => ended_at === null)).toEqual([]);
});

test("runs at the same time and jobs that run twice tell everything once", async () => {
	await shop.follow("ada@example.fr");
	await shop.follow("grace@example.fr");
	await shop.publish();
	await recordReading(shop.shop.db, shop.clock.at, null);
	await Promise.all([...Array.from({ length: 4 }, () => queueAlertsAtOnce(shop.shop)), queueWeeklyAlerts(shop.shop)]);
	await shop.waitForJobs();
	for (const email of ["ada@example.fr", "grace@example.fr"]) expect(subjects(email)).toHaveLength(1);
	for (const { id } of await shop.shop.db.selectFrom("company_alert_mails").select("id").execute()) await deliverAlertMail(shop.shop, id);
	expect(subjects("ada@example.fr")).toHaveLength(1);
});

test("a delivery interrupted after sending is sent again with the same Message-ID, and then no more", async () => {
	await shop.follow("ada@example.fr");
	await shop.publish();
	const [mailId = ""] = await writeMails();
	const killed: Mailer = {
		...shop.shop.mailer,
		async send(mail) {
			await shop.shop.mailer.send(mail);
			throw new Error("killed");
		},
	};
	await expect(deliverAlertMail({ ...shop.shop, mailer: killed }, mailId)).rejects.toThrow("killed");
	for (let i = 0; i < 3; i++) await deliverAlertMail(shop.shop, mailId);
	expect(shop.newsTo("ada@example.fr").map(({ messageId }) => messageId)).toEqual(Array(2).fill(expect.stringContaining(`${mailId}@`)));
	await shop.tell();
	expect(subjects("ada@example.fr")).toHaveLength(2);
});

test("what ends between writing and sending is left out; an e-mail without news is not sent", async () => {
	const { alert } = await shop.follow("ada@example.fr");
	await shop.follow("ada@example.fr", { siren: laPoste });
	const { list } = await shop.follow("grace@example.fr");
	await shop.publish();
	await shop.publish({ siren: laPoste });
	const mails = await writeMails();
	const { db } = shop.shop;
	await db.updateTable("company_alerts").set({ ended_at: shop.clock.at }).where("id", "=", alert.id).execute();
	await shop.postForm(list, { do: "end-all" });
	for (const mailId of mails) await deliverAlertMail(shop.shop, mailId);
	expect(subjects("ada@example.fr")).toEqual(["Une annonce au BODACC : LA POSTE"]);
	expect(subjects("grace@example.fr")).toEqual([]);
	expect(await countMails()).toBe(1);
});

test("a company that was masked since is told no more", async () => {
	const { db } = shop.shop;
	await shop.follow("ada@example.fr");
	await shop.publish();
	const [mailId = ""] = await writeMails();
	const setMasked = (masked: boolean) =>
		db
			.updateTable("companies")
			.set({ masked })
			.where("siren", "=", danone as never)
			.execute();
	await setMasked(true);
	await deliverAlertMail(shop.shop, mailId);
	await shop.tell();
	await setMasked(false);
	expect(subjects("ada@example.fr")).toEqual([]);
});

test("an address that no longer exists ends all of its alerts; one that only refuses this e-mail stays", async () => {
	await shop.follow("partie@example.fr");
	await shop.follow("partie@example.fr", { siren: laPoste });
	await shop.follow("stricte@example.fr");
	shop.smtp.controls.reject("partie@example.fr", "550 5.1.1 <partie@example.fr>: no such user");
	shop.smtp.controls.reject("stricte@example.fr", "550 5.7.1 Looks like spam");
	await shop.publish();
	await shop.tell();
	const refused = await shop.shop.db.selectFrom("company_alert_mails").select(["refused_reason", "sent_at"]).execute();
	expect(refused.map(({ refused_reason }) => refused_reason?.slice(0, 9)).sort()).toEqual(["550 5.1.1", "550 5.7.1"]);
	expect(JSON.stringify(refused)).not.toContain("@example.fr");
	const ends = async (email: string) => (await shop.listAlerts(email)).map(({ ended_at }) => ended_at !== null);
	expect([await ends("partie@example.fr"), await ends("stricte@example.fr")]).toEqual([[true, true], [false]]);
	for (const email of ["partie@example.fr", "stricte@example.fr"]) shop.smtp.controls.accept(email);
	await shop.publish();
	await shop.tell();
	expect([subjects("partie@example.fr").length, subjects("stricte@example.fr").length]).toEqual([0, 1]);
});

test("alerts wait while the mail server is down, at low priority, and are sent once when it is back", async () => {
	await shop.follow("ada@example.fr");
	await shop.publish();
	await shop.smtp.controls.down();
	await recordReading(shop.shop.db, shop.clock.at, null);
	await queueAlertsAtOnce(shop.shop);
	const { rows } = await sql<{
		priority: number;
	}>`select priority from jobs.job where name = 'deliver-company-alerts' and state < 'completed'`.execute(shop.shop.db);
	expect(rows).toEqual([{ priority: -1 }]);
	await shop.smtp.controls.up();
	await shop.waitForJobs();
	expect(subjects("ada@example.fr")).toHaveLength(1);
});

test("nothing is told before the bulletin is read, and the log has how many e-mails are queued", async () => {
	const { lines, log } = createRecordedLog();
	await shop.follow("ada@example.fr");
	await shop.publish();
	await queueAlertsAtOnce({ ...shop.shop, log });
	expect([await countMails(), lines]).toEqual([0, []]);
	await recordReading(shop.shop.db, shop.clock.at, null);
	await queueAlertsAtOnce({ ...shop.shop, log });
	expect(lines).toMatchObject([{ frequency: "at-once", mails: 1 }]);
});

test("each of more mailboxes than one page has is told once", async () => {
	const { db } = shop.shop;
	const { alert } = await shop.follow("ada@example.fr");
	await sql`insert into company_followers (id, email, created_at) select gen_random_uuid(), n || '@example.fr', now() from generate_series(1, 200) n`.execute(
		db,
	);
	await sql`
		insert into company_alerts (id, follower_id, siren, frequency, topics, text_version, requested_at, confirmed_at)
		select gen_random_uuid(), follower.id, siren, frequency, topics, text_version, requested_at, confirmed_at
		from company_alerts, company_followers follower where company_alerts.id = ${alert.id} and follower.id <> follower_id`.execute(db);
	await shop.publish();
	await recordReading(db, shop.clock.at, null);
	const queued: unknown[] = [];
	const jobs = { ...shop.shop.jobs, send: async (_: unknown, __: unknown, data: unknown) => void queued.push(data) };
	await queueAlertsAtOnce({ ...shop.shop, jobs });
	const mails = await db.selectFrom("company_alert_mails").select(["id", "follower_id"]).execute();
	expect([mails.length, new Set(mails.map(({ follower_id }) => follower_id)).size]).toEqual([201, 201]);
	expect(queued).toEqual(expect.arrayContaining(mails.map(({ id }) => ({ mailId: id }))));
	expect(queued).toHaveLength(201);
});

test("a refusal is logged and stored with at most 500 characters; what is asked for meanwhile ends too", async () => {
	const { db, mailer } = shop.shop;
	const { alert } = await shop.follow("partie@example.fr");
	await shop.publish();
	const [mailId = ""] = await writeMails();
	const { lines, log } = createRecordedLog();
	const reply = `550 5.1.1 no such user ${"x".repeat(500)}`;
	const refusing: Mailer = { ...mailer, send: async () => ({ ok: false, code: "refused", reply }) };
	const { follower_id: followerId } = alert;
	let delivered: Promise<void> | undefined;
	await db.transaction().execute(async (trx) => {
		await lockFollower(trx, followerId);
		delivered = deliverAlertMail({ ...shop.shop, log, mailer: refusing }, mailId);
		await waitForLock(db, delivered);
		const choices: AlertChoices = { frequency: "weekly", topics: ["sales"] };
		await recordAlertRequest(trx, { followerId, siren: laPoste as never, choices, textVersion: "1", now: shop.clock.at });
	});
	await delivered;
	expect((await shop.listAlerts("partie@example.fr")).map(({ siren, ended_at }) => [siren, ended_at])).toEqual([[danone, shop.clock.at]]);
	const mails = await db.selectFrom("company_alert_mails").select(["refused_reason", "sent_at"]).execute();
	expect(mails).toEqual([{ refused_reason: reply.slice(0, 500), sent_at: null }]);
	expect(lines).toMatchObject([{ level: 40, follower: followerId, reason: reply }]);
});

test("one click in a mail program ends all alerts of the mailbox, without page, origin, cookie or redirect", async () => {
	await shop.follow("ada@example.fr");
	await shop.follow("ada@example.fr", { siren: laPoste });
	await shop.follow("grace@example.fr");
	await shop.publish();
	await shop.tell();
	const [{ endAll } = expect.fail()] = shop.newsTo("ada@example.fr");
	const opened = await shop.request(endAll);
	expect([opened.status, opened.headers.get("cache-control"), opened.headers.get("x-robots-tag")]).toEqual([200, "no-store", "noindex"]);
	expect(await opened.text()).toContain("Arrêter toutes mes alertes");
	expect((await shop.postForm(endAll, {}, { origin: "https://evil.example" })).status).toBe(403);
	expect((await shop.listAlerts("ada@example.fr")).map(({ ended_at }) => ended_at)).toEqual([null, null]);
	const answer = await shop.request(endAll, {
		method: "POST",
		body: "List-Unsubscribe=One-Click",
		headers: { "content-type": "application/x-www-form-urlencoded" },
	});
	expect([answer.status, answer.headers.get("set-cookie")]).toEqual([200, null]);
	expect((await shop.listAlerts("ada@example.fr")).map(({ ended_at }) => ended_at)).toEqual([shop.clock.at, shop.clock.at]);
	const parts = new FormData();
	parts.set("List-Unsubscribe", "One-Click");
	expect((await shop.request(endAll, { method: "POST", body: parts })).status).toBe(200);
	expect((await shop.listAlerts("grace@example.fr")).map(({ ended_at }) => ended_at)).toEqual([null]);
	await shop.publish();
	await shop.tell();
	expect([subjects("ada@example.fr").length, subjects("grace@example.fr").length]).toEqual([1, 2]);
});
