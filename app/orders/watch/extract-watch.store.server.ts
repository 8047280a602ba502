import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { prepared } from "../../../server/database/dialect.ts";
import type { NoticeFamily } from "../../companies/bulletin/notice.ts";
import { getEarliestDelivery } from "./extract-watch.ts";

/** Days are yyyy-mm-dd. */
export interface PublishedRow {
	id: string;
	published_on: string;
	family: NoticeFamily;
	url: string | null;
	/** Null for a notice that corrects nothing. */
	cancels: boolean | null;
	target: string | null;
	/** Null when we do not have the target. */
	target_on: string | null;
	/** The notice that cancels or corrects this one. */
	later_id: string | null;
	later_on: string | null;
	later_cancels: boolean | null;
	later_url: string | null;
}

/** Lists all notices of a company published after a day and until another, also cancelled, corrected and cancelling ones; the newest first. */
export async function listPublishedRows(db: Database | Trx, siren: string, { after, until }: { after: string; until: string }) {
	const { rows } = await sql<PublishedRow>`
		select notice.id, notice.published_on::text, family, notice.url, own.cancels, own.target, target.published_on::text as target_on,
			later.id as later_id, later.published_on::text as later_on, later.cancels as later_cancels, later.url as later_url
		from bulletin_notices notice
		left join bulletin_corrections own on own.id = notice.id
		left join lateral (select published_on from bulletin_notices where id = own.target limit 1) target on true
		left join lateral (
			select id, published_on, cancels, url from bulletin_corrections where target = notice.id order by cancels desc, published_on desc limit 1
		) later on true
		where notice.siren = ${siren} and notice.published_on > ${after}::date and notice.published_on <= ${until}::date
		order by notice.published_on desc, substr(notice.id, 10)::integer desc, notice.id
	`.execute(prepared(db));
	return rows;
}

/**
 * Lists watched orders about whose company something was published that no e-mail told: at most `limit` ids after `after`.
 * It only preselects: describeOrderWatch has the rule. The lateral join keeps PostgreSQL from reading all notices.
 */
export async function listOrdersToTell(db: Database, now: Date, { after, limit }: { after: string; limit: number }): Promise<string[]> {
	const { rows } = await sql<{ id: string }>`
		select orders.id from orders
		join documents on documents.order_id = orders.id and doc_type = 'kbis' and replaced_at is null
		cross join lateral (
			select from bulletin_notices notice left join bulletin_corrections later on later.target = notice.id
			where notice.siren = orders.siren and family <> 'dpc' and notice.published_on > (issued_at at time zone 'Europe/Paris')::date
				and not exists (select from mails where mails.order_id = orders.id and mails.notices @> array[coalesce(later.id, notice.id)])
			limit 1
		) untold
		where orders.status = 'completed' and erased_at is null and watch_ended_at is null
			and greatest(completed_at, documents.created_at) > ${getEarliestDelivery(now)} and orders.id > ${after}::uuid
		order by orders.id limit ${limit}
	`.execute(db);
	return rows.map(({ id }) => id);
}
