import { type RawBuilder, sql } from "kysely";

/** Normalises an e-mail address for comparisons: lower case, without blanks. */
export const normalizeEmail = (email: string): string => email.replace(/\s/g, "").toLowerCase();

/**
 * Letters beyond ASCII whose lower case is « k », or « i » in some collations: an address with one of them is not the one without, and may
 * belong to somebody who wants the mail of the other. JavaScript writes « İ » as « i » with a separate dot.
 */
const getDisguisedLetters = (mailbox: string): string => (mailbox.includes("i\u0307") ? "[\u212a]" : "[\u0130\u212a]");

/** SQL: whether a column contains this address, compared in the same way. */
export const emailsEqual = (column: RawBuilder<unknown>, email: string): RawBuilder<boolean> =>
	sql<boolean>`(lower(regexp_replace(${column}, '\\s', '', 'g')) = ${normalizeEmail(email)} and ${column} !~ ${getDisguisedLetters(normalizeEmail(email))})`;

/** SQL: the same for a column without blanks, by its index on the lower case. */
export const isMailbox = (column: RawBuilder<unknown>, email: string): RawBuilder<boolean> =>
	sql<boolean>`(lower(${column}) = ${normalizeEmail(email)} and ${column} !~ ${getDisguisedLetters(normalizeEmail(email))})`;
