import type { ColumnType } from "kysely";

/**
 * The types of columns that the schema does not state, by table and column: all of JSON, and some texts. A room declares those of its
 * tables here, beside their SQL, so that the compiler checks what is read and inserted.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the declarations in the stores of app/ extend it
export interface ColumnTypes {}

/** A column as its room declares it. */
export type DeclaredColumn<Name extends keyof ColumnTypes> = ColumnTypes[Name];

/** A column of JSON: read as its room declares it, and written as text. */
export type JsonColumn<Name extends keyof ColumnTypes> = ColumnType<
	ColumnTypes[Name],
	JsonText<ColumnTypes[Name]>,
	JsonText<ColumnTypes[Name]>
>;

/** A value as JSON. */
export type JsonText<Value> = string & { readonly __json: Value };

/** Formats a value for a column of JSON: the driver would send an array as one of PostgreSQL, and null as NULL. */
export const toJson = <Value>(value: Value): JsonText<Value> => JSON.stringify(value) as JsonText<Value>;
