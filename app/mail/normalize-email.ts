import { type RawBuilder, sql } from "kysely";

/** Normalises an e-mail address for comparisons: lower case, without blanks. */
export const normalizeEmail = (email: string): string => email.replace(/\s/g, "").toLowerCase();

/** SQL: whether a column contains this address, compared in the same way. */
export const emailsEqual = (column: RawBuilder<unknown>, email: string): RawBuilder<boolean> =>
	sql<boolean>`lower(regexp_replace(${column}, '\\s', '', 'g')) = ${normalizeEmail(email)}`;
