import type pg from "pg";
import { type LegalForm, listLegalForms } from "../../../app/companies/legal-forms.ts";
import { tokenize } from "../../../app/companies/search/tokens.ts";
import { type Sector, sectors } from "../../../app/companies/sectors.ts";
import type { Random } from "../../../test/random.ts";

/** A company that a customer searches for. */
export interface DrawnCompany {
	id: number;
	siren: string;
	name: string;
	city: string;
	department: string;
	form: LegalForm | undefined;
	sector: Sector["value"] | undefined;
}

/** At most `count` active companies with a name and a city in metropolitan France, in random order. */
export async function drawCompanies(client: pg.Client, count: number, random: Random): Promise<DrawnCompany[]> {
	const { rows: highest } = await client.query<{ max: number }>("select max(id) from companies where status = 'active'");
	const ids = Array.from({ length: 3 * count }, () => 1 + Math.floor(random.next() * (highest[0]?.max ?? 0)));
	const { rows } = await client.query<Omit<DrawnCompany, "form" | "sector"> & { legal_category: string; section: string | null }>(
		`select company.id, siren, name, city, left(commune, 2) as department, legal_category, section
		from unnest($1::integer[]) with ordinality drawn (id, place) join companies company using (id)
		where status = 'active' and not masked and name is not null and city is not null and commune < '97'
		order by place limit $2`,
		[ids, count],
	);
	return rows.map(({ legal_category, section, ...company }) => ({
		...company,
		form: listLegalForms(legal_category, null)[0],
		sector: sectors.find(({ sections }) => sections.some((known) => known === section))?.value,
	}));
}

/** The words in most names or cities, the most frequent first. */
export function listFrequentWords(companies: readonly DrawnCompany[], count: number): string[] {
	const all = companies.flatMap(({ name, city }) => [...new Set(tokenize(`${name} ${city}`))].filter((word) => word.length >= 3));
	return [...Map.groupBy(all, (word) => word)]
		.sort(([, a], [, b]) => b.length - a.length)
		.slice(0, count)
		.map(([word]) => word);
}
