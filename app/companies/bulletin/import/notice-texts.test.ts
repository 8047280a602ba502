import { expect, test } from "vitest";
import { findAccountsKind, findChanges, findNature, findRegistrationKind } from "./notice-kinds.ts";
import { formatCourt, parseNoticeDay } from "./parse-notice.ts";
import { fold, memoize, repairMojibake, toPlainLine } from "./plain-text.ts";

test.each([
	["Jugement de clÃ´ture", "Jugement de clôture"],
	["DÃ©cision de l'associÃ© unique", "Décision de l'associé unique"],
	["CAFÃ‰", "CAFÉ"],
	["lâ€™associÃ©, cÅ“ur", "l’associé, cœur"],
	["déjà juste, Ã", "déjà juste, Ã"],
	["« procédé\u00a0» ÂGE", "« procédé\u00a0» ÂGE"],
])("repairs mojibake: %s", (text, repaired) => {
	expect(repairMojibake(text)).toBe(repaired);
});

test("makes one plain line", () => {
	expect(toPlainLine(" l’un\u00a0\n\tet\u0000l'autre ")).toBe("l'un et l'autre");
	expect(fold("  CÔTÉ\nd’Œuvre, cœur ")).toBe("cote d'oeuvre, coeur");
});

test("what a function made of a short text is known, until too many texts are", () => {
	const asked: string[] = [];
	const upper = memoize((text) => {
		asked.push(text.slice(0, 10));
		return text.toUpperCase();
	});
	const count = (text: string) => {
		asked.length = 0;
		expect(upper(text)).toBe(text.toUpperCase());
		return asked.length;
	};
	expect([count("first"), count("first")]).toEqual([1, 0]);
	expect([count("x".repeat(200)), count("x".repeat(200))]).toEqual([1, 0]);
	expect([count("y".repeat(201)), count("y".repeat(201))]).toEqual([1, 1]);
	for (let index = 0; index < 4998; index++) upper(`text ${index}`);
	expect(count("first")).toBe(0);
	upper("one more than five thousand");
	expect([count("one more than five thousand"), count("first")]).toEqual([0, 1]);
});

test.each([
	["GREFFE DU TRIBUNAL DE COMMERCE DE PARIS", "Greffe du tribunal de commerce de Paris"],
	["Greffe du Tribunal de Commerce de paris", "Greffe du tribunal de commerce de Paris"],
	["GREFFE DU TRIBUNAL DES ACTIVITES ECONOMIQUES\nDE NANTERRE", "Greffe du tribunal des activités économiques de Nanterre"],
	["Greffe du Tribunal des Activités Economiques d'Avignon", "Greffe du tribunal des activités économiques d’Avignon"],
	["GREFFE DU TRIBUNAL DE COMMERCE\nDE THONON-LES-BAINS", "Greffe du tribunal de commerce de Thonon-les-Bains"],
	["Greffe du Tribunal de Commerce d’Evry", "Greffe du tribunal de commerce d’Évry"],
	["Greffe du Tribunal de Commerce de compiègne", "Greffe du tribunal de commerce de Compiègne"],
	["GREFFE DU TRIBUNAL DE COMMERCE DU HAVRE", "Greffe du tribunal de commerce du Havre"],
	["GREFFE DU TRIBUNAL DE COMMERCE DE LE MANS", "Greffe du tribunal de commerce du Mans"],
	["GREFFE DU TRIBUNAL DE COMMERCE DE LA ROCHELLE", "Greffe du tribunal de commerce de La Rochelle"],
	["Greffe du Tribunal de Commerce de la Roche-sur-Yon", "Greffe du tribunal de commerce de La Roche-sur-Yon"],
	["Greffe du Tribunal Judiciaire de Strasbourg", "Greffe du tribunal judiciaire de Strasbourg"],
	["Tribunal Mixte de Commerce de Fort de France", "Tribunal mixte de commerce de Fort-de-France"],
	["Greffe de la Cour d'Appel de RENNES", "Greffe de la cour d’appel de Rennes"],
	["Greffe du Tribunal de Commerce", "Greffe du tribunal de commerce"],
	["Tribunal de commerce M. DUPONT", "Tribunal de commerce"],
	["Tribunal de commerce de M.DUPONT", "Tribunal de commerce"],
	["Tribunal de commerce de Paris (Mme Dupont)", "Tribunal de commerce"],
	["Tribunal de commerce de Me Dupont", "Tribunal de commerce"],
	["Tribunal de commerce, Maître Dupont", "Tribunal de commerce"],
	["Tribunal de commerce Maître Dupont", "Tribunal de commerce"],
	["Tribunal de commerce de Melun", "Tribunal de commerce de Melun"],
	["Greffe du Tribunal Judiciaire de METZ", "Greffe du tribunal judiciaire de Metz"],
	["TC de Lyon", "Tribunal de commerce de Lyon"],
	["Tribunal de Grande Instance de Colmar", "Tribunal de grande instance de Colmar"],
	["TGI DE SAVERNE", "Tribunal de grande instance de Saverne"],
	["Tribunal de Première Instance de Nouméa", "Tribunal de première instance de Nouméa"],
	["Tribunal d’Instance de Thionville", "Tribunal d’instance de Thionville"],
	["Tribunal de Proximité de Sélestat", "Tribunal de proximité de Sélestat"],
	["Greffe du Tribunal de Commerce des Andelys", "Greffe du tribunal de commerce des Andelys"],
	["Greffe du Tribunal de Commerce Les Andelys", "Greffe du tribunal de commerce des Andelys"],
	["Tribunal de commerce d'Ussel", "Tribunal de commerce d’Ussel"],
	["Tribunal de proximité d'Hazebrouck", "Tribunal de proximité d’Hazebrouck"],
	["TRIBUNAL DE PROXIMITE DE HAGUENAU", "Tribunal de proximité d’Haguenau"],
	[`Tribunal de commerce de ${"x".repeat(40)}`, `Tribunal de commerce de X${"x".repeat(39)}`],
	[`Tribunal de commerce de ${"x".repeat(41)}`, "Tribunal de commerce"],
	[`Tribunal de commerce${" de".repeat(32)} xxx`, "Tribunal de commerce"],
	[`Tribunal de commerce${" de".repeat(32)} xxxx`, null],
	["Tribunal de commerce de Paris / Nanterre", "Tribunal de commerce"],
	["DUPONT Jean, 3 rue de la Paix", null],
	["Tribunal de commerce de Paris 75001", null],
	["x".repeat(500), null],
	[null, null],
	[5, null],
])("writes a court in one way: %s", (typed, court) => {
	expect(formatCourt(typed)).toBe(court);
});

test.each<[unknown, string | null]>([
	["2026-09-15", "2026-09-15"],
	["2026-09-15T00:00:00+00:00", "2026-09-15"],
	["15/09/2026", "2026-09-15"],
	["1er octobre 2026", "2026-10-01"],
	["4\u00a0novembre\u00a02026", "2026-11-04"],
	["3 FÉVRIER 2021", "2021-02-03"],
	["3 fevrier 2021", "2021-02-03"],
	["29 février 2024", "2024-02-29"],
	["29/02/2023", null],
	["1213-05-04", null],
	["5019-05-04", null],
	["20260121", null],
	["2026-13-01", null],
	["hier", null],
	["", null],
	["1950-01-01", "1950-01-01"],
	["1949-12-31", null],
	["2027-12-31", "2027-12-31"],
	["2028-01-01", null],
	[`${" ".repeat(30)}2026-09-15`, "2026-09-15"],
	[`${" ".repeat(31)}2026-09-15`, null],
	...["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"].map(
		(month, index): [string, string] => [`2 ${month} 2026`, `2026-${String(index + 1).padStart(2, "0")}-02`],
	),
	[null, null],
	[20260915, null],
	["9".repeat(100_000), null],
])("reads the day %s", (text, day) => {
	expect(parseNoticeDay(text, 1950, 2027)).toBe(day);
});

test.each([
	["modification survenue sur le capital (augmentation)", "capital"],
	["Modification survenue sur l'administration.", "dirigeants"],
	["modification survenue sur la dénomination, l'adresse du siège", "dénomination, siège"],
	["Transfert du siège social. Nouveau gérant : X", "siège, dirigeants"],
	["Changement de président ; changement de l'objet social", "dirigeants, activité"],
	["Fusion par absorption de la société X", "fusion ou scission"],
	["La diffusion d'émissions et de films", null],
	["Activité : diffusion d'émissions", "activité"],
	["transformation en société par actions simplifiée", "forme juridique"],
	["modification de la date de clôture de l'exercice social", "date de clôture"],
	["Mise en location-gérance du fonds", "location-gérance"],
	["Prorogation de la durée de la société", "durée"],
	["continuation malgré des capitaux propres inférieurs à la moitié du capital social", "capitaux propres"],
	["Société X au capital de 1000 euros, dirigée par X", null],
	["", null],
])("names the kinds of change: %s", (description, kinds) => {
	expect(findChanges(description)).toBe(kinds);
});

test.each([
	["Jugement d’ouverture de liquidation judiciaire", "Jugement d'ouverture de liquidation judiciaire"],
	["JUGEMENT D'OUVERTURE DE LIQUIDATION JUDICIAIRE", "Jugement d'ouverture de liquidation judiciaire"],
	["Jugement de clÃ´ture pour extinction du passif", "Jugement de clôture pour extinction du passif"],
	["Ordonnance rectifiant la date de cessation", "Ordonnance rectifiant la date de cessation"],
	["Jugement du 3 mai", null],
	["Jugement contre M. Untel", null],
	["Jugement concernant Jean Dupont", null],
	["Jugement concernant DUPONT", null],
	["Monsieur untel", null],
	["Jugement concernant l'associé (Dupont)", null],
	["Jugement concernant l'associé-Dupont", null],
	["Jugement de l'affaire «Dupont", null],
	["Jugement concernant m.untel", null],
	["Arrêt de la Cour d'Appel sur le plan", "Arrêt de la Cour d'Appel sur le plan"],
	["Jugement sur les mesures homologuées", "Jugement sur les mesures homologuées"],
	["Jugement nommant maître untel", null],
	["tout autre texte", null],
	[`Jugement ${"x".repeat(111)}`, `Jugement ${"x".repeat(111)}`],
	[`Jugement ${"x".repeat(112)}`, null],
	["", null],
])("stores a nature only if it carries no name: %s", (printed, nature) => {
	expect(findNature(printed)).toBe(nature);
});

test.each([
	[
		"Immatriculation d'une personne morale (B, C, D) suite à création d'un établissement principal",
		"création d’un établissement principal",
	],
	["Immatriculation d'une personne morale (B, D) sans activité", "sans activité"],
	["Immatriculation d'une personne morale suite à transfert de son siège social", "transfert du siège"],
	["Mise en activité d'une société suite à achat", "mise en activité après un achat"],
	["Achat d'un établissement principal par une personne morale lors de l'immatriculation", "achat d’un établissement principal"],
	["Achat d'un établissement secondaire ou complémentaire", "achat d’un établissement secondaire ou complémentaire"],
	["Apport d'un établissement principal (immatriculation d'une personne morale, uniquement)", "apport d’un établissement principal"],
	["Prise en location-gérance", "location-gérance"],
	["DUPONT", null],
])("shortens a category: %s", (category, kind) => {
	expect(findRegistrationKind(category)).toBe(kind);
});

test.each([
	["Comptes annuels et rapports", "comptes annuels et rapports"],
	["Comptes annuels", "comptes annuels"],
	["Comptes annuels, consolidés et rapports", "comptes annuels, comptes consolidés et rapports"],
	["Comptes sociaux et combinés", "comptes sociaux et comptes combinés"],
	["DUPONT", null],
])("names filed accounts: %s", (type, kind) => {
	expect(findAccountsKind(type)).toBe(kind);
});
