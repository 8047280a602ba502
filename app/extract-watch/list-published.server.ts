import {
	type BulletinNotice,
	formatDay,
	formatNoticeDetail,
	isRemoval,
	type NoticeFamily,
	noticeUrl,
	removalSentence,
} from "../bulletin/notice.ts";
import type { PublishedRow } from "./extract-watch.store.server.ts";
import type { PublishedEntry } from "./extract-watch.ts";

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
export function listPublished(rows: readonly PublishedRow[], standing: readonly BulletinNotice[]): PublishedEntry[] {
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
