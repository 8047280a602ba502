import { type RelevanceCompany, relevanceCompanies } from "../../../test/fixtures/relevance/companies.ts";
import { quote, type Row, type Sample } from "./sample.ts";
import { makeSiret } from "./sirens.ts";

/** A unit's line and those of its establishments. */
export interface KnownUnit {
	siren: string;
	unit: string;
	lines: string[];
}

/** The embedded sample and the companies that relevance is judged with, sorted by SIREN. */
export function listKnownUnits(samples: { units: Sample; establishments: Sample }): KnownUnit[] {
	const sirenOf = (row: Row) => row[0] ?? "";
	const establishments = Map.groupBy(samples.establishments.rows, sirenOf);
	const ofSample = samples.units.rows.map((row) => ({
		siren: sirenOf(row),
		unit: samples.units.toLine(row, {}),
		lines: (establishments.get(sirenOf(row)) ?? []).map((line) => samples.establishments.toLine(line, {})),
	}));
	return [...ofSample, ...relevanceCompanies.map((company) => toLines(company, samples))].sort((a, b) => (a.siren < b.siren ? -1 : 1));
}

function toLines(company: RelevanceCompany, samples: { units: Sample; establishments: Sample }): KnownUnit {
	const { siren, name = "", person: [firstName = "", surname = ""] = [] } = company;
	const line = (sample: Sample, cells: Record<string, string>) =>
		sample.toLine(
			Array<string>(sample.header.length).fill(""),
			Object.fromEntries(Object.entries(cells).map(([column, text]) => [column, quote(text)])),
		);
	const places = [company.place, ...(company.branches ?? [])];
	const sirets = places.map((_, index) => makeSiret(siren, index + 1));
	const unit = {
		...{ siren, statutDiffusion: "O", dateCreation: "1990-01-01", sigle: company.acronym ?? "", nicSiege: (sirets[0] ?? "").slice(9) },
		...{ prenom1: firstName, prenomUsuel: firstName, nom: surname, denomination: name, denominationUsuelle1: company.usualName ?? "" },
		...{ categorieEntreprise: company.size ?? "", trancheEffectifs: company.staff ?? "", categorieJuridique: company.legalCategory },
		etatAdministratif: company.ceased ? "C" : "A",
	};
	const lines = places.map(({ postalCode, city, commune, sign = "" }, index) =>
		line(samples.establishments, {
			...{ siren, nic: (sirets[index] ?? "").slice(9), siret: sirets[index] ?? "", statutDiffusion: "O" },
			...{ etablissementSiege: String(index === 0), codePostal: postalCode, libelleCommune: city, codeCommune: commune },
			...{ etatAdministratif: company.ceased ? "F" : "A", enseigne1: sign },
		}),
	);
	return { siren, unit: line(samples.units, unit), lines };
}
