import { departmentOf } from "../../companies/departments.ts";
import { columnsOf } from "./stock-file.server.ts";

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

/** Makes a reader of the address of an establishment, from the rows of StockEtablissement. [ND] stands for what was withheld. */
export function addressReader(header: readonly string[]): (cells: readonly string[]) => HeadOfficeAddress {
	const suffix = "Etablissement";
	const at = {
		...columnsOf(header, ["numeroVoie", "indiceRepetition", "typeVoie", "libelleVoie"], suffix),
		...columnsOf(header, ["complementAdresse", "distributionSpeciale", "codePostal", "libelleCommune", "codeCommune"], suffix),
		...columnsOf(header, ["codeCedex", "libelleCedex", "libelleCommuneEtranger", "libellePaysEtranger"], suffix),
	};
	return (cells) => {
		const read = (place: number) => {
			const value = cells[place]?.trim() ?? "";
			return value.includes("[ND]") ? "" : value;
		};
		const repetition = read(at.indiceRepetition);
		const shortType = read(at.typeVoie);
		const type = streetTypes[shortType] ?? shortType;
		const name = read(at.libelleVoie);
		const street = join(" ", read(at.numeroVoie), repetitions[repetition] ?? repetition, name.startsWith(`${type} `) ? "" : type, name);
		const complement = join(", ", read(at.complementAdresse), read(at.distributionSpeciale));
		const commune = read(at.codeCommune);
		const postalCode = read(at.codePostal);
		const cedex = read(at.codeCedex);
		const cedexOffice = read(at.libelleCedex);
		const country = read(at.libellePaysEtranger);
		const abroad = join(" ", read(at.libelleCommuneEtranger), country && `(${country})`);
		// the street's own commune before the CEDEX, which is the name of a sorting office
		const city = cityName(read(at.libelleCommune)) || abroad || cedexOffice;
		return {
			address: street || complement || null,
			complement: (street && complement) || null,
			postalCode: postalCode || cedex || null,
			city: city || null,
			commune: commune || null,
			department: departmentOf(commune || postalCode || cedex),
			alsoKnownAs: [cedex, cedexOffice],
		};
	};
}

/** « PARIS 8 », « LYON 3EME » → the city; its arrondissement is in the postal code. */
function cityName(label: string): string {
	return label.replace(/^(PARIS|LYON|MARSEILLE) \d+(ER|E|EME)?( ARRONDISSEMENT)?$/, "$1");
}

function join(separator: string, ...parts: string[]): string {
	return parts.filter(Boolean).join(separator);
}
