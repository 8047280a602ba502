import type { Database } from "../../../../server/database/database.ts";
import { addNoticesBeforePayment, findNoticesBeforePayment } from "../../../companies/bulletin/notices-before-payment.server.ts";
import type { CheckedLine } from "./checked-line.ts";

/** Lines with what the bulletin published about their companies. */
export interface LinesWithNotices {
	lines: CheckedLine[];
	/** The sentence that names the source of the notices of several companies; null without any. */
	noticeSource: string | null;
}

/** Adds to the companies of lines what the bulletin published about them (docs/rules.md, R4), read in one query. */
export async function addPublishedNotices(db: Database, lines: readonly CheckedLine[], now: Date): Promise<LinesWithNotices> {
	const sirens = lines.flatMap(({ company }) => (company && company.eligibility !== "none" ? [company.siren] : []));
	const { bySiren, source } = await findNoticesBeforePayment(db, sirens, now);
	return {
		lines: lines.map((line) => {
			const { company } = line;
			return company ? { ...line, company: addNoticesBeforePayment(company, bySiren.get(company.siren)) } : line;
		}),
		noticeSource: source,
	};
}
