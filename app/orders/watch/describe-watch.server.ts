import type { Database, Trx } from "../../../server/database/database.ts";
import { findBulletinReading, listBulletinNotices } from "../../companies/bulletin/bulletin.server.ts";
import { isBulletinWatched } from "../../companies/bulletin/find-bulletin-state.server.ts";
import {
	type BulletinNotice,
	type BulletinReading,
	formatDay,
	formatNoticeDetail,
	isRemoval,
	type NoticeFamily,
	noticeUrl,
	removalSentence,
} from "../../companies/bulletin/notice.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import type { Siren } from "../../companies/siren.ts";
import { findExtract } from "../documents/documents.store.server.ts";
import type { Order } from "../order.ts";
import { getMotive } from "../refunds/refund-motive.ts";
import { listEffectiveRefunds } from "../refunds/refunds.store.server.ts";
import { listPublishedRows, type PublishedRow } from "./extract-watch.store.server.ts";
import { type ExtractWatch, getWatchEnd, type PublishedEntry, toDay } from "./extract-watch.ts";

/**
 * What the bulletin published since a delivered extract was issued (docs/rules.md, R130). Null when nothing can be said: the bulletin was
 * never read, or the company is masked, unknown, or no legal person with a Kbis, of which no notices are stored.
 */
export async function describeExtractWatch(
	db: Database | Trx,
	{ siren, issuedAt, deliveredAt }: { siren: Siren; issuedAt: Date; deliveredAt: Date },
	now: Date,
): Promise<ExtractWatch | null> {
	const company = await findCompany(db, siren);
	if (company === null || company.masked || company.eligibility !== "kbis") return null;
	const reading = await findBulletinReading(db);
	if (reading === null) return null;
	const [extractOn, endsOn] = [toDay(issuedAt), getWatchEnd(deliveredAt)];
	const rows = await listPublishedRows(db, siren, { after: extractOn, until: endsOn });
	return {
		extractOn,
		endsOn,
		over: toDay(now) > endsOn,
		begun: toDay(now) > extractOn,
		watched: await isBulletinWatched(db, now),
		entries: rows.length === 0 ? [] : listPublished(rows, await listBulletinNotices(db, siren)),
		accountsFiled: rows.some(({ family }) => family === "dpc"),
		importedAt: reading.importedAt,
		readUntil: reading.covered?.to ?? toDay(reading.importedAt),
		reading: compareReading(reading, extractOn),
	};
}

function compareReading({ covered }: BulletinReading, extractOn: string): ExtractWatch["reading"] {
	if (covered === null) return "single";
	if (covered.to <= extractOn) return "awaited";
	return covered.from <= extractOn ? "complete" : "incomplete";
}

/**
 * The watch over the extract of an order. Null while there is none: before the delivery, when the customer is erased, during a
 * dispute and after a lost one, and when the price was given back for another reason than lateness.
 */
export async function describeOrderWatch(db: Database | Trx, order: Order, now: Date): Promise<ExtractWatch | null> {
	if (order.disputed_at !== null) return null;
	const delivery = await findDelivery(db, order);
	if (delivery === null || (await isGivenBack(db, order))) return null;
	return describeExtractWatch(db, { siren: order.siren, ...delivery }, now);
}

/**
 * The instants from which the watch of an order counts; a replaced extract counts from its replacement. Null before the delivery, and when
 * the customer is erased.
 */
export async function findDelivery(
	db: Database | Trx,
	{ id, status, completed_at: completedAt, erased_at }: Order,
): Promise<{ issuedAt: Date; deliveredAt: Date } | null> {
	if (status !== "completed" || completedAt === null || erased_at !== null) return null;
	const extract = await findExtract(db, id);
	return extract && { issuedAt: extract.issued_at, deliveredAt: extract.created_at > completedAt ? extract.created_at : completedAt };
}

/** Whether the whole price goes back for another reason than lateness. The second payment of an order does not count. */
async function isGivenBack(db: Database | Trx, { id, price_cents }: Order): Promise<boolean> {
	const refunds = await listEffectiveRefunds(db, id);
	const others = refunds.filter((refund) => refund.reason !== "surplus" && getMotive(refund) !== "late");
	return others.reduce((sum, { amount_cents }) => sum + amount_cents, 0) >= price_cents;
}

/** How a notice of each family is announced. Accounts that were filed do not change an extract: nothing is said of them. */
const announcements: Record<Exclude<NoticeFamily, "dpc">, { published: string; doubt: string }> = {
	creation: { published: "Une création a été publiée", doubt: "ne la montre peut-être pas" },
	immatriculation: { published: "Une immatriculation a été publiée", doubt: "ne la montre peut-être pas" },
	modification: { published: "Une modification a été publiée", doubt: "ne la montre peut-être pas" },
	radiation: { published: "Une radiation a été publiée", doubt: "ne la montre peut-être pas" },
	transfert: { published: "Un transfert de siège a été publié", doubt: "ne le montre peut-être pas" },
	collective: { published: "Une annonce de procédure collective a été publiée", doubt: "ne montre peut-être pas cette procédure" },
	conciliation: { published: "Une annonce de conciliation a été publiée", doubt: "ne montre peut-être pas cette procédure" },
	vente: { published: "Une annonce de vente ou de cession a été publiée", doubt: "ne montre peut-être pas cette opération" },
	other: { published: "Une annonce a été publiée", doubt: "ne montre peut-être pas ce qu’elle dit" },
};

/**
 * Describes what was published since an extract, in the order of the rows. A cancelled notice is described by its cancellation, so that
 * who read of it learns that it no longer counts; a corrected one by the notice that took its place.
 * @param rows all notices of the days that count. @param standing the company's notices as they stand.
 */
function listPublished(rows: readonly PublishedRow[], standing: readonly BulletinNotice[]): PublishedEntry[] {
	const listed = new Set(rows.map(({ id }) => id));
	const standingById = new Map(standing.map((notice) => [notice.id, notice]));
	return rows.flatMap((row) => {
		if (row.family === "dpc") return [];
		const notice = standingById.get(row.id);
		if (notice) return [describeNotice(notice, row.family)];
		if (row.later_id !== null && row.later_on !== null) {
			if (!row.later_cancels && listed.has(row.later_id)) return [];
			const later = { id: row.later_id, publishedOn: row.later_on, url: row.later_url };
			return [describeWithdrawal(later, { id: row.id, publishedOn: row.published_on }, row.later_cancels ? "annulée" : "rectifiée", null)];
		}
		// the cancellation of a notice that is older than the extract, which may still show it
		if (row.cancels && row.target !== null && row.target_on !== null && !listed.has(row.target)) {
			const target = { id: row.target, publishedOn: row.target_on };
			const own = { id: row.id, publishedOn: row.published_on, url: row.url };
			return [describeWithdrawal(own, target, "annulée", "ne montre peut-être pas cette annulation")];
		}
		return [];
	});
}

function describeNotice(notice: BulletinNotice, family: Exclude<NoticeFamily, "dpc">): PublishedEntry {
	const { published, doubt } = announcements[family];
	const detail = formatNoticeDetail(notice);
	const end = `le ${formatDay(notice.publishedOn)}${detail ? `\u00a0: ${detail}` : ""}.`;
	const entry = { id: notice.id, withdraws: null, publishedOn: notice.publishedOn, url: notice.url };
	const note = isRemoval(notice) ? removalSentence : null;
	if (notice.correction === null) return { ...entry, sentence: `${published} ${end}`, doubt, note };
	const { cancels, publishedOn: correctedOn } = notice.correction;
	const corrected = correctedOn ? `L’annonce du ${formatDay(correctedOn)}` : "Une annonce antérieure";
	return {
		...entry,
		sentence: `${corrected} a été ${cancels ? "annulée" : "rectifiée"} ${end}`,
		doubt: `ne montre peut-être pas cette ${cancels ? "annulation" : "rectification"}`,
		note,
	};
}

function describeWithdrawal(
	{ id, publishedOn, url }: { id: string; publishedOn: string; url: string | null },
	target: { id: string; publishedOn: string },
	what: "annulée" | "rectifiée",
	doubt: string | null,
): PublishedEntry {
	const sentence = `L’annonce du ${formatDay(target.publishedOn)} a été ${what} le ${formatDay(publishedOn)}.`;
	return { id, withdraws: target.id, publishedOn, sentence, doubt, note: null, url: url ?? noticeUrl(id) };
}
