import type { Random } from "../random.ts";
import { below, counted, happens, timesInARow } from "./chances.ts";
import { tradeSigns } from "./company-names.ts";
import { type Cells, lineMaker, quoted } from "./csv-lines.ts";
import { dateText, dayBetween, unknownDate } from "./days.ts";
import { addresses } from "./places.ts";
import type { SampleFile } from "./sample.ts";
import { siretOf } from "./sirens.ts";
import { moreEstablishments } from "./sizes.ts";
import { notDiffused, staffCells, touchedText, type Unit } from "./units.ts";

const share = { tradeSign: 0.12, usualName: 0.01, open: 0.5 };

/** The most establishments that a unit has. */
const most = 400;

/** Columns of an address that are hidden, even where they hold nothing; the commune stays. */
const hiddenAddress = hide([
	...["complementAdresse", "numeroVoie", "indiceRepetition", "dernierNumeroVoie", "indiceRepetitionDernierNumeroVoie"],
	...["typeVoie", "libelleVoie", "codePostal", "distributionSpeciale", "codeCedex", "libelleCedex"],
	...["identifiantAdresse", "coordonneeLambertAbscisse", "coordonneeLambertOrdonnee"],
]);
/** Further columns that are hidden where the unit is a sole trader. */
const hiddenNames = hide(["enseigne1", "enseigne2", "enseigne3", "denominationUsuelle"]);
const nothingHidden: Cells = {};

/** Makes the establishments of units, and their rows in StockEtablissement. */
export function establishmentMaker(sample: SampleFile, drawName: (random: Random) => string) {
	const toLine = lineMaker(sample);
	const drawAddress = addresses(sample);
	const drawSign = tradeSigns(counted(sample.values("enseigne1")), drawName);

	/** @returns the number (NIC) of the head office, and the rows in the order of their SIRETs. */
	return function make(random: Random, unit: Unit): { nic: string; lines: string[] } {
		const older = below(random, 8) === 0 ? 1 : 0; // numbers of establishments that moved away are never given again
		const count = 1 + timesInARow(random, moreEstablishments[unit.size], most);
		const head = below(random, count);
		const sirets = Array.from({ length: count }, (_, index) => siretOf(unit.siren, 1 + older + index));
		return {
			nic: (sirets[head] as string).slice(9),
			lines: sirets.map((siret, index) => line(random, unit, siret, index === head, index)),
		};
	};

	function line(random: Random, unit: Unit, siret: string, head: boolean, index: number): string {
		const open = unit.active && (head || happens(random, share.open));
		const createdOn = index === 0 ? unit.createdOn : dayBetween(random, unit.createdOn, unit.changedOn);
		const changedOn = head ? unit.changedOn : dayBetween(random, createdOn, unit.changedOn);
		return toLine(
			drawAddress(random, unit.legalPerson),
			staffCells(head ? unit.staff : open ? "NN" : ""),
			{
				siren: unit.siren,
				nic: siret.slice(9),
				siret,
				statutDiffusion: unit.masked ? "P" : "O",
				dateCreation: unit.creationKnown ? dateText(createdOn) : unknownDate,
				dateDernierTraitement: touchedText(random, changedOn),
				etablissementSiege: head ? "true" : "false",
				nombrePeriodes: String(1 + timesInARow(random, 0.45, 12)),
				dateDebut: dateText(changedOn),
				etatAdministratif: open ? "A" : "F",
				enseigne1: happens(random, share.tradeSign) ? quoted(drawSign(random)) : "",
				denominationUsuelle: happens(random, share.usualName) ? quoted(drawName(random)) : "",
				activitePrincipale: unit.activity.code,
				nomenclatureActivitePrincipale: unit.activity.nomenclature,
				activitePrincipaleNAF25: open ? unit.naf25 : "",
			},
			unit.masked ? hiddenAddress : nothingHidden,
			unit.masked && !unit.legalPerson ? hiddenNames : nothingHidden,
		);
	}
}

function hide(columns: readonly string[]): Cells {
	return Object.fromEntries(columns.map((column) => [column, notDiffused]));
}
