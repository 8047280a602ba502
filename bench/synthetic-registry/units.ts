import type { Random } from "../random.ts";
import { type Activity, activities, legalCategories, naf2025Of } from "./activities.ts";
import { below, counted, happens, timesInARow } from "./chances.ts";
import { acronyms, companyNames } from "./company-names.ts";
import { type Cells, lineMaker, quoted } from "./csv-lines.ts";
import { dateText, dayBetween, dayOf, instantText, today, unknownDate } from "./days.ts";
import { drawPerson } from "./people.ts";
import type { SampleFile } from "./sample.ts";
import type { Numbered } from "./sirens.ts";
import { drawSize, drawStaff, type Size } from "./sizes.ts";

/** What INSEE writes in the place of what a unit does not want to be shown. */
export const notDiffused = "[ND]";

const soleTrader = "1000";
const association = "9220";

/** Shares of all units, unless their name says of which. */
const share = {
	active: 0.55,
	unknownCreation: 0.02,
	purgedOfOldCeased: 0.09,
	maskedSoleTraders: 0.1,
	maskedLegalPersons: 0.011,
	acronymOfLegalPersons: 0.05,
	usualName: 0.03,
	rnaOfAssociations: 0.3,
	neverTouched: 0.05,
};

/** Purged units ceased before. */
const purgedBefore = dayOf(2003);

/** What its establishments are made from. */
export interface Unit {
	siren: string;
	masked: boolean;
	legalPerson: boolean;
	active: boolean;
	size: Size;
	staff: string;
	activity: Activity;
	naf25: string;
	createdOn: number;
	/** The day of its last change, which is that of its end if it has ceased. */
	changedOn: number;
	creationKnown: boolean;
}

/** Makes units, and the rows of StockUniteLegale. */
export function unitMaker(sample: SampleFile) {
	const toLine = lineMaker(sample);
	const drawCategory = legalCategories(sample);
	const drawActivity = activities(sample);
	const naf25Of = naf2025Of();
	const drawName = companyNames(sample.values("denomination"));
	const drawAcronym = acronyms(counted(sample.values("sigle").filter((acronym) => /^[^",]+$/.test(acronym))));

	/** @returns the unit, and its row once the number (NIC) of its head office is known. */
	function make(random: Random, { siren, year }: Numbered) {
		const category = drawCategory(random);
		const legalPerson = category !== soleTrader;
		const active = happens(random, share.active);
		const createdOn = Math.max(0, Math.min(today, dayOf(year) + below(random, 400) - 200));
		const changedOn = dayBetween(random, active ? Math.max(createdOn, dayOf(2008)) : createdOn, today);
		const purged = !active && changedOn < purgedBefore && happens(random, share.purgedOfOldCeased);
		const masked = !purged && happens(random, legalPerson ? share.maskedLegalPersons : share.maskedSoleTraders);
		const size = active ? drawSize(random) : "";
		const staff = active ? drawStaff[size](random) : happens(random, 0.3) ? "NN" : "";
		const activity = drawActivity(random, category, active ? undefined : changedOn);
		const creationKnown = !happens(random, share.unknownCreation);
		const naf25 = active ? naf25Of(activity) : "";
		const unit: Unit = { siren, masked, legalPerson, active, size, staff, activity, naf25, createdOn, changedOn, creationKnown };
		const name: Cells = purged ? {} : legalPerson ? nameCompany(random, category) : masked ? maskedPerson : namePerson(random);
		const line = (nic: string) =>
			toLine(name, staffCells(staff), {
				siren,
				statutDiffusion: masked ? "P" : "O",
				unitePurgee: purged ? "true" : "",
				dateCreation: creationKnown ? dateText(createdOn) : unknownDate,
				dateDernierTraitement: touchedText(random, changedOn),
				nombrePeriodes: String(1 + timesInARow(random, 0.5, 12)),
				categorieEntreprise: size,
				anneeCategorieEntreprise: size && "2024",
				dateDebut: dateText(changedOn),
				etatAdministratif: active ? "A" : "C",
				categorieJuridique: category,
				activitePrincipale: activity.code,
				nomenclatureActivitePrincipale: activity.nomenclature,
				nicSiege: nic,
				economieSocialeSolidaire: category.startsWith("92") ? "O" : legalPerson && active ? "N" : "",
				activitePrincipaleNAF25: naf25,
			});
		return { unit, line };
	}

	function nameCompany(random: Random, category: string): Cells {
		const name = drawName(random);
		return {
			denomination: quoted(name),
			sigle: happens(random, share.acronymOfLegalPersons) ? drawAcronym(random, name) : "",
			denominationUsuelle1: usualName(random),
			identifiantAssociation:
				category === association && happens(random, share.rnaOfAssociations) ? `W${100_000_000 + below(random, 900_000_000)}` : "",
		};
	}

	function namePerson(random: Random): Cells {
		const { sex, firstNames, surname, usedSurname } = drawPerson(random);
		return {
			sexe: sex,
			prenom1: firstNames[0],
			prenom2: firstNames[1],
			prenom3: firstNames[2],
			prenomUsuel: firstNames[0],
			nom: surname,
			nomUsage: usedSurname,
			denominationUsuelle1: usualName(random),
		};
	}

	function usualName(random: Random): string {
		return happens(random, share.usualName) ? quoted(drawName(random)) : "";
	}

	return { make, drawName };
}

/** A sole trader who does not want to be shown. */
const maskedPerson: Cells = Object.fromEntries(
	[
		...["sexe", "prenom1", "prenom2", "prenom3", "prenom4", "prenomUsuel", "pseudonyme", "nom", "nomUsage"],
		...["denominationUsuelle1", "denominationUsuelle2", "denominationUsuelle3"],
	].map((column) => [column, notDiffused]),
);

/** The band of staff, its year and whether it employs, of a unit or an establishment. */
export function staffCells(staff: string): Cells {
	const known = /^\d/.test(staff);
	return { trancheEffectifs: staff, anneeEffectifs: known ? "2024" : "", caractereEmployeur: known && staff !== "00" ? "O" : "N" };
}

/** When INSEE last touched a row, some time after its last change; "" where it never did since it keeps that date. */
export function touchedText(random: Random, changedOn: number): string {
	if (happens(random, share.neverTouched)) return "";
	return instantText(random, Math.min(today, Math.max(changedOn, dayOf(2008)) + below(random, 700)));
}
