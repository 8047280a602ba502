import { type RawBuilder, sql } from "kysely";

/** A mail address as two people would call it the same: without case and blanks. */
export const normalizeEmail = (email: string): string => email.replace(/\s/g, "").toLowerCase();

/** Whether a column holds this address, compared in the same way. */
export const emailsEqual = (column: RawBuilder<unknown>, email: string): RawBuilder<boolean> =>
	sql<boolean>`lower(regexp_replace(${column}, '\\s', '', 'g')) = ${normalizeEmail(email)}`;
