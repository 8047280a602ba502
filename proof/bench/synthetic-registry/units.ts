import type { Random } from "../../../test/random.ts";
import { establishmentMaker } from "./establishments.ts";
import { companyNames, drawPerson } from "./names.ts";
import { hidden, type Row, type Sample } from "./sample.ts";

/** INSEE writes this for a date of creation that it does not know. */
const unknownDate = "1900-01-01";
const soleTrader = "1000";

/** Legal categories with their share of all units; the others as in the sample. Source: INSEE, stock of units in 2024, rounded. */
const frequentCategories = [
	{ category: soleTrader, share: 0.55 },
	{ category: "5499", share: 0.127 },
	{ category: "5710", share: 0.11 },
	{ category: "6540", share: 0.08 },
	{ category: "9220", share: 0.07 },
	{ category: "5485", share: 0.003 },
];

/** Shares that the sample, which has legal persons only and few that ceased, does not show. */
const share = { active: 0.55, unknownCreation: 0.015, purgedOfCeased: 0.01, hiddenSoleTraders: 0.1, hiddenLegalPersons: 0.011 };

const hiddenPerson = Object.fromEntries(
	[
		...["sexe", "prenom1", "prenom2", "prenom3", "prenom4", "prenomUsuel", "pseudonyme", "nom", "nomUsage"],
		...["denominationUsuelle1", "denominationUsuelle2", "denominationUsuelle3"],
	].map((column) => [column, hidden]),
);
const noName = { denomination: "", sigle: "", denominationUsuelle1: "" };

/** Draws units with their establishments. @returns the lines of both files. */
export function unitMaker({ units, establishments }: { units: Sample; establishments: Sample }) {
	const cell = (row: Row, column: string) => row[units.at(column)] ?? "";
	// activities of units that ceased before 2008 are those of older nomenclatures
	const current = units.rows.filter((row) => cell(row, "nomenclatureActivitePrincipale") === "NAFRev2");
	const byCategory = Map.groupBy(current, (row) => cell(row, "categorieJuridique"));
	const others = current.filter((row) => !frequentCategories.some(({ category }) => category === cell(row, "categorieJuridique")));
	const drawName = companyNames(units);
	const makeEstablishments = establishmentMaker(establishments);

	function drawTemplate(random: Random): { template: Row; category: string } {
		let left = random.next();
		for (const { category, share } of frequentCategories) {
			left -= share;
			if (left < 0) return { template: random.pick(byCategory.get(category) ?? current), category };
		}
		const template = random.pick(others);
		return { template, category: cell(template, "categorieJuridique") };
	}

	return (random: Random, siren: string): { unit: string; lines: string[] } => {
		const { template, category } = drawTemplate(random);
		const isLegalPerson = category !== soleTrader;
		const isActive = random.next() < share.active;
		const isPurged = !isActive && random.next() < share.purgedOfCeased;
		const isHidden = !isPurged && random.next() < (isLegalPerson ? share.hiddenLegalPersons : share.hiddenSoleTraders);
		const size = isActive || isLegalPerson ? cell(template, "categorieEntreprise") : "";
		const activity = {
			activitePrincipale: cell(template, "activitePrincipale"),
			nomenclatureActivitePrincipale: cell(template, "nomenclatureActivitePrincipale"),
			activitePrincipaleNAF25: cell(template, "activitePrincipaleNAF25"),
		};
		const { nic, lines } = makeEstablishments(random, { siren, isHidden, isLegalPerson, isActive, size, activity });
		const person = isHidden ? hiddenPerson : drawPerson(random);
		const name = isPurged ? noName : isLegalPerson ? { denomination: drawName(random) } : { ...noName, ...person };
		const unit = units.toLine(template, {
			...name,
			siren,
			statutDiffusion: isHidden ? "P" : "O",
			unitePurgee: isPurged ? "true" : "",
			dateCreation: random.next() < share.unknownCreation ? unknownDate : cell(template, "dateCreation"),
			categorieEntreprise: size,
			etatAdministratif: isActive ? "A" : "C",
			categorieJuridique: category,
			nicSiege: nic,
		});
		return { unit, lines };
	};
}
