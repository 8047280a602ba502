import type pg from "pg";
import { withClient } from "./postgres.ts";

/** A company of the sample. */
export interface KnownCompany {
	siren: string;
	name: string;
	city: string;
	department: string;
}

/** Companies of the sample with a Kbis to order. */
export async function knownCompanies(connection: pg.ClientConfig): Promise<KnownCompany[]> {
	const { rows } = await withClient(connection, (client) =>
		client.query<KnownCompany>(
			`select siren, name, city, left(postal_code, 2) as department from companies
			where status = 'active' and name is not null and city is not null and postal_code is not null and legal_category like '5%' order by id`,
		),
	);
	return rows;
}
