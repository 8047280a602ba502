import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { changesChannel, publicPagesSubject } from "../../../../server/database/changes.ts";
import { registryLock } from "../sirene/import.store.server.ts";
import type { VatEntry } from "./vat-lines.ts";

/** The result of a merge. */
export interface MergedVatNumbers {
	/** Different VAT numbers of the file. */
	numbers: number;
	/** SIRENs with at least one of them, and the same of the file that was imported before; null without one. */
	companies: number;
	before: number | null;
}

/** Copies the numbers of the file into the temporary table `incoming`, which lasts until the end of the transaction. */
export async function copyIncoming(client: pg.Client, blocks: AsyncIterable<VatEntry[]>): Promise<void> {
	await client.query('create temporary table incoming (siren integer, vat_key text collate "C") on commit drop');
	async function* lines() {
		for await (const block of blocks) yield block.map(({ siren, key }) => `${siren}\t${key}\n`).join("");
	}
	await pipeline(Readable.from(lines(), { highWaterMark: 2 }), client.query(copyFrom("copy incoming from stdin")));
}

/**
 * Replaces the stored numbers by those of `incoming`. Only rows that differ are written, so readers never wait. Waits for a running
 * import of SIRENE, which copies the row of the source into its new table.
 * @param asOf yyyy-mm-dd, the day of the file.
 */
export async function mergeIncoming(client: pg.Client, asOf: string, importedAt: Date): Promise<MergedVatNumbers> {
	await client.query(`select pg_advisory_xact_lock(${registryLock})`);
	await client.query(`
		create temporary table current on commit drop as
			select siren, string_agg(vat_key, '' order by vat_key) as vat_keys, count(*) as numbers
			from (select distinct siren, vat_key from incoming) number group by siren;
		analyze current;
		delete from company_vat_numbers known where not exists (select from current where current.siren = known.siren);
		update company_vat_numbers known set vat_keys = current.vat_keys from current
			where known.siren = current.siren and known.vat_keys <> current.vat_keys;
		insert into company_vat_numbers (siren, vat_keys)
			select siren, current.vat_keys from current left join company_vat_numbers known using (siren) where known.siren is null order by siren;
		analyze company_vat_numbers;
	`);
	const { rows: before } = await client.query<{ companies: number }>("delete from company_sources where name = 'vat' returning companies");
	const { rows } = await client.query<{ numbers: number; companies: number }>(
		"select coalesce(sum(numbers), 0)::int as numbers, count(*)::int as companies from current",
	);
	const { numbers = 0, companies = 0 } = rows[0] ?? {};
	await client.query("insert into company_sources (name, as_of, imported_at, companies) values ('vat', $1, $2, $3)", [
		asOf,
		importedAt,
		companies,
	]);
	await client.query("select pg_notify($1, $2)", [changesChannel, publicPagesSubject]);
	return { numbers, companies, before: before[0]?.companies ?? null };
}
