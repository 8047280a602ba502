/** The sectors that the search can filter by, each a set of NAF sections. `more`: what a section has beyond its label (INSEE, NAF rév. 2). */
export const sectors = [
	{ value: "services-informatiques", label: "Services informatiques", more: ", édition, télécoms", sections: ["J"] },
	{ value: "commerce", label: "Commerce", more: "", sections: ["G"] },
	{ value: "industrie", label: "Industrie", more: "", sections: ["B", "C", "D", "E"] },
	{ value: "btp", label: "BTP", more: "", sections: ["F"] },
	{ value: "services-aux-entreprises", label: "Services aux entreprises", more: "", sections: ["M", "N"] },
] as const;

export type Sector = (typeof sectors)[number];

/** The last division (the first two digits of a code) of each NAF section in `sectors`. Source: INSEE, NAF rév. 2. */
const lastDivisions: [division: number, section: string | null][] = [
	[4, null],
	[9, "B"],
	[33, "C"],
	[35, "D"],
	[39, "E"],
	[43, "F"],
	[47, "G"],
	[57, null],
	[63, "J"],
	[68, null],
	[75, "M"],
	[82, "N"],
];

/**
 * Returns the NAF section in letters of rév. 2, if a sector contains it. NAF 2025 has the same divisions for these sections.
 * Older nomenclatures (NAP, NAF 1993, NAF rév. 1) have other numbers, so the result is null.
 */
export function findSection(code: string, nomenclature: string): string | null {
	if (nomenclature !== "NAFRev2" && !/^NAF(20)?25$/.test(nomenclature)) return null;
	const division = Number(code.slice(0, 2));
	return lastDivisions.find(([last]) => division <= last)?.[1] ?? null;
}
