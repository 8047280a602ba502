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
	RawExpressionNode,
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

/** The types of columns that the schema does not state. */
const columnTypes: Record<string, ExpressionNode> = {
	"company_alerts.siren": branded("string", "Siren"),
	"company_alerts.topics": new RawExpressionNode('("changes" | "creations" | "removals" | "proceedings" | "sales" | "accounts")[]'),
	"extract_drafts.facts": new RawExpressionNode("ColumnType<unknown, string, string>"),
	"conversation_messages.attachments": new RawExpressionNode("ColumnType<JsonArray, string, string>"),
	"sent_emails.attachments": new RawExpressionNode("ColumnType<JsonArray, string, string>"),
	"invoices.data": new RawExpressionNode("ColumnType<unknown, string, string>"),
	"order_events.payload": new RawExpressionNode("ColumnType<JsonObject, string | undefined, string>"),
	"orders.failure_reason": union(["expired", "cancelled", "not-available", "not-found", "operator"]),
	"orders.order_number": branded("string", "OrderNumber"),
	"orders.price_cents": branded("number", "Cents"),
	"orders.siren": branded("string", "Siren"),
	"reconciliations.differences": new RawExpressionNode("ColumnType<JsonArray, string, string>"),
	"refunds.amount_cents": branded("number", "Cents"),
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
		overrides: { columns: { ...(await readUnions(db)), ...columnTypes } },
		customImports: { Branded: "../types/branded.ts" },
		verify: process.argv.includes("--verify"),
		logger: new Logger("error"),
	});
	await db.destroy();
} finally {
	await postgres.stop();
	for (const made of [folder, postgres.folder]) rmSync(made, { recursive: true, force: true });
}
