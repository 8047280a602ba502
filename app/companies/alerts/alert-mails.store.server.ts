import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { typedEntries } from "../../../server/types/objects.ts";
import { emailsEqual } from "../../mail/normalize-email.ts";
import { isStanding } from "../bulletin/bulletin.server.ts";
import type { NoticeFamily } from "../bulletin/notice.ts";
import type { Siren } from "../siren.ts";
import { type AlertFrequency, alertTopics } from "./alert-choices.ts";

/** SQL on the e-mails of alerts: `company_alert_mails`, `company_alert_notices` and `company_alert_readings`. */

/** Lists mailboxes with running alerts of a frequency, by id. */
export async function listFollowers(
	db: Database,
	{ frequency, after, limit }: { frequency: AlertFrequency; after: string | null; limit: number },
): Promise<string[]> {
	let query = db
		.selectFrom("company_alerts")
		.select("follower_id")
		.distinct()
		.where("frequency", "=", frequency)
		.where("confirmed_at", "is not", null)
		.where("ended_at", "is", null);
	if (after !== null) query = query.where("follower_id", ">", after);
	return (await query.orderBy("follower_id").limit(limit).execute()).map(({ follower_id }) => follower_id);
}

const families = typedEntries(alertTopics).flatMap(([topic, { families }]) => families.map((family) => ({ topic, family })));

/**
 * Inserts an e-mail for each of some mailboxes that has news, with what it tells. News are:
 * - notices that stand, published from the day of the confirmation on, of a chosen family;
 * - notices that correct or cancel what this alert told.
 * Each is told once, also when it was told before the mailbox stopped following the company and began again. The mailboxes are locked, so
 * that a run at the same time sees what this one tells.
 * @returns the ids of the e-mails.
 */
export async function insertMails(
	trx: Trx,
	{ followerIds, frequency, now }: { followerIds: readonly string[]; frequency: AlertFrequency; now: Date },
): Promise<string[]> {
	const mailboxes = trx.selectFrom("company_followers").select("id").where("id", "=", sql<string>`any(${followerIds}::uuid[])`);
	await mailboxes.orderBy("id").forNoKeyUpdate().execute();
	const { rows } = await sql<{ mail_id: string }>`
		with followed as (
			select id, follower_id, siren, topics, (confirmed_at at time zone 'Europe/Paris')::date as since
			from company_alerts
			where follower_id = any(${followerIds}::uuid[]) and frequency = ${frequency} and confirmed_at is not null and ended_at is null
				and exists (select from companies where companies.siren = company_alerts.siren and not masked)
		), topic_families as (
			select * from unnest(${families.map(({ topic }) => topic)}::text[], ${families.map(({ family }) => family)}::bulletin_family[])
				as pair (topic, family)
		), found as (
			select followed.id as alert_id, follower_id, followed.siren, notice.id as notice_id
			from followed
			join bulletin_notices notice on notice.siren = followed.siren and published_on >= since
			join topic_families pair on pair.family = notice.family and pair.topic = any(topics)
			left join bulletin_corrections own on own.id = notice.id
			where ${isStanding}
			union
			select followed.id, follower_id, followed.siren, correction.id
			from followed
			join company_alert_notices told on told.alert_id = followed.id
			join bulletin_corrections correction on correction.target = told.notice_id
		), news as (
			select alert_id, follower_id, notice_id from found
			where not exists (
				select from company_alerts earlier join company_alert_notices told on told.alert_id = earlier.id
				where earlier.follower_id = found.follower_id and earlier.siren = found.siren and told.notice_id = found.notice_id)
		), mails as (
			insert into company_alert_mails (id, follower_id, created_at)
			select gen_random_uuid(), follower_id, ${now} from (select distinct follower_id from news) as mailbox
			returning id, follower_id
		)
		insert into company_alert_notices (alert_id, notice_id, mail_id)
		select alert_id, notice_id, mails.id from news join mails using (follower_id)
		returning mail_id
	`.execute(trx);
	return [...new Set(rows.map(({ mail_id }) => mail_id))];
}

export interface UnsentMail {
	id: string;
	followerId: string;
	email: string;
	/** The last act of the mailbox's owner. */
	activeAt: Date;
}

/** Finds an e-mail that was neither sent nor refused. */
export async function findUnsentAlertMail(db: Database, mailId: string): Promise<UnsentMail | null> {
	const row = await db
		.selectFrom("company_alert_mails")
		.innerJoin("company_followers", "company_followers.id", "follower_id")
		.select(["company_alert_mails.id", "follower_id", "email", "active_at", "company_alert_mails.created_at"])
		.where("company_alert_mails.id", "=", mailId)
		.where("sent_at", "is", null)
		.where("refused_reason", "is", null)
		.executeTakeFirst();
	return row ? { id: row.id, followerId: row.follower_id, email: row.email, activeAt: row.active_at ?? row.created_at } : null;
}

/** A notice in an e-mail. Days are yyyy-mm-dd. */
export interface NewsRow {
	alert_id: string;
	siren: Siren;
	name: string | null;
	id: string;
	published_on: string;
	event_on: string | null;
	/** Null for a correction whose own notice does not name the company. */
	family: NoticeFamily | null;
	kind: string | null;
	url: string | null;
	/** Null for a notice that corrects nothing. */
	cancels: boolean | null;
	/** The corrected or cancelled notice, where we have it. */
	target_on: string | null;
	target_family: NoticeFamily | null;
	target_kind: string | null;
	target_event_on: string | null;
}

/** Lists what an e-mail tells, by company, the newest first, without alerts that have ended and companies that were masked since. */
export async function listMailNews(db: Database, mailId: string): Promise<NewsRow[]> {
	const { rows } = await sql<NewsRow>`
		select alert.id as alert_id, alert.siren, company.name, told.notice_id as id,
			coalesce(notice.published_on, own.published_on)::text as published_on, notice.event_on::text, notice.family, kind.text as kind,
			coalesce(notice.url, own.url) as url, own.cancels,
			target.published_on::text as target_on, target.family as target_family, target_kind.text as target_kind,
			target.event_on::text as target_event_on
		from company_alert_notices told
		join company_alerts alert on alert.id = told.alert_id and ended_at is null
		join companies company on company.siren = alert.siren and not masked
		left join bulletin_notices notice on notice.id = told.notice_id and notice.siren = alert.siren
		left join bulletin_texts kind on kind.id = notice.kind_id
		left join bulletin_corrections own on own.id = told.notice_id
		left join bulletin_notices target on target.id = own.target and target.siren = alert.siren
		left join bulletin_texts target_kind on target_kind.id = target.kind_id
		where told.mail_id = ${mailId} and (notice.id is not null or own.id is not null)
		order by company.name, alert.siren, 5 desc, 4
	`.execute(db);
	return rows;
}

export async function updateAlertMail(
	db: Database | Trx,
	mailId: string,
	outcome: { sent_at: Date } | { refused_reason: string },
): Promise<void> {
	await db.updateTable("company_alert_mails").set(outcome).where("id", "=", mailId).execute();
}

/** Deletes an e-mail without news, so that what it told may be told again. */
export async function deleteAlertMail(db: Database, mailId: string): Promise<void> {
	await db.deleteFrom("company_alert_mails").where("id", "=", mailId).execute();
}

/** Lists the e-mails of one person, oldest first, with the notices that each told. */
export async function listAlertMailsByEmail(db: Database, email: string) {
	const { rows } = await sql<{ created_at: Date; sent_at: Date | null; refused_reason: string | null; notices: string[] }>`
		select mail.created_at, sent_at, refused_reason, array(select notice_id from company_alert_notices where mail_id = mail.id order by 1) as notices
		from company_alert_mails mail join company_followers on company_followers.id = follower_id
		where ${emailsEqual(sql.ref("email"), email)} order by mail.created_at
	`.execute(db);
	return rows;
}

/** The reading of the bulletin whose notices were told at once; null before the first. */
export async function findSentReading(db: Database): Promise<Date | null> {
	return (await db.selectFrom("company_alert_readings").select("imported_at").executeTakeFirst())?.imported_at ?? null;
}

export async function recordSentReading(db: Database, importedAt: Date): Promise<void> {
	await db
		.insertInto("company_alert_readings")
		.values({ imported_at: importedAt })
		.onConflict((conflict) => conflict.column("only_row").doUpdateSet({ imported_at: importedAt }))
		.execute();
}
