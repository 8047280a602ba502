import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCompanyText } from "./company-text.ts";
import { calculateVatNumber, hasValidKey, parseSiren } from "./siren.ts";

const danone = { kind: "number", siren: "552032534", siret: null, beside: [] };
const beside = (...words: string[]) => ({ ...danone, beside: words });
const siret = { ...danone, siret: "55203253400646" };
const digits = (text: string, restored: string | null = null) => ({
	kind: "digits",
	digits: text.length,
	leading: text.slice(0, 9),
	restored,
});
const wrong = (siren: string, count: number, ...words: string[]) => ({ kind: "wrong", siren, digits: count, beside: words });
const name = (text: string) => ({ kind: "name", name: text });

describe("a text as people type or copy it", () => {
	test.each<[string, object]>([
		["552 032 534", danone],
		["552.032.534", danone],
		["N° SIREN : 552 032 534", danone],
		["Numéro SIREN : 552032534", danone],
		["Identifiant SIREN 552032534", danone],
		["SIREN 552 032 534 DANONE", beside("danone")],
		["DANONE 552032534", beside("danone")],
		["DANONE (552032534)", beside("danone")],
		["DANONE, 17 boulevard Haussmann, SIREN 552 032 534", beside("danone", "boulevard", "haussmann")],
		["RCS Paris 552 032 534", danone],
		["RCS  Saint - Étienne n° : 552 032 534", danone],
		["552 032 534 R.C.S. Paris", danone],
		["R.C.S. PARIS B 552 032 534", danone],
		["RCS de Saint-Denis de la Réunion 552032534", danone],
		["S.A. au capital de 171 000 000 €, R.C.S. Paris B 552 032 534", beside("sa")],
		["TVA intracommunautaire : FR27552032534", danone],
		["FR 27 552 032 534", danone],
		["FR27 552032534", danone],
		["fr.27.552.032.534", danone],
		["27552032534", danone],
		["FRK7552032534", danone],
		["EUID FR7501.552032534", danone],
		["552 032 534 00646", siret],
		["552 032 534 00 646", siret],
		["Identifiant SIRET n° 552 032 534 00646", siret],
		["SIRET 552 032 534 00646, TVA FR27552032534", siret],
		["552 032 534, soit 552032534 00703", { ...danone, beside: ["soit"] }],
		["356 000 000 00048", { ...danone, siren: "356000000", siret: "35600000000048" }],
		["1. 552 032 534", danone],
		["123. 552 032 534", danone],
		["• 552 032 534", danone],
		["55-20-32-53-4", danone],
		["5 5 2 0 3 2 5 3 4", danone],
		["５５２０３２５３４", danone],
		["552\u200b032\u200b534", danone],
		["552 O32 534", danone],
		["OOO 222 224", { ...danone, siren: "000222224" }],
		["OOO O22 228", name("OOO O22 228")],
		["552 032 S34", name("552 032 S34")],
		["552 032 l34", name("552 032 l34")],
		["n° RCS: 44306184l", { ...danone, siren: "443061841" }],
		["552 032 534 et 552 081 317", { kind: "several", sirens: ["552032534", "552081317"] }],
		["", name("")],
		["siren", name("")],
		["N° SIREN : ", name("")],
		["TVA intracommunautaire", name("")],
		["!!!", name("")],
		["DANONE", name("DANONE")],
		["  La Sirène ", name("La Sirène")],
		["R.C.S. Paris", name("R.C.S. Paris")],
		["Raison sociale : DANONE", name("DANONE")],
		["Nom du client: L’Oréal", name("L’Oréal")],
		["Client Martin : DANONE", name("Client Martin : DANONE")],
		["ACTION : PÂTISSERIE", name("ACTION : PÂTISSERIE")],
		["12", name("12")],
		["3 suisses", name("3 suisses")],
		["DANONE 01 42 34 56 78", name("DANONE 01 42 34 56 78")],
		["17 rue du 8 mai 1945", name("17 rue du 8 mai 1945")],
		["552", digits("552")],
		["1789", digits("1789")],
		["SIREN 55203253", digits("55203253")],
		["01 42 34 56 78", digits("0142345678")],
		["FR275520", { ...digits("275520"), leading: "5520" }],
		["5520325340064", digits("5520325340064")],
		["552032535", wrong("552032535", 9)],
		["552032535 EDF", wrong("552032535", 9, "edf")],
		["EDF, 22 avenue de Wagram, 552032535", wrong("552032535", 9, "edf", "avenue", "wagram")],
		["55203253400647", wrong("552032534", 14)],
		["FR00552032534", wrong("552032534", 11)],
		["TVA FR 00 552 032 534 DANONE", { ...beside("danone") }],
		["Tél. 6 12 34 56 74", wrong("612345674", 9, "tel")],
		["Tél. 6 12 34 56 78", wrong("612345678", 9, "tel")],
		// of web pages
		["https://annuaire-entreprises.data.gouv.fr/etablissement/55203253400646", siret],
		["https://www.societe.com/societe/danone-552032534.html", beside("danone")],
		["https://exemple.fr/recherche?q=552+032+534", beside("recherche", "q")],
		["552%20032%20534", danone],
		["552&nbsp;032&nbsp;534", danone],
		["contact@exemple.fr 552032534", danone],
		["www.danone.com", name("danone.com")],
		["contact@danone.com", name("danone.com")],
		["agw@net", name("agw@net")],
		// other marks
		["552|032|534", danone],
		["552     032     534", danone],
		["552−032−534", danone],
		["F R 2 7 5 5 2 0 3 2 5 3 4", danone],
		// references and years
		["2026-00119", name("2026-00119")],
		["DANONE 2026/11/003", name("DANONE 2026/11/003")],
		["LES 100000 CHEMISES", name("LES 100000 CHEMISES")],
		["000000000", name("000000000")],
		["NUMERO", name("NUMERO")],
		["INSEE", name("INSEE")],
		["2E2", name("2E2")],
		["FR552032535", { ...digits("552032535"), leading: "2032535" }],
		["DANONE 55203253", { ...name("DANONE 55203253"), number: { digits: 8, restored: null, beside: ["danone"] } }],
	])("%j", (text, read) => {
		expect(readCompanyText(text)).toEqual(read);
	});
});

describe("a cell that a spreadsheet has changed", () => {
	test.each<[string, object]>([
		['="552032534"', danone],
		["'552032534", danone],
		["552032534.0", danone],
		["552032534,00", danone],
		["552,032,534", danone],
		["5.52032534E8", danone],
		["5,520325340E+08", danone],
		["SIREN 5,52032534 E+08", danone],
		["5,5203253400646E+13", siret],
		["5.52E+08", { kind: "shortened", beside: [] }],
		["5,52033E+13", { kind: "shortened", beside: [] }],
		["SIREN : 5,52 E+8", { kind: "shortened", beside: [] }],
		["########", { kind: "shortened", beside: [] }],
		["5,52E+08 (DANONE)", { kind: "shortened", beside: ["danone"] }],
		["5E+08", { kind: "shortened", beside: [] }],
		["5.52032534E+008", danone],
		["552.032534E+06", danone],
		["552032534E+00", danone],
		["552 032 534,00", danone],
		["55 203 253 400 646,00", siret],
		["5,420039E+06", digits("5420039", "005420039")],
		["##", name("")],
		// zeros are gone: of 005420039, and of its SIRETs
		["5420039", digits("5420039", "005420039")],
		["SIREN : 05 420 039", digits("05420039", "005420039")],
		["542003900017", digits("542003900017", "005420039")],
		["5420038", digits("5420038")],
		["12345", digits("12345")],
		// right with zeros before them, but too short, a telephone number, or a SIRET without four zeros
		["10009", digits("10009")],
		["06 12 34 56 03", digits("0612345603")],
		["1000900009", digits("1000900009")],
		// zeros were added
		["00552032534", digits("00552032534", "552032534")],
		["000552032534", digits("000552032534", "552032534")],
		["5420039 (SOCIETE X)", { ...name("5420039 (SOCIETE X)"), number: { digits: 7, restored: "005420039", beside: ["x"] } }],
	])("%j", (text, read) => {
		expect(readCompanyText(text)).toEqual(read);
	});
});

/** A SIREN with a right key. */
const siren = fc
	.integer({ min: 10_000_000, max: 99_999_999 })
	.map(
		(number) =>
			[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((key) => parseSiren(`${number}${key}`)).find((each) => each && hasValidKey(each)) ?? expect.fail(),
	);
const mark = fc.constantFrom(" ", ".", "-", "\u00a0", "\u202f", "‑", "–", "’", "/", "·", "\u2009");
const before = fc.constantFrom(
	"",
	"N° SIREN : ",
	"SIREN n°",
	"R.C.S. Paris B ",
	"rcs de Lyon : ",
	"* ",
	"(",
	"« ",
	"Société X, ",
	"1) ",
	"#",
	"siren=",
	"DANONE\t",
);
const after = fc.constantFrom(
	"",
	" RCS Paris",
	")",
	" »",
	".",
	", capital 100 000 €",
	" DANONE",
	" - tél. 01 42 34 56 78",
	" (75009)",
	"\tdossier A",
	" !",
);

describe("any wording", () => {
	test("around a number with a right key names its company", () => {
		fc.assert(
			fc.property(siren, mark, before, after, fc.constantFrom("siren", "siret", "vat"), (number, between, head, tail, form) => {
				const grouped = number.replace(/^(...)(...)(...)$/, `$1${between}$2${between}$3`);
				const nic = ["00000", "00001", "00002", "00003", "00004", "00005", "00006", "00007", "00008", "00009"].find((each) =>
					hasValidKey(number + each),
				);
				const written = { siren: grouped, siret: `${grouped}${between}${nic}`, vat: calculateVatNumber(number) }[form];
				expect(readCompanyText(head + written + tail)).toMatchObject({ kind: "number", siren: number });
			}),
			{ numRuns: 1_000 },
		);
	});

	test("without one names none", () => {
		fc.assert(
			fc.property(siren, before, after, fc.integer({ min: 1, max: 9 }), (number, head, tail, step) => {
				const wrongKey = number.replace(/.$/, (key) => String((Number(key) + step) % 10));
				expect(readCompanyText(head + wrongKey + tail).kind).not.toBe("number");
				expect(readCompanyText(head + tail).kind).not.toBe("number");
			}),
		);
	});

	test("of any length is read in one pass", () => {
		const long = 200_000;
		for (const part of ["1", "1 ", "rcs ", "rcs\t", "FR", "a:", "5,5E", "O", "#", "\u200b", "552|", "a@", "2026-", "&nbsp;"])
			expect(readCompanyText(part.repeat(long / part.length)).kind).not.toBe("number");
	});
});
