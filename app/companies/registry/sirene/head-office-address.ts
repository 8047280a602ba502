import { findDepartment } from "../../departments.ts";
import { findColumns } from "./stock-file.server.ts";

export interface HeadOfficeAddress {
	/** House number and street: « 59 RUE LA FAYETTE ». */
	address: string | null;
	/** Building, floor, post box. */
	complement: string | null;
	postalCode: string | null;
	/** « PARIS », or abroad « LONDRES (ROYAUME-UNI) ». */
	city: string | null;
	/** INSEE's code of the commune. */
	commune: string | null;
	department: string | null;
	/** Other search terms for the place: the CEDEX and its code. */
	alsoKnownAs: string[];
}

/** SIRENE's abbreviations of street types. Source: INSEE, variable typeVoieEtablissement. */
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

/** Creates a parser of addresses in the rows of StockEtablissement. [ND] marks withheld values. */
export function createAddressParser(header: readonly string[]): (cells: readonly string[]) => HeadOfficeAddress {
	const suffix = "Etablissement";
	const columns = {
		...findColumns(header, ["numeroVoie", "indiceRepetition", "typeVoie", "libelleVoie"], suffix),
		...findColumns(header, ["complementAdresse", "distributionSpeciale", "codePostal", "libelleCommune", "codeCommune"], suffix),
		...findColumns(header, ["codeCedex", "libelleCedex", "libelleCommuneEtranger", "libellePaysEtranger"], suffix),
	};
	return (cells) => {
		const readCell = (column: number) => {
			const value = cells[column]?.trim() ?? "";
			return value.includes("[ND]") ? "" : value;
		};
		const repetition = readCell(columns.indiceRepetition);
		const shortType = readCell(columns.typeVoie);
		const type = streetTypes[shortType] ?? shortType;
		const name = readCell(columns.libelleVoie);
		const street = join(
			" ",
			readCell(columns.numeroVoie),
			repetitions[repetition] ?? repetition,
			name.startsWith(`${type} `) ? "" : type,
			name,
		);
		const complement = join(", ", readCell(columns.complementAdresse), readCell(columns.distributionSpeciale));
		const commune = readCell(columns.codeCommune);
		const postalCode = readCell(columns.codePostal);
		const cedex = readCell(columns.codeCedex);
		const cedexOffice = readCell(columns.libelleCedex);
		const country = readCell(columns.libellePaysEtranger);
		const abroad = join(" ", readCell(columns.libelleCommuneEtranger), country && `(${country})`);
		// prefers the commune to the CEDEX, which is the name of a sorting office
		const city = removeArrondissement(readCell(columns.libelleCommune)) || abroad || cedexOffice;
		return {
			address: street || complement || null,
			complement: (street && complement) || null,
			postalCode: postalCode || cedex || null,
			city: city || null,
			commune: commune || null,
			department: findDepartment(commune || postalCode || cedex),
			alsoKnownAs: [cedex, cedexOffice],
		};
	};
}

/** Removes the arrondissement of « PARIS 8 », « LYON 3EME »: the postal code contains it. */
function removeArrondissement(label: string): string {
	return label.replace(/^(PARIS|LYON|MARSEILLE) \d+(ER|E|EME)?( ARRONDISSEMENT)?$/, "$1");
}

function join(separator: string, ...parts: string[]): string {
	return parts.filter(Boolean).join(separator);
}
