import type { Random } from "../../../test/random.ts";
import { hidden, type Row, type Sample } from "./sample.ts";
import { makeSiret } from "./sirens.ts";

/** Shares that the sample does not show. */
const share = { open: 0.5, abroad: 0.003, cedexOfLegalPersons: 0.05 };
/** The shares of open establishments with another activity than their unit, as in the sample. */
const ownActivity = { head: 0.043, branch: 0.26 };
/** The share of units with a second establishment, of those with a third, and so on, by category of enterprise. */
const another: Record<string, number> = { "": 0.27, PME: 0.3, ETI: 0.85, GE: 0.95 };
const maxEstablishments = 400;

const foreignPlaces = [
	{ libelleCommuneEtranger: "BRUXELLES", codePaysEtranger: "99131", libellePaysEtranger: "BELGIQUE" },
	{ libelleCommuneEtranger: "LUXEMBOURG", codePaysEtranger: "99137", libellePaysEtranger: "LUXEMBOURG" },
	{ libelleCommuneEtranger: "GENEVE", codePaysEtranger: "99140", libellePaysEtranger: "SUISSE" },
];
const placeColumns = ["codePostal", "libelleCommune", "codeCommune", "distributionSpeciale", "codeCedex", "libelleCedex"];
const activityColumns = ["activitePrincipale", "nomenclatureActivitePrincipale", "activitePrincipaleNAF25"];
const noPlace = Object.fromEntries(placeColumns.map((column) => [column, ""]));

/** Columns of an address that are hidden, even empty ones; the commune stays visible. */
const hiddenAddress = hide([
	...["complementAdresse", "numeroVoie", "indiceRepetition", "dernierNumeroVoie", "indiceRepetitionDernierNumeroVoie"],
	...["typeVoie", "libelleVoie", "codePostal", "distributionSpeciale", "codeCedex", "libelleCedex"],
	...["identifiantAdresse", "coordonneeLambertAbscisse", "coordonneeLambertOrdonnee"],
]);
/** Columns that are hidden too when the unit is a sole trader. */
const hiddenNames = hide(["enseigne1", "enseigne2", "enseigne3", "denominationUsuelle"]);

function hide(columns: readonly string[]): Record<string, string> {
	return Object.fromEntries(columns.map((column) => [column, hidden]));
}

/** A unit as far as its establishments depend on it. */
export interface Unit {
	siren: string;
	isHidden: boolean;
	isLegalPerson: boolean;
	isActive: boolean;
	/** INSEE's category of enterprise, or "". */
	size: string;
	activity: Record<"activitePrincipale" | "nomenclatureActivitePrincipale" | "activitePrincipaleNAF25", string>;
}

/** Draws a unit's establishments: street, trade sign, dates and staff of one row of the sample, commune of another. */
export function establishmentMaker(sample: Sample) {
	const cell = (row: Row, column: string) => row[sample.at(column)] ?? "";
	const withStreet = sample.rows.filter((row) => cell(row, "libelleVoie") && !cell(row, "codePaysEtranger"));
	const places = sample.rows
		.filter((row) => cell(row, "codePostal") && cell(row, "codeCommune") && !cell(row, "libelleCommune").includes('"'))
		.map((row) => Object.fromEntries(placeColumns.map((column) => [column, cell(row, column)])));
	const cedexPlaces = places.filter(({ codeCedex }) => codeCedex);

	const activities = sample.rows
		.filter((row) => cell(row, "nomenclatureActivitePrincipale") === "NAFRev2")
		.map((row) => Object.fromEntries(activityColumns.map((column) => [column, cell(row, column)])) as Unit["activity"]);

	function drawPlace(random: Random, isLegalPerson: boolean): Record<string, string> {
		if (random.next() < share.abroad) return { ...noPlace, ...random.pick(foreignPlaces) };
		return random.pick(isLegalPerson && random.next() < share.cedexOfLegalPersons ? cedexPlaces : places);
	}

	function makeLine(random: Random, unit: Unit, siret: string, isHead: boolean): string {
		const isOpen = unit.isActive && (isHead || random.next() < share.open);
		return sample.toLine(random.pick(withStreet), {
			...drawPlace(random, unit.isLegalPerson),
			...(random.next() < (isHead ? ownActivity.head : ownActivity.branch) ? random.pick(activities) : unit.activity),
			siren: unit.siren,
			nic: siret.slice(9),
			siret,
			statutDiffusion: unit.isHidden ? "P" : "O",
			etablissementSiege: String(isHead),
			etatAdministratif: isOpen ? "A" : "F",
			...(unit.isHidden && hiddenAddress),
			...(unit.isHidden && !unit.isLegalPerson && hiddenNames),
		});
	}

	/** @returns the number (NIC) of the head office, and the lines in the order of their SIRETs. */
	return (random: Random, unit: Unit): { nic: string; lines: string[] } => {
		// numbers of closed establishments are never reused
		const firstNumber = random.next() < 1 / 8 ? 2 : 1;
		let count = 1;
		while (count < maxEstablishments && random.next() < (another[unit.size] ?? 0)) count++;
		const head = Math.floor(random.next() * count);
		const sirets = Array.from({ length: count }, (_, index) => makeSiret(unit.siren, firstNumber + index));
		return {
			nic: (sirets[head] as string).slice(9),
			lines: sirets.map((siret, index) => makeLine(random, unit, siret, index === head)),
		};
	};
}
