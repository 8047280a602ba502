import type { Database } from "../../server/database/database.ts";
import type { CompanySummary } from "../companies/company.ts";
import type { CompanyNotice } from "../companies/company-notices.ts";
import { toParisDay } from "../shop-settings/days-off.ts";
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

/** Finds what to tell before an order of a company is paid (docs/rules.md, R4): the newest notice of each reason. */
export async function findNoticesBeforePayment(db: Database, siren: string, now: Date): Promise<NoticesBeforePayment> {
	const rows = await listRows(db, [siren], now);
	return { notices: rows.map(toNotice), source: formatSource(rows[0]?.imported_at ?? null) };
}

/** As findNoticesBeforePayment, of several companies in one query. `source` is null when nothing was published about any of them. */
export async function findNoticesOfCompaniesBeforePayment(
	db: Database,
	sirens: readonly string[],
	now: Date,
): Promise<{ bySiren: ReadonlyMap<string, NoticesBeforePayment>; source: string | null }> {
	const rows = sirens.length > 0 ? await listRows(db, [...new Set(sirens)], now) : [];
	const [first] = rows;
	const groups = Map.groupBy(rows, ({ siren }) => siren);
	const bySiren = new Map([...groups].map(([siren, group]) => [siren, { notices: group.map(toNotice), source: null }] as const));
	return { bySiren, source: first ? formatSource(first.imported_at) : null };
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
