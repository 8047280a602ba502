/** A query, the company it means (SIREN), where that company must be, and the filters chosen beside it. */
export type Row = [
	query: string,
	siren: string,
	expect: "first" | "page",
	filters?: { departement?: string; forme?: string; secteur?: string },
];
