import type { Database } from "../../../server/database/database.ts";
import { toParisDay } from "../../catalogue/settings/days-off.ts";
import type { CompanySummary } from "../company.ts";
import type { CompanyNotice } from "../company-notices.ts";
import { startOfInsolvency } from "./arrange-notices.ts";
import { toNotice } from "./bulletin.server.ts";
import { listRowsBeforePayment } from "./bulletin.store.server.ts";
import { formatSource } from "./bulletin-source.ts";
import { type BulletinNotice, formatCorrection, formatNotice, isRemoval, removalSentence } from "./notice.ts";

/** Any notice is told before paying for so many days. */
const recentDays = 30;

/** What was published about a company that a customer should know before paying. */
interface NoticesBeforePayment {
	notices: BulletinNotice[];
	/** The sentence that names the source; null where the page says it once for several companies. */
	source: string | null;
}

/**
 * Finds what to tell before orders of companies are paid (docs/rules.md, R4), in one query: the newest notice of each reason.
 * @returns `source`: the sentence that names the source of all notices. Null without any; of one company it stands with its notices.
 */
export async function findNoticesBeforePayment(
	db: Database,
	sirens: readonly string[],
	now: Date,
): Promise<{ bySiren: ReadonlyMap<string, NoticesBeforePayment>; source: string | null }> {
	const different = [...new Set(sirens)];
	const rows = different.length > 0 ? await listRows(db, different, now) : [];
	const [first] = rows;
	const source = first ? formatSource(first.imported_at) : null;
	const isOne = different.length === 1;
	const groups = [...Map.groupBy(rows, ({ siren }) => siren)];
	return {
		bySiren: new Map(groups.map(([siren, group]) => [siren, { notices: group.map(toNotice), source: isOne ? source : null }] as const)),
		source: isOne ? null : source,
	};
}

function listRows(db: Database, sirens: readonly string[], now: Date) {
	const today = toParisDay(now);
	const others = today.subtract({ days: recentDays }).toString();
	return listRowsBeforePayment(db, sirens, { others, insolvency: startOfInsolvency(today) });
}

/** Adds to the notices of a company one that tells what was published. */
export function addNoticesBeforePayment<Company extends Pick<CompanySummary, "status" | "notices">>(
	company: Company,
	told: NoticesBeforePayment | undefined,
): Company {
	if (told === undefined || told.notices.length === 0) return company;
	// where the register says that it is removed, a move is no longer an explanation
	const mayHaveMoved = company.status !== "removed";
	const sentences = [...told.notices.map((notice) => describeNotice(notice, mayHaveMoved)), told.source];
	const published: CompanyNotice = { code: "published", title: "Annonces publiées", text: sentences.filter(Boolean).join(" ") };
	return { ...company, notices: [...company.notices, published] };
}

/** One line with its full stop: « Modification publiée le 12 novembre 2026 : capital. » */
function describeNotice(notice: BulletinNotice, mayHaveMoved: boolean): string {
	const { family, court, correction } = notice;
	const remarks = [family === "collective" ? court : null, correction && formatCorrection(correction)].filter(Boolean);
	const line = formatNotice(notice) + remarks.map((remark) => ` (${remark})`).join("");
	return `${line.replace(/(?<!\.)\.+$/, "")}.${mayHaveMoved && isRemoval(notice) ? ` ${removalSentence}` : ""}`;
}
