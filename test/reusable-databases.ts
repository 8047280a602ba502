import type pg from "pg";
import { adminDatabase, withClient } from "./postgres.ts";

// Copying the template costs half a second of processor time, clearing a used copy a twentieth of it. So a worker clears the copies of a
// test file and gives them to its next files. A copy is dropped when its schema or most of its companies changed, or when somebody still
// uses it.

type Server = Pick<pg.ClientConfig, "host" | "port" | "user">;

/** A copy of the template, as it is before a test file uses it. */
interface Copy {
	name: string;
	/** A hash of its tables, columns, constraints, triggers, functions and settings. */
	schema: string;
	/** The file of each table; truncating a table gives it another one. */
	fileOf: ReadonlyMap<string, string>;
	/** The last value of each sequence; null when it was never used. */
	sequences: ReadonlyMap<string, string | null>;
	/** The rows of the template's small tables, as JSON. */
	smallTables: ReadonlyMap<string, string>;
	/** Tables of the template with more rows: only those that changed are restored, from the admin database, which has the same tables. */
	largeTables: ReadonlySet<string>;
}

const maxRows = 1000;

/** What this worker's test files have closed. */
const returned: { copy: Copy; file: string }[] = [];
let count = 0;

/** @param file the test file that asks. A copy that it has closed itself is not given again: its processes may use it. */
export async function takeCopy(server: Server, template: string, file: string): Promise<Copy> {
	for (;;) {
		const at = returned.findIndex((each) => each.file !== file);
		if (at === -1) return copyTemplate(server, template);
		const [used] = returned.splice(at, 1);
		const cleared = used && (await withClient({ ...server, database: used.copy.name }, (client) => clear(client, used.copy, server)));
		if (cleared) return cleared;
		if (used) await asAdmin(server, `drop database ${used.copy.name} with (force)`);
	}
}

/** Lets later test files of this worker use a copy. */
export function returnCopy(copy: Copy, file: string): void {
	returned.push({ copy, file });
}

async function copyTemplate(server: Server, template: string): Promise<Copy> {
	const name = `test_${process.pid}_${++count}_${Date.now().toString(36)}`;
	await asAdmin(server, `create database ${name} template ${template} strategy file_copy`);
	return withClient({ ...server, database: name }, async (client) => ({
		name,
		...(await describeCopy(client)),
		...(await readRows(client)),
	}));
}

const asAdmin = (server: Server, statement: string) =>
	withClient({ ...server, database: adminDatabase }, (client) => client.query(statement));

/** Gives a used copy the content of the template. @returns null when that is not possible. */
async function clear(client: pg.Client, copy: Copy, server: Server): Promise<Copy | null> {
	const { rowCount: sessions } = await client.query(
		"select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
	);
	const { schema, fileOf, sequences } = await describeCopy(client);
	if (sessions !== 0 || schema !== copy.schema) return null;
	const written = await listWrittenTables(client);
	const changed = [...fileOf].filter(([table, file]) => written.has(table) || copy.fileOf.get(table) !== file).map(([table]) => table);
	await client.query("set session_replication_role = replica"); // no trigger protects a row
	const [large, small] = [changed.filter((table) => copy.largeTables.has(table)), changed.filter((table) => !copy.largeTables.has(table))];
	for (const table of large) if (!(await restoreRows(client, table, server))) return null;
	await client.query(small.map((table) => `delete from ${table}`).join("; "));
	for (const table of small) await insertRows(client, table, copy.smallTables.get(table));
	for (const [sequence, last] of sequences) {
		const before = copy.sequences.get(sequence) ?? null;
		if (before !== last) await client.query("select setval($1, coalesce($2::bigint, 1), $2 is not null)", [sequence, before]);
	}
	await client.query("select pg_stat_reset()");
	return { ...copy, fileOf };
}

const userSchemas = "(select oid from pg_namespace where nspname !~ '^pg_|^information_schema$')";

async function describeCopy(client: pg.Client): Promise<Pick<Copy, "schema" | "fileOf" | "sequences">> {
	const { rows } = await client.query(`select
		(select md5(string_agg(thing, ' ' order by thing)) from (
			select concat('relation', oid, relname, relkind) from pg_class where relnamespace in ${userSchemas}
			union all select concat('column', attrelid, attnum, attname, atttypid, attnotnull, atthasdef) from pg_attribute
				where attrelid in (select oid from pg_class where relnamespace in ${userSchemas})
			union all select concat('constraint', oid, convalidated) from pg_constraint where connamespace in ${userSchemas}
			union all select concat('trigger', oid, tgenabled) from pg_trigger
			union all select concat('event trigger', oid) from pg_event_trigger
			union all select concat('function', oid, md5(prosrc)) from pg_proc where pronamespace in ${userSchemas}
			union all select concat('setting', setrole, setconfig) from pg_db_role_setting
		) as things (thing)) as schema,
		(select json_object_agg(oid::regclass, relfilenode) from pg_class where relkind = 'r' and relnamespace in ${userSchemas}) as files,
		(select json_object_agg(format('%I.%I', schemaname, sequencename), last_value::text) from pg_sequences) as sequences`);
	const [{ schema, files, sequences }] = rows;
	const toMap = <T>(object: Record<string, T> | null) => new Map(Object.entries(object ?? {}));
	return { schema, fileOf: toMap<string>(files), sequences: toMap<string | null>(sequences) };
}

/** The tables with rows that were inserted, updated or deleted since the copy was made or cleared. */
async function listWrittenTables(client: pg.Client): Promise<Set<string>> {
	const { rows } = await client.query(
		"select relid::regclass::text as name from pg_stat_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0",
	);
	return new Set(rows.map(({ name }) => name));
}

async function readRows(client: pg.Client): Promise<Pick<Copy, "smallTables" | "largeTables">> {
	const { rows: tables } = await client.query(
		`select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace in ${userSchemas} and pg_relation_size(oid) > 0`,
	);
	const smallTables = new Map<string, string>();
	const largeTables = new Set<string>();
	for (const { name } of tables) {
		const { rows } = await client.query(`select json_agg(each)::text as rows, count(*)::integer as count
			from (select * from ${name} limit ${maxRows + 1}) as each`);
		if (rows[0].count > maxRows) largeTables.add(name);
		else if (rows[0].count > 0) smallTables.set(name, rows[0].rows);
	}
	return { smallTables, largeTables };
}

/** Restores the rows of a large table that differ from the template's. @returns false when they are many. */
async function restoreRows(client: pg.Client, table: string, server: Server): Promise<boolean> {
	return withClient({ ...server, database: adminDatabase }, async (original) => {
		const hashRows = async (database: pg.Client) => {
			const { rows } = await database.query(`select md5(each::text) as hash from ${table} as each`);
			return new Set<string>(rows.map(({ hash }) => hash));
		};
		const [found, wanted] = [await hashRows(client), await hashRows(original)];
		const surplus = [...found].filter((hash) => !wanted.has(hash));
		const missing = [...wanted].filter((hash) => !found.has(hash));
		if (surplus.length + missing.length > maxRows) return false;
		await client.query(`delete from ${table} as each where md5(each::text) = any($1)`, [surplus]);
		const { rows } = await original.query(`select json_agg(each)::text as rows from ${table} as each where md5(each::text) = any($1)`, [
			missing,
		]);
		await insertRows(client, table, rows[0].rows);
		return true;
	});
}

/** @param rows as JSON. */
async function insertRows(client: pg.Client, table: string, rows: string | null | undefined): Promise<void> {
	if (!rows) return;
	const { rows: columns } = await client.query(
		"select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''",
		[table],
	);
	const names = columns.map(({ name }) => name).join(", ");
	await client.query(
		`insert into ${table} (${names}) overriding system value select ${names} from json_populate_recordset(null::${table}, $1)`,
		[rows],
	);
}
