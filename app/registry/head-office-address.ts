import { departmentOf } from "../companies/departments.ts";

/** Reads a column of a SIRENE row; "" where it is empty. */
export type ReadColumn = (column: string) => string;

export interface HeadOfficeAddress {
	/** Number and street: « 59 RUE LA FAYETTE ». */
	address: string | null;
	/** Building, floor, post box. */
	complement: string | null;
	postalCode: string | null;
	/** « PARIS »; abroad « LONDRES (ROYAUME-UNI) ». */
	city: string | null;
	/** INSEE's code of the commune. */
	commune: string | null;
	department: string | null;
	/** Other names under which the place is looked for: the CEDEX and its code. */
	alsoKnownAs: string[];
}

/** Types of street that SIRENE abbreviates. Source: INSEE, variable typeVoieEtablissement. */
const streetTypes: Record<string, string> = {
	ALL: "ALLEE",
	AV: "AVENUE",
	BD: "BOULEVARD",
	CAR: "CARREFOUR",
	CHE: "CHEMIN",
	CHS: "CHAUSSEE",
	COR: "CORNICHE",
	CRS: "COURS",
	DOM: "DOMAINE",
	DSC: "DESCENTE",
	ECA: "ECART",
	ESP: "ESPLANADE",
	FG: "FAUBOURG",
	GR: "GRANDE RUE",
	HAM: "HAMEAU",
	HLE: "HALLE",
	IMP: "IMPASSE",
	LD: "LIEU DIT",
	LOT: "LOTISSEMENT",
	MAR: "MARCHE",
	MTE: "MONTEE",
	PAS: "PASSAGE",
	PL: "PLACE",
	PLN: "PLAINE",
	PLT: "PLATEAU",
	PRO: "PROMENADE",
	PRV: "PARVIS",
	QUA: "QUARTIER",
	R: "RUE",
	RES: "RESIDENCE",
	RLE: "RUELLE",
	ROC: "ROCADE",
	RPT: "ROND POINT",
	RTE: "ROUTE",
	SEN: "SENTIER",
	SQ: "SQUARE",
	TPL: "TERRE PLEIN",
	TRA: "TRAVERSE",
	VGE: "VILLAGE",
	VLA: "VILLA",
	VLGE: "VILLAGE",
};

const repetitions: Record<string, string> = { B: "BIS", T: "TER", Q: "QUATER" };

/** The address of an establishment, from the columns of StockEtablissement. [ND] stands for what was withheld. */
export function headOfficeAddress(column: ReadColumn): HeadOfficeAddress {
	const read = (name: string) => {
		const value = column(`${name}Etablissement`).trim();
		return value.includes("[ND]") ? "" : value;
	};
	const repetition = read("indiceRepetition");
	const type = streetTypes[read("typeVoie")] ?? read("typeVoie");
	const name = read("libelleVoie");
	const street = join(" ", read("numeroVoie"), repetitions[repetition] ?? repetition, name.startsWith(`${type} `) ? "" : type, name);
	const complement = join(", ", read("complementAdresse"), read("distributionSpeciale"));
	const commune = read("codeCommune");
	const postalCode = read("codePostal");
	const abroad = join(" ", read("libelleCommuneEtranger"), read("libellePaysEtranger") && `(${read("libellePaysEtranger")})`);
	// the street's own commune before the CEDEX, which is the name of a sorting office
	const city = cityName(read("libelleCommune")) || abroad || read("libelleCedex");
	return {
		address: street || complement || null,
		complement: (street && complement) || null,
		postalCode: postalCode || read("codeCedex") || null,
		city: city || null,
		commune: commune || null,
		department: departmentOf(commune || postalCode || read("codeCedex")),
		alsoKnownAs: [read("codeCedex"), read("libelleCedex")].filter(Boolean),
	};
}

/** « PARIS 8 », « LYON 3EME » → the city; its arrondissement is in the postal code. */
function cityName(label: string): string {
	return label.replace(/^(PARIS|LYON|MARSEILLE) \d+(ER|E|EME)?( ARRONDISSEMENT)?$/, "$1");
}

function join(separator: string, ...parts: string[]): string {
	return parts.filter(Boolean).join(separator);
}
