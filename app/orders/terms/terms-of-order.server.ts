import type { Database } from "../../../server/database/database.ts";
import { zone } from "../../catalogue/instants.ts";
import type { Order } from "../order.ts";
import { findTerms, type TermsVersion } from "./terms.store.server.ts";

/** The file of the terms that an order names. */
export interface TermsFile {
	fileName: string;
	sha256: string;
	bytes: Uint8Array<ArrayBuffer>;
}

/** Finds the terms that were in force when an order was placed; null when it was placed before the versions were kept. */
export async function findTermsOfOrder(
	db: Database,
	{ terms_sha256, terms_accepted_at }: Pick<Order, "terms_sha256" | "terms_accepted_at">,
): Promise<TermsFile | null> {
	const terms = terms_sha256 === null ? null : await findTerms(db, terms_sha256);
	return terms && toFile(terms, terms_accepted_at);
}

/** Finds a version by its hash, which may come from a URL. */
export async function findTermsFile(db: Database, sha256: string): Promise<TermsFile | null> {
	const terms = /^[0-9a-f]{64}$/.test(sha256) ? await findTerms(db, sha256) : null;
	return terms && toFile(terms, null);
}

/**
 * « Conditions-generales_acceptees-le_2026-11-27.pdf », « Conditions-generales_version-du_2026-11-26.pdf » where nobody ticked a box.
 * ASCII, as formatFileName.
 */
function toFile({ sha256, version, pdf }: TermsVersion, acceptedAt: Date | null): TermsFile {
	const name = acceptedAt ? `acceptees-le_${day.format(acceptedAt)}` : `version-du_${version}`;
	return { fileName: `Conditions-generales_${name}.pdf`, sha256, bytes: new Uint8Array(pdf) };
}

/** « 2026-11-22 » in Paris. */
const day = new Intl.DateTimeFormat("sv-SE", { timeZone: zone });
