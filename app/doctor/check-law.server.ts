import { sql } from "kysely";
import { type Check, createResult, formatCount } from "./check.ts";

export const lawChecks: Check[] = [
	{
		name: "terms",
		what: "Terms of sale as they were accepted",
		how: "each version of the terms that an order names is stored",
		todo: "Restore the table terms_versions from a backup: a customer may ask for the terms that applied to the order.",
		async examine({ db }) {
			const { rows } = await sql<{ order_number: string }>`
				select order_number from orders where terms_sha256 is not null
					and not exists (select from terms_versions where terms_versions.sha256 = orders.terms_sha256)
				order by order_number`.execute(db);
			const { rows: versions } = await sql<{ count: number }>`select count(*)::integer as count from terms_versions`.execute(db);
			const problems = rows.map(({ order_number }) => `The terms of ${order_number} are missing.`);
			return createResult(formatCount(versions[0]?.count ?? 0, "version"), ...problems);
		},
	},
];
