/** INSEE's bands of employees (trancheEffectifsUniteLegale); « 00 », which had some during the year, and « NN » are not shown. */
const staffBands: Record<string, string> = {
	"01": "1 ou 2 salariés",
	"02": "3 à 5 salariés",
	"03": "6 à 9 salariés",
	11: "10 à 19 salariés",
	12: "20 à 49 salariés",
	21: "50 à 99 salariés",
	22: "100 à 199 salariés",
	31: "200 à 249 salariés",
	32: "250 à 499 salariés",
	41: "500 à 999 salariés",
	42: "1\u00a0000 à 1\u00a0999 salariés",
	51: "2\u00a0000 à 4\u00a0999 salariés",
	52: "5\u00a0000 à 9\u00a0999 salariés",
	53: "10\u00a0000 salariés ou plus",
};

/** INSEE's categories of enterprises (décret n° 2008-1354). */
const categories: Record<string, string> = {
	PME: "Petite ou moyenne entreprise (PME)",
	ETI: "Entreprise de taille intermédiaire (ETI)",
	GE: "Grande entreprise (GE)",
};

/** Returns the label of a band: « 50 à 99 salariés (2023) »; null for no employees and for an unknown code. */
export function formatStaffBand(code: string | null, year: number | null): string | null {
	const label = code === null ? undefined : staffBands[code];
	return label === undefined ? null : year === null ? label : `${label} (${year})`;
}

/** Returns the label of a category; null when unknown. */
export function formatCategory(code: string | null): string | null {
	return code === null ? null : (categories[code] ?? null);
}
