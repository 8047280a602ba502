// npm run db:types: writes server/database/database-types.gen.ts from a database that the migrations have just made.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import {
	ColumnTypeNode,
	type ExpressionNode,
	GenericExpressionNode,
	generate,
	IdentifierNode,
	LiteralNode,
	Logger,
	PostgresDialect,
	UnionExpressionNode,
} from "kysely-codegen";
import { type Database, openDatabase } from "../server/database/database.ts";
import { startPostgres } from "../server/database/embedded-postgres.ts";
import { migrate } from "../server/database/migrate.ts";
import { createLog } from "../server/observability/log.ts";

const union = (values: readonly string[]) => new UnionExpressionNode(values.map((value) => new LiteralNode(value)));
/** Read with its brand: a parser checked the value before it was inserted. */
const branded = (value: string, brand: string) =>
	new ColumnTypeNode(
		new GenericExpressionNode("Branded", [new IdentifierNode(value), new LiteralNode(brand)]),
		new IdentifierNode(value),
		new IdentifierNode(value),
	);

/** Read as the room of the table declares it in server/database/column-types.ts. */
const declared = (type: "DeclaredColumn" | "JsonColumn", column: string) => new GenericExpressionNode(type, [new LiteralNode(column)]);

/** The types of columns that the schema does not state, beside those of JSON. */
const columnTypes: Record<string, ExpressionNode> = {
	"company_alerts.siren": branded("string", "Siren"),
	"company_alerts.topics": declared("DeclaredColumn", "company_alerts.topics"),
	"operators.invitation.roles": declared("DeclaredColumn", "operators.invitation.roles"),
	"operators.member.roles": declared("DeclaredColumn", "operators.member.roles"),
	"order_events.payload": new ColumnTypeNode(
		new IdentifierNode("JsonObject"),
		new UnionExpressionNode([new IdentifierNode("string"), new IdentifierNode("undefined")]),
		new IdentifierNode("string"),
	),
	"extract_costs.amount_cents": branded("number", "Cents"),
	"orders.failure_reason": union(["expired", "cancelled", "not-available", "not-found", "operator"]),
	"orders.order_number": branded("string", "OrderNumber"),
	"orders.price_cents": branded("number", "Cents"),
	"orders.siren": branded("string", "Siren"),
	"refunds.amount_cents": branded("number", "Cents"),
	"shop_setting_changes.name": declared("DeclaredColumn", "shop_setting_changes.name"),
};

/** The columns that a constraint such as `check (status in ('open', 'closed'))` limits to a few texts: each as the union of these. */
async function readUnions(db: Database): Promise<Record<string, ExpressionNode>> {
	const { rows } = await sql<{ column: string; definition: string }>`
		select format('%s.%s.%s', nspname, relname, attname) as column, pg_get_constraintdef(pg_constraint.oid) as definition
		from pg_constraint
		join pg_class on pg_class.oid = conrelid
		join pg_namespace on pg_namespace.oid = relnamespace
		join pg_attribute on attrelid = conrelid and attnum = conkey[1]
		where contype = 'c' and cardinality(conkey) = 1`.execute(db);
	const unions = rows.flatMap(({ column, definition }) => {
		const [, list] = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(definition) ?? [];
		const values = list?.match(/(?<=')[^']+(?='::text)/g);
		return values ? [[column, union(values)] as const] : [];
	});
	return Object.fromEntries(unions);
}

/** The columns of JSON: each as its room declares it. */
async function readJsonColumns(db: Database): Promise<Record<string, ExpressionNode>> {
	const { rows } = await sql<{ column: string }>`
		select format('%s.%s', attrelid::regclass, attname) as column from pg_attribute
		join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace <> 'pg_catalog'::regnamespace
		where atttypid = 'jsonb'::regtype`.execute(db);
	return Object.fromEntries(rows.map(({ column }) => [column, declared("JsonColumn", column)]));
}

const folder = mkdtempSync(join(tmpdir(), "extrait-pro-types-"));
const postgres = await startPostgres(folder);
try {
	const { db } = openDatabase(postgres.connection, createLog("silent"));
	await migrate(db);
	await generate({
		db,
		dialect: new PostgresDialect(),
		outFile: "server/database/database-types.gen.ts",
		excludePattern: "(public.kysely_*|public.rate_limits)",
		overrides: { columns: { ...(await readUnions(db)), ...(await readJsonColumns(db)), ...columnTypes } },
		customImports: { Branded: "../types/branded.ts", DeclaredColumn: "./column-types.ts", JsonColumn: "./column-types.ts" },
		verify: process.argv.includes("--verify"),
		logger: new Logger("error"),
	});
	await db.destroy();
} finally {
	await postgres.stop();
	for (const made of [folder, postgres.folder]) rmSync(made, { recursive: true, force: true });
}
