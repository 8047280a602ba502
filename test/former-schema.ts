import type pg from "pg";
import { listReplacements, replacedMigrations } from "../server/database/adopt-schema.ts";
import { shopSchemas } from "../server/database/describe-schema.ts";
import { readTexts } from "../server/database/migrate.ts";

/** Gives a database the last state of the migrations that were replaced by one per concept, without rows. */
export async function restoreFormerSchema(client: Pick<pg.Client, "query">): Promise<void> {
	await client.query(`drop schema ${shopSchemas.join(", ")} cascade; create schema public`);
	for (const [, text] of listReplacements(readTexts())) await client.query(text);
	await client.query(`
		create function set_purchase() returns trigger language plpgsql as $$ begin return new; end $$;
		create trigger orders_have_a_purchase before insert on orders for each row execute function set_purchase();
		create function search_companies(words text[]) returns integer language sql return 1;
		create function tier_floor(id integer) returns integer language sql return 1;
		create function take_points(keys text[], most integer[], spare integer[], now bigint, ends bigint) returns integer language sql return 1;
		alter table withdrawals alter declaration_id drop not null, alter refund_cents drop not null;
		alter table extract_requests
			drop constraint extract_requests_not_found_because_check,
			add constraint extract_requests_not_found_because_check
				check (not_found_because in ('removed', 'wrong-siren', 'no-kbis', 'unknown')) not valid;
		create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`);
	// some ran later than those with a higher name
	for (const name of replacedMigrations.toReversed())
		await client.query("insert into kysely_migration values ($1, clock_timestamp()::text)", [name]);
}
