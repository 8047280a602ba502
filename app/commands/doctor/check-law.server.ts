import { sql } from "kysely";
import { checkMonths, isCheckTooOld } from "../../../server/environment/dated-checks.ts";
import { legalFacts, listStaleFacts } from "../../catalogue/legal-facts.ts";
import { listStaleRecipientFacts, recipientFacts } from "../../content/recipients/recipient-facts.ts";
import { type Check, createResult, formatCount } from "./check.ts";

/** Months after a check, when the doctor begins to warn. */
const warnMonths = checkMonths - 1;

export const lawChecks: Check[] = [
	{
		name: "legal-facts",
		what: "Facts of the law",
		how: `each was compared with its source in the last ${warnMonths} months, as was the official price in production`,
		todo: "Compare each with its source (docs/questions-pour-les-conseils.md), and set its day: in app/catalogue/legal-facts.ts, and OFFICIAL_PRICE_CHECKED.",
		async examine({ environment: { production, officialPrice }, now }) {
			const stale = listStaleFacts(now(), warnMonths).map(({ fact, source, checkedOn }) => `${fact} (${source}): ${checkedOn}.`);
			const { checked } = officialPrice;
			const priceIsStale = production && checked !== undefined && isCheckTooOld(checked, now(), warnMonths);
			const price = priceIsStale ? [`OFFICIAL_PRICE_CHECKED is ${checked}: the shop does not start ${checkMonths} months after it.`] : [];
			return createResult(formatCount(legalFacts.length, "fact"), ...stale, ...price);
		},
	},
	{
		name: "recipient-facts",
		what: "What recipients ask for",
		how: `each line of the pages on recipients was compared with its source in the last ${warnMonths} months`,
		todo: "Open each source, correct the line or delete it, and set its day, in app/content/recipients/recipient-facts.ts.",
		async examine({ now }) {
			const stale = listStaleRecipientFacts(now(), warnMonths);
			return createResult(
				formatCount(recipientFacts.length, "line"),
				...stale.map(({ recipient, source, checkedOn }) => `${recipient} (${source.url}): ${checkedOn}.`),
			);
		},
	},
	{
		name: "terms",
		what: "Terms of sale as they were accepted",
		how: "each version of the terms that an order names is stored",
		todo: "Restore the table terms_versions from a backup: a customer may ask for the terms that applied to the order.",
		async examine({ db }) {
			const { rows } = await sql<{ order_number: string }>`
				select order_number from orders where terms_sha256 is not null
					and not exists (select from terms_versions where terms_versions.sha256 = orders.terms_sha256)
				order by order_number`.execute(db);
			const { rows: versions } = await sql<{ count: number }>`select count(*)::integer as count from terms_versions`.execute(db);
			const problems = rows.map(({ order_number }) => `The terms of ${order_number} are missing.`);
			return createResult(formatCount(versions[0]?.count ?? 0, "version"), ...problems);
		},
	},
];
