import { type RawBuilder, sql } from "kysely";
import { toAsciiEmail } from "./email-address.ts";
import { toWrittenEmail } from "./read-email.server.ts";

/** Normalises an e-mail address for comparisons: lower case, without blanks, its domain as its readers write it. */
export const normalizeEmail = (email: string): string => toWrittenEmail(email.replace(/\s/g, "").toLowerCase());

/** The two spellings of an address whose domain is not in ASCII; of all others, one. */
const listSpellings = (email: string): RawBuilder<unknown> => {
	const normal = normalizeEmail(email);
	return sql.join([...new Set([normal, toAsciiEmail(normal)])]);
};

/**
 * Letters beyond ASCII whose lower case is « k », or « i » in some collations: an address with one of them is not the one without, and may
 * belong to somebody who wants the mail of the other. JavaScript writes « İ » as « i » with a separate dot.
 */
const getDisguisedLetters = (mailbox: string): string => (mailbox.includes("i\u0307") ? "[\u212a]" : "[\u0130\u212a]");

/** SQL: whether a column contains this address, compared in the same way. */
export const emailsEqual = (column: RawBuilder<unknown>, email: string): RawBuilder<boolean> =>
	sql<boolean>`(lower(regexp_replace(${column}, '\\s', '', 'g')) in (${listSpellings(email)}) and ${column} !~ ${getDisguisedLetters(normalizeEmail(email))})`;

/** SQL: the same for a column without blanks, by its index on the lower case. */
export const isMailbox = (column: RawBuilder<unknown>, email: string): RawBuilder<boolean> =>
	sql<boolean>`(lower(${column}) in (${listSpellings(email)}) and ${column} !~ ${getDisguisedLetters(normalizeEmail(email))})`;
