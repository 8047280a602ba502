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
	importedAt: Date | null;
}

/** Finds what to tell before an order of a company is paid (docs/rules.md, R4): the newest notice of each reason. */
export async function findNoticesBeforePayment(db: Database, siren: string, now: Date): Promise<NoticesBeforePayment> {
	const today = toParisDay(now);
	const rows = await listRowsBeforePayment(db, siren, {
		others: today.subtract({ days: recentDays }).toString(),
		insolvency: startOfInsolvency(today),
	});
	return { notices: rows.map(toNotice), importedAt: rows[0]?.imported_at ?? null };
}

/** Adds to the notices of a company one that tells what was published. */
export function addNoticesBeforePayment<Company extends Pick<CompanySummary, "status" | "notices">>(
	company: Company,
	told: NoticesBeforePayment,
): Company {
	if (told.notices.length === 0) return company;
	// where the register says that it is removed, a move is no longer an explanation
	const mayHaveMoved = company.status !== "removed";
	const sentences = [...told.notices.map((notice) => describeNotice(notice, mayHaveMoved)), formatSource(told.importedAt)];
	const published: CompanyNotice = { code: "published", title: "Annonces publiées", text: sentences.join(" ") };
	return { ...company, notices: [...company.notices, published] };
}

/** One line with its full stop: « Modification publiée le 12 novembre 2026 : capital. » */
function describeNotice(notice: BulletinNotice, mayHaveMoved: boolean): string {
	const { family, court, correction } = notice;
	const remarks = [family === "collective" ? court : null, correction && formatCorrection(correction)].filter(Boolean);
	const line = formatNotice(notice) + remarks.map((remark) => ` (${remark})`).join("");
	return `${line.replace(/\.+$/, "")}.${mayHaveMoved && isRemoval(notice) ? ` ${removalSentence}` : ""}`;
}
