import { openDatabase } from "./shared-shop.ts";

/** A generated company about which the bulletin published eight notices. Found by its SIREN only. */
export const publishedCompany = "800000119";

const court = "Greffe du tribunal des activités économiques de Paris";

/** Days before today, family, kind, days before today of the judgment or of the accounts. */
const notices = [
	[5, "modification", "Transfert du siège social, modification de l’administration", null],
	[60, "dpc", null, 330],
	[200, "vente", null, null],
	[400, "radiation", null, null],
	[500, "dpc", null, 700],
	[900, "modification", "Capital", null],
	[1500, "collective", "Jugement d’ouverture d’une procédure de redressement judiciaire", 1510],
	[5000, "creation", null, null],
] as const;

/** Inserts the company, its notices, and a reading that is not complete. */
export async function addPublishedCompany(): Promise<void> {
	const client = await openDatabase();
	await client.query(
		`insert into companies (id, siren, status, masked, name, name_key, legal_category, address, postal_code, city, lexemes)
		values (2000119, $1, 'active', false, 'LES ATELIERS DU GUE', 0, '5710', '12 RUE DE LA PAIX', '75002', 'PARIS', '') on conflict do nothing`,
		[publishedCompany],
	);
	await client.query("insert into bulletin_readings (imported_at) values (now()) on conflict do nothing");
	for (const [index, [days, family, kind, eventDays]] of notices.entries()) {
		await client.query("insert into bulletin_texts (text) select unnest($1::text[]) on conflict do nothing", [[court, kind ?? court]]);
		await client.query(
			`insert into bulletin_notices (siren, id, published_on, event_on, court_id, kind_id, family)
			values ($1, $2, current_date - $3::integer, current_date - $4::integer, (select id from bulletin_texts where text = $5),
				(select id from bulletin_texts where text = $6), $7) on conflict do nothing`,
			[publishedCompany, `A2026090${index}1${index}`, days, eventDays, court, kind, family],
		);
	}
	await client.end();
}
