import { sql } from "kysely";
import type { Database, Trx } from "./database.ts";
import { describeSchema, shopSchemas } from "./describe-schema.ts";
import { SchemaError } from "./schema-error.ts";

/** The last of the migrations that make at once what the replaced ones made. */
const lastReplacement = "0011_operation";

/** The migrations that `lastReplacement` and those before it replace (docs/decisions/0054-one-migration-per-concept.md). */
export const replacedMigrations: readonly string[] = `
	0001_orders 0002_companies 0003_contact 0004_registry 0005_search 0006_money 0007_newsletter 0008_status 0009_disputes 0010_limits
	0011_search_spellings 0012_objections 0013_refunds_again 0014_readiness 0015_order_copies 0016_corrections
	0017_copy_requests_have_a_time 0018_figures 0019_purge_lists 0020_sweepers 0021_billing_and_delivery 0022_mail_recipients
	0023_search_by_kind 0024_order_forms 0025_corrected_invoices 0026_extracts_first 0027_operators 0028_serving 0029_order_claims
	0029_order_words 0029_order_words_of_old_orders 0029_queue_indexes 0030_defending 0031_accounts 0032_messages 0033_demo_desk
	0034_orders_of_a_company 0035_money_of_the_desk 0036_safe_doors 0037_trail_of_letters 0038_both_factors_of_a_session
	0040_refused_acts_are_seen 0042_letter_runs 0044_trail_kept_a_year 0046_sent_emails 0048_bulletin 0052_extract_watch
	0053_notices_of_emails 0054_company_alerts 0058_establishments_and_vat 0059_purchases 0060_purchases_of_past_orders
	0061_every_order_has_a_purchase 0062_copies_of_purchases 0065_search_by_reference 0066_customer_sign_in 0067_document_shares
	0068_invoices_of_erased_customers 0069_ended_visits 0070_refreshed_sessions 0072_withdrawals_of_purchases 0074_granted_roles
	0075_points_of_limits 0076_grouped_confirmations 0077_attempts_have_a_client 0080_extract_requested 0081_bulletin_read_daily
	0082_terms_as_accepted 0083_archived_contracts`
	.trim()
	.split(/\s+/);

/** What only programs of earlier versions used, and constraints that did not hold for rows before them. */
const finishingTouches = `
	drop trigger if exists orders_have_a_purchase on orders;
	drop function if exists set_purchase, search_companies, tier_floor, take_points(text[], integer[], integer[], bigint, bigint);
	alter table withdrawals alter declaration_id set not null, alter refund_cents set not null;
	alter table extract_requests validate constraint extract_requests_not_found_because_check;
	alter table invoices validate constraint invoices_check`;

/** How many differences a message names. */
const maxDifferences = 5;
const maxDifferenceLength = 200;

/** @returns whether a database was made by the replaced migrations, all or some of them. */
export const hasReplacedMigrations = (applied: readonly string[]): boolean => applied.some((name) => replacedMigrations.includes(name));

/** @throws SchemaError when a database that the replaced migrations made is not in their last state. */
export function assertAdoptable(applied: readonly string[]): void {
	const missing = replacedMigrations.filter((name) => !applied.includes(name));
	if (missing.length > 0)
		throw new SchemaError(
			`An older version made the database, and it lacks ${formatMigrations(missing)} of that version.`,
			`Run npm run db:migrate of the last version that has db/migrations/${replacedMigrations.at(-1)}.sql, then this version again.`,
		);
	const unknown = applied.filter((name) => !replacedMigrations.includes(name));
	if (unknown.length > 0) throw new SchemaError(`The database has ${formatMigrations(unknown)}, which this program lacks.`, unknownTodo);
}

/** For a database with a migration that is not of this program. */
export const unknownTodo = "Start the program that made it, or set DATABASE_URL to another database.";

export function formatMigrations(names: readonly string[]): string {
	const rest = names.length > 3 ? ` and ${names.length - 3} more` : "";
	return `the migration${names.length > 1 ? "s" : ""} ${names.slice(0, 3).join(", ")}${rest}`;
}

/**
 * Records a database in the last state of the replaced migrations as one of their replacements, in one transaction. Nothing changes
 * when its schema is another one. Rows are neither read nor written.
 * @param replacements the names and the SQL of this program's migrations, in their order.
 * @throws SchemaError names the differences.
 */
export async function adoptSchema(
	db: Database,
	replacements: ReadonlyMap<string, string>,
	{ lockTimeoutMs }: { lockTimeoutMs: number },
): Promise<void> {
	await db.transaction().execute(async (trx) => {
		await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(trx);
		await sql`lock table kysely_migration in exclusive mode`.execute(trx);
		const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(trx);
		const names = applied.rows.map(({ name }) => name);
		// another process was faster
		if (!hasReplacedMigrations(names)) return;
		assertAdoptable(names);
		const made = listReplacements(replacements);
		const expected = await describeReplacements(trx, made);
		await sql.raw(finishingTouches).execute(trx);
		const actual = await describeSchema(trx);
		const differences = [
			...expected.filter((line) => !actual.includes(line)).map((line) => `- ${line}`),
			...actual.filter((line) => !expected.includes(line)).map((line) => `+ ${line}`),
		];
		if (differences.length > 0) throw new SchemaError(...describeDifferences(differences));
		await sql`delete from kysely_migration`.execute(trx);
		const timestamp = new Date().toISOString();
		for (const [name] of made) await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(trx);
	});
}

/** The migrations that make what the replaced ones made: the later ones run after the adoption. */
export const listReplacements = (migrations: ReadonlyMap<string, string>) => [...migrations].filter(([name]) => name <= lastReplacement);

/** Makes the schemas of the replacements beside those of the database, describes them, and rolls them back. No table is locked. */
async function describeReplacements(trx: Trx, replacements: [name: string, text: string][]): Promise<string[]> {
	await sql`savepoint aside`.execute(trx);
	for (const schema of shopSchemas) await sql.raw(`alter schema ${schema} rename to ${schema}_aside`).execute(trx);
	await sql`create schema public`.execute(trx);
	for (const [, text] of replacements) await sql.raw(text).execute(trx);
	const description = await describeSchema(trx);
	await sql`rollback to savepoint aside`.execute(trx);
	return description;
}

function describeDifferences(differences: string[]): [message: string, todo: string] {
	const shown = differences
		.sort((a, b) => a.slice(2).localeCompare(b.slice(2)))
		.slice(0, maxDifferences)
		.map((line) => (line.length > maxDifferenceLength ? `${line.slice(0, maxDifferenceLength)}…` : line));
	const rest = differences.length > shown.length ? [`… and ${differences.length - shown.length} more`] : [];
	return [
		["The schema of the database is not that of this program, which has the lines with - and not those with +:", ...shown, ...rest].join(
			"\n",
		),
		"Change the database so that both are equal, then start again.",
	];
}
