import { statSync } from "node:fs";
import type pg from "pg";
import { openDatabase } from "../../server/database/database.ts";
import { migrate } from "../../server/database/migrate.ts";
import { createLog } from "../../server/observability/log.ts";
import { addressOf, withClient } from "../database.ts";
import type { Registry } from "../synthetic-registry.ts";
import { runProgram } from "./run-program.ts";

/** What a program that fills a database says at its end. */
export interface Filled {
	ms: number;
	rows: number;
	/** Bytes. */
	peak: number;
}

export const perSecond = ({ rows, ms }: Filled) => (1000 * rows) / ms;

const environmentOf = (connection: pg.ClientConfig, { unitsFile, establishmentsFile }: Registry) => ({
	DATABASE_URL: addressOf(connection),
	UNITS: unitsFile,
	ESTABLISHMENTS: establishmentsFile,
});

/** Makes the shop's tables and imports a registry into them, as the command does: in a process of its own. */
export async function importInto(undo: AsyncDisposableStack, connection: pg.ClientConfig, registry: Registry): Promise<Filled> {
	const { db } = openDatabase(connection, createLog("warn"));
	await migrate(db);
	await db.destroy();
	const filled = await runProgram<Filled>(undo, new URL("./import-program.ts", import.meta.url), environmentOf(connection, registry));
	await withClient(connection, (client) => client.query("checkpoint")); // not while the searches are measured
	return filled;
}

/** Copies both files as they are, by a process of its own. @returns also the bytes of the tables, which are gone afterwards. */
export async function copyAsTheyAre(undo: AsyncDisposableStack, connection: pg.ClientConfig, registry: Registry) {
	const filled = await runProgram<Filled>(undo, new URL("./copy-program.ts", import.meta.url), environmentOf(connection, registry));
	const tables = await sizes(connection, ["bare_units", "bare_establishments"]);
	await withClient(connection, (client) => client.query("drop table bare_units, bare_establishments; checkpoint"));
	return { ...filled, bytes: tables.reduce((sum, { rows, indexes, toast }) => sum + rows + indexes + toast, 0) };
}

export interface TableSize {
	table: string;
	/** Bytes of the rows, of the indexes, and of what is too long for a row. */
	rows: number;
	indexes: number;
	toast: number;
}

export async function sizes(connection: pg.ClientConfig, tables: readonly string[]): Promise<TableSize[]> {
	const { rows } = await withClient(connection, (client) =>
		client.query<TableSize>(
			`select name as table, pg_relation_size(name::regclass)::float8 as rows, pg_indexes_size(name::regclass)::float8 as indexes,
				(pg_table_size(name::regclass) - pg_relation_size(name::regclass))::float8 as toast
			from unnest($1::text[]) name`,
			[tables],
		),
	);
	return rows;
}

export const fileBytes = ({ unitsFile, establishmentsFile }: Registry) => statSync(unitsFile).size + statSync(establishmentsFile).size;
