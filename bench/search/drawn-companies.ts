import type pg from "pg";
import { type LegalForm, legalFormsOf } from "../../app/companies/legal-forms.ts";
import { words } from "../../app/companies/search/tokens.ts";
import { type Sector, sectors } from "../../app/companies/sectors.ts";
import type { Random } from "../random.ts";

/** A company that somebody looks for. */
export interface DrawnCompany {
	id: number;
	siren: string;
	name: string;
	city: string;
	department: string;
	form: LegalForm | undefined;
	sector: Sector["value"] | undefined;
}

interface Row {
	id: number;
	siren: string;
	name: string;
	city: string;
	department: string;
	legal_category: string;
	section: string | null;
}

/** Active companies with a name and a city, each as probable as any other, in no order; at most `count`. */
export async function drawCompanies(client: pg.Client, count: number, random: Random): Promise<DrawnCompany[]> {
	const { rows: most } = await client.query<{ max: number }>("select max(id) from companies where status = 'active'");
	const ids = Array.from({ length: 3 * count }, () => 1 + Math.floor(random.next() * (most[0]?.max ?? 0)));
	const { rows } = await client.query<Row>(
		`select company.id, siren, name, city, left(commune, 2) as department, legal_category, section
		from unnest($1::integer[]) with ordinality drawn (id, place) join companies company using (id)
		where status = 'active' and not masked and name is not null and city is not null and commune < '97'
		order by place limit $2`,
		[ids, count],
	);
	return rows.map(({ legal_category, section, ...row }) => ({
		...row,
		form: legalFormsOf(legal_category, null)[0],
		sector: sectors.find(({ sections }) => sections.some((known) => known === section))?.value,
	}));
}

/** The words that stand in most names or cities, the most frequent first. */
export function frequentWords(companies: readonly DrawnCompany[], count: number): string[] {
	const seen = new Map<string, number>();
	for (const { name, city } of companies)
		for (const word of new Set(words(`${name} ${city}`))) if (word.length >= 3) seen.set(word, (seen.get(word) ?? 0) + 1);
	return [...seen]
		.sort(([, a], [, b]) => b - a)
		.slice(0, count)
		.map(([word]) => word);
}
