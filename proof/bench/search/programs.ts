import { statSync } from "node:fs";
import type pg from "pg";
import { withClient } from "../../../test/postgres.ts";
import { migrateDatabase } from "../database.ts";
import { type Filled, runProgram } from "../programs.ts";
import type { Registry } from "../synthetic-registry.ts";

const importProgram = new URL("./import-program.ts", import.meta.url);
const copyProgram = new URL("./copy-program.ts", import.meta.url);

/** Creates the shop's tables and imports a registry in its own process, as the command does. */
export async function importRegistry(undo: AsyncDisposableStack, connection: pg.ClientConfig, registry: Registry): Promise<Filled> {
	await migrateDatabase(connection);
	const filled = await runProgram(undo, importProgram, connection, filesOf(registry));
	await withClient(connection, (client) => client.query("checkpoint")); // not while the searches are measured
	return filled;
}

/** The baseline of the import: copies both files unchanged in its own process. @returns also the bytes of the tables, which are deleted again. */
export async function copyRegistry(undo: AsyncDisposableStack, connection: pg.ClientConfig, registry: Registry) {
	const filled = await runProgram(undo, copyProgram, connection, filesOf(registry));
	const tables = await measureTables(connection, ["copied_units", "copied_establishments"]);
	await withClient(connection, (client) => client.query("drop table copied_units, copied_establishments; checkpoint"));
	return { ...filled, bytes: totalBytes(tables) };
}

const filesOf = ({ unitsFile, establishmentsFile }: Registry) => ({ UNITS: unitsFile, ESTABLISHMENTS: establishmentsFile });

/** Bytes of a table's rows, of its indexes, and of its TOAST and maps. */
export interface TableSize {
	table: string;
	rows: number;
	indexes: number;
	toast: number;
}

export const totalBytes = (tables: readonly TableSize[]) =>
	tables.reduce((sum, { rows, indexes, toast }) => sum + rows + indexes + toast, 0);

export async function measureTables(connection: pg.ClientConfig, tables: readonly string[]): Promise<TableSize[]> {
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
