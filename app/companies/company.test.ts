import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { companyRow as row } from "../../test/fixtures/company-row.ts";
import type { CompanyRow } from "./companies.store.server.ts";
import { formatHeadOffice, getEligibility } from "./company.ts";
import { CompanyStatus } from "./company-notice-list.tsx";
import { listNotices } from "./company-notices.ts";
import { findActivityLabel, findLegalCategoryLabel, formatCapital, formatLegalForm, toCompany, toPreview } from "./company-rows.ts";
import { findDepartment } from "./departments.ts";
import { listLegalForms } from "./legal-forms.ts";
import { CompanyFacts } from "./page/company-facts.tsx";
import { createCompanyJsonLd } from "./page/company-json-ld.ts";
import { Establishments } from "./page/company-sections.tsx";
import { formatCompanySearch, parseCompanySearch } from "./search/company-search.ts";
import { findSection } from "./sectors.ts";

// docs/rules.md, R3
test.each([
	["kbis", "3110 3120 4110 4120 4199 5202 5499 5599 5710 5999 6100 6210 6220 6316 6317 6411 6511 6599 6901"],
	["extrait-k", "1000"],
	["none", "0000 1100 1200 2110 3110x 31100 3210 3220 4210 6000 6110 6412 6420 6597x 6610 6900 6902 7112 7389 8110 9210 9220 9300 1 "],
])("eligibility is %s for the legal categories %s", (eligibility, categories) => {
	for (const category of categories.split(" ")) expect(getEligibility(category), category).toBe(eligibility);
});

describe("notices before the payment", () => {
	test.each([
		["5710", "active", []],
		["5710", "ceased", ["ceased"]],
		["5710", "removed", ["removed"]],
		["1000", "active", ["extrait-k-to-verify"]],
		["1000", "ceased", ["ceased", "extrait-k-to-verify"]],
		["6411", "active", ["kbis-to-verify"]],
		["6411", "removed", ["removed", "kbis-to-verify"]],
		["9220", "active", ["no-extract"]],
		["9220", "ceased", ["no-extract"]],
	] as const)("of the category %s with status %s: %j", (category, status, codes) => {
		const notices = listNotices(getEligibility(category), status, category);
		expect(notices.map(({ code }) => code)).toEqual(codes);
		for (const { title, text } of notices) expect(title && text).toBeTruthy();
	});
});

// R50: SIRENE has one code for SAS and SASU, and one family for SARL and EURL
test.each([
	["5710", null, ["SAS", "SASU"]],
	["5710", true, ["SASU"]],
	["5710", false, ["SAS"]],
	["5498", null, ["SARL", "EURL"]],
	["5499", true, ["EURL"]],
	["5410", false, ["SARL"]],
	["5505", null, ["SA"]],
	["5699", true, ["SA"]],
	["5202", null, ["SNC"]],
	["1000", null, ["Auto-entrepreneur"]],
	["5720", null, []],
	["5399", null, []],
	["5700", null, []],
	["9220", null, []],
])("the category %s with single partner %s has the forms %j", (category, singlePartner, forms) => {
	expect(listLegalForms(category, singlePartner)).toEqual(forms);
});

test("a badge has the legal form, and « Entrepreneur individuel » for sole traders, few of whom are « auto-entrepreneurs »", () => {
	expect(formatLegalForm("5710", null)).toBe("SAS / SASU");
	expect(formatLegalForm("1000", null)).toBe("Entrepreneur individuel");
	expect(formatLegalForm("9999", null)).toBe("Forme juridique non précisée");
	expect(findLegalCategoryLabel("5599")).not.toMatch(/s\.a\.i\.|sans autre indication/);
	expect(findLegalCategoryLabel("toString")).toBeNull();
	expect(findLegalCategoryLabel("5599")).toContain("d’administration");
});

test("finds the label of an activity in NAF rév. 2 or NAF 2025, not in older nomenclatures", () => {
	expect(findActivityLabel("70.10Z", "NAFRev2")).toBe("Activités des sièges sociaux");
	for (const nomenclature of ["NAF25", "NAF2025"]) expect(findActivityLabel("70.10Y", nomenclature)).toMatch(/sièges sociaux/i);
	for (const [code, nomenclature] of [
		["70.10Z", "NAF25"],
		["70.10Y", "NAFRev2"],
		["70.10Z", "NAFRev1"],
		["70.10Z", ""],
	] as const)
		expect(findActivityLabel(code, nomenclature)).toBeNull();
});

// INSEE, NAF rév. 2: the first and last division of each section, and neighbours outside all sectors
test.each([
	["B", "05 09"],
	["C", "10 33"],
	["D", "35"],
	["E", "36 39"],
	["F", "41 43"],
	["G", "45 47"],
	["J", "58 63"],
	["M", "69 75"],
	["N", "77 82"],
	[null, "01 03 49 56 64 66 68 84 99"],
])("the section %s has the divisions %s", (section, divisions) => {
	for (const division of divisions.split(" ")) expect(findSection(`${division}.10Z`, "NAFRev2"), division).toBe(section);
});

test("finds a section only in nomenclatures with these divisions", () => {
	for (const nomenclature of ["NAFRev2", "NAF25", "NAF2025"]) expect(findSection("62.01Z", nomenclature)).toBe("J");
	for (const nomenclature of ["NAFRev1", "NAF1993", "NAP", "", "xNAF25", "NAF2025x"])
		expect(findSection("62.01Z", nomenclature)).toBeNull();
});

test.each([
	["75056", "75"],
	["01004", "01"],
	["2A004", "2A"],
	["2B033", "2B"],
	["20000", "2A"],
	["20190", "2A"],
	["20200", "2B"],
	["20600", "2B"],
	["97105", "971"],
	["97411", "974"],
	["98735", "987"],
	["98000", null],
	["99132", null],
	["96000", null],
	["", null],
])("the code %j has the department %s", (code, department) => {
	expect(findDepartment(code)).toBe(department);
});

describe("a row converted for a company's page", () => {
	test("has a greffe only if an extract may exist", () => {
		expect(toCompany(row, "Paris").greffe).toBe("Paris");
		expect(toCompany({ ...row, legal_category: "1000" }, "Paris").greffe).toBe("Paris");
		expect(toCompany({ ...row, legal_category: "9220" }, "Paris").greffe).toBeNull();
	});

	test.each([
		[{}, null],
		[{ registered_on: "1955-03-01" }, "2026-06-01"],
		[{ removed_on: "2026-01-31" }, "2026-06-01"],
		[{ capital: "1000" }, "2026-06-01"],
		[{ duration_years: 99 }, "2026-06-01"],
		[{ purpose: "Le commerce" }, "2026-06-01"],
		[{ year_end: 1231 }, "2026-06-01"],
		[{ ends_in: 2112 }, "2026-06-01"],
	])("has the RNE's date only with data of the RNE: %j", (change, day) => {
		expect(toCompany({ ...row, ...change }, null).rneAsOf).toBe(day);
	});

	test("has a capital in the currency that the register says", () => {
		expect(toCompany({ ...row, capital: "1000.00", capital_currency: "EUR" }, null).capital).toBe("1\u00a0000\u00a0€");
		expect(toCompany({ ...row, capital: "1000.50", capital_currency: "CHF" }, null).capital).toBe("1\u00a0000,50\u00a0CHF");
		expect(toCompany(row, null).capital).toBeNull();
	});

	test.each([
		[1, "1\u00a0an"],
		[2, "2\u00a0ans"],
		[null, null],
	])("formats a duration of %s", (duration_years, duration) => {
		expect(toCompany({ ...row, duration_years }, null).duration).toBe(duration);
	});

	test("has ISO dates", () => {
		expect(toCompany({ ...row, registered_on: "2001-02-03", removed_on: "2026-01-31" }, null)).toMatchObject({
			creationDate: "1955-03-01",
			registrationDate: "2001-02-03",
			removalDate: "2026-01-31",
		});
	});

	test("has trade names without repeating its name, acronym, staff and category", () => {
		const names = { name: "ATELIERS DU MARAIS", trade_names: "LES ATELIERS\nAteliers du Marais\nLES ATELIERS\nMARAIS", acronym: "ADM" };
		expect(toCompany({ ...row, ...names, staff_band: "21", staff_year: 2023, category: "ETI" }, null)).toMatchObject({
			tradeNames: ["LES ATELIERS", "MARAIS"],
			acronym: "ADM",
			staffBand: "50 à 99 salariés (2023)",
			category: "Entreprise de taille intermédiaire (ETI)",
		});
		expect(toCompany({ ...row, staff_band: "53" }, null).staffBand).toBe("10\u00a0000 salariés ou plus");
		expect(toCompany({ ...row, staff_band: "99", category: "XXL" }, null)).toMatchObject({ staffBand: null, category: null });
	});

	test("has its open establishments, at most fifty and the head office first", () => {
		const entry = (nic: number) => [String(nic).padStart(5, "0"), "ANNEXE", "3 RUE DU BAC", null, "42000", "SAINT ETIENNE", "42218"];
		const branch_list = JSON.stringify(Array.from({ length: 50 }, (_, index) => entry(index + 20)));
		const { open, list } = toCompany({ ...row, branches: 80, branch_list }, null, () => "Saint-Étienne").establishments;
		expect(open).toBe(81);
		expect(list.length).toBe(50);
		expect(list[0]).toMatchObject({ siret: "90000000100011", headOffice: true, address: { street: "59 rue La Fayette" } });
		expect(list[1]).toEqual({
			siret: "90000000100020",
			tradeName: "ANNEXE",
			headOffice: false,
			nafCode: null,
			activityDescription: null,
			masked: false,
			address: { complement: null, street: "3 rue du Bac", postalCode: "42000", city: "Saint-Étienne" },
		});
		expect(toCompany({ ...row, status: "ceased" }, null).establishments).toEqual({ open: 0, list: [] });
		expect(toCompany({ ...row, masked: true }, null).establishments).toEqual({ open: 0, list: [] });
	});

	test("has the activities that differ from its own, in its nomenclature", () => {
		const entry = (nic: string, ...naf: string[]) => [nic, null, "3 RUE DU BAC", null, "42000", "SAINT ETIENNE", "42218", ...naf];
		const branch_list = JSON.stringify([entry("00020"), entry("00038", "56.10A"), entry("00046", "99.99X")]);
		const listActivities = (change: Partial<CompanyRow>) =>
			toCompany({ ...row, branches: 3, branch_list, ...change }, null).establishments.list.map((establishment) => [
				establishment.nafCode,
				establishment.activityDescription,
			]);
		expect(listActivities({ head_office_naf_code: "47.11F" })).toEqual([
			["47.11F", "Hypermarchés"],
			[null, null],
			["56.10A", "Restauration traditionnelle"],
			["99.99X", null],
		]);
		expect(listActivities({ naf_nomenclature: "NAF25" })[2]).toEqual(["56.10A", null]);
	});

	test("has nothing but the number of a masked establishment", () => {
		const { list } = toCompany({ ...row, branches: 1, branch_list: '[["00020"]]' }, null).establishments;
		const address = { complement: null, street: null, postalCode: null, city: null };
		const withheld = { tradeName: null, address, nafCode: null, activityDescription: null, masked: true };
		expect(list[1]).toEqual({ siret: "90000000100020", headOffice: false, ...withheld });
	});

	const calculated = "FR68900000001";
	const vat_as_of = "2026-11-03";
	test.each<[Partial<CompanyRow>, string[], string | null]>([
		[{}, [], null],
		[{ legal_category: "1000" }, [], null],
		[{ status: "ceased" }, [], null],
		[{ status: "removed" }, [], null],
		...["97133", "97150", "97500", "97600", "97300", "98800", "98714", "98600", "98411", "97400", "98000"].map(
			(postal_code): [Partial<CompanyRow>, string[], string | null] => [{ postal_code }, [], null],
		),
		[{ vat_keys: "68", vat_as_of: null }, [], null],
		[{ vat_keys: "68", vat_as_of }, [calculated], vat_as_of],
		[{ vat_keys: "68", vat_as_of, postal_code: "97600" }, [calculated], vat_as_of],
		[{ vat_keys: "0A6870", vat_as_of }, [calculated, "FR0A900000001", "FR70900000001"], vat_as_of],
		[{ vat_keys: "0A", vat_as_of, legal_category: "1000" }, ["FR0A900000001"], vat_as_of],
		[{ vat_keys: "68", vat_as_of, status: "ceased" }, [], null],
		[{ vat_keys: "68", vat_as_of, status: "removed" }, [], null],
		[{ masked: true }, [], null],
		[{ masked: true, vat_keys: "68", vat_as_of }, [], null],
	])("with %j has the VAT numbers %j of the list, and no other", (change, vatNumbers, vatAsOf) => {
		const company = toCompany({ ...row, ...change }, null);
		expect(company).toMatchObject({ vatNumbers, vatAsOf });
		// an invoice has the only one of the list
		expect(toPreview(company).vatNumber).toBe(vatNumbers.length === 1 ? vatNumbers[0] : undefined);
		if (vatNumbers.length === 0)
			expect(JSON.stringify([company, toPreview(company), createCompanyJsonLd(company, "")])).not.toMatch(/FR..900000001/);
	});

	test("has the name « Entreprise » in previews when it is masked", () => {
		expect(toPreview(toCompany({ ...row, name: null }, null)).name).toBe("Entreprise");
	});
});

test.each([
	[1000, "EUR", "1\u00a0000\u00a0€"],
	[457.35, "EUR", "457,35\u00a0€"],
	[0.5, "EUR", "0,50\u00a0€"],
	[170348620.75, "XPF", "170\u00a0348\u00a0620,75\u00a0XPF"],
	[50000, "FRF", "50\u00a0000\u00a0francs"],
	[1000, null, "1\u00a0000\u00a0(devise\u00a0non\u00a0précisée)"],
])("formats a capital of %s %s as %s", (amount, currency, text) => {
	expect(formatCapital(amount, currency)).toBe(text);
});

test("formats a head office on one line, without missing parts", () => {
	expect(formatHeadOffice(toCompany(row, null))).toBe("59 rue La Fayette, 75009 Paris");
	const abroad = { ...row, address: null, address_complement: null, postal_code: null, city: "LONDRES (ROYAUME-UNI)", commune: null };
	expect(formatHeadOffice(toCompany(abroad, null))).toBe("Londres (Royaume-Uni)");
	expect(formatHeadOffice(toCompany({ ...abroad, city: null }, null))).toBe("");
});

describe("the facts on a company's page", () => {
	const sources = { companies: 1, isSample: false, sireneAsOf: "2026-05-13", rneAsOf: undefined };
	const renderFacts = (change: Partial<CompanyRow> = {}) =>
		renderToStaticMarkup(createElement(CompanyFacts, { company: toCompany({ ...row, ...change }, "Paris"), sources }))
			.replace(/<[^>]+>/g, " ")
			.replace(/\s+/g, " ");

	test("show « Non communiqué » for unknown values, and the date of the Sirene data", () => {
		const text = renderFacts({ siret: null, naf_code: null, address: null, address_complement: null, postal_code: null, city: null });
		for (const label of [
			"SIRET du siège",
			"Code NAF",
			"Adresse du siège",
			"Activité principale",
			"Date d’immatriculation",
			"Capital social",
		])
			expect(text).toContain(`${label} Non communiqué`);
		expect(text).toContain("base Sirene (Licence Ouverte 2.0), base au 13 mai 2026.");
		expect(text).not.toMatch(/INPI|Durée|Date de radiation|Associé unique/);
	});

	test.each<[code: string, nomenclature: string, rows: string]>([
		["70.10Z", "NAFRev2", "Activité principale Activités des sièges sociaux Code NAF 70.10Z"],
		["00.00Z", "NAFRev2", "Activité principale Non communiquée Code NAF 00.00Z"],
		["72.2Z", "NAFRev1", "Code NAF 72.2Z (ancienne nomenclature)"],
		["59.02", "NAP", "Code NAF 59.02 (ancienne nomenclature)"],
	])("of the code %s (%s) are « %s »", (naf_code, naf_nomenclature, rows) => {
		expect(/(?:Activité principale|Code NAF).*?(?= (?:Date|Greffe))/.exec(renderFacts({ naf_code, naf_nomenclature }))?.[0]).toBe(rows);
	});

	test.each([
		[true, "2 établissements ouverts dans cet échantillon", true],
		[false, "2 établissements ouverts", false],
	])("of a register that is a sample (%s) count « %s »", (isSample, count, linked) => {
		const company = toCompany({ ...row, branches: 1 }, "Paris");
		const section = renderToStaticMarkup(createElement(Establishments, { company, isSample }));
		expect(/<summary[^>]*>([^<]+)/.exec(section)?.[1]).toBe(count);
		expect(section.includes(`href="https://annuaire-entreprises.data.gouv.fr/entreprise/${row.siren}"`)).toBe(linked);
	});

	test("say that the Kbis has a registration date, and the capital of a company that has one", () => {
		const onKbis = (text: string) =>
			[/immatriculation Non communiquée \(figure/, /social Non communiqué \(figure/].map((row) => row.test(text));
		expect(onKbis(renderFacts({ legal_category: "5710" }))).toEqual([true, true]);
		expect(onKbis(renderFacts({ legal_category: "6540" }))).toEqual([true, true]);
		expect(onKbis(renderFacts({ legal_category: "6220" }))).toEqual([true, false]);
		expect(onKbis(renderFacts({ legal_category: "1000" }))).toEqual([false, false]);
	});

	test("show the date of the company's record if known, with « 1er » for the first of a month", () => {
		expect(renderFacts({ updated_on: "2026-04-01" })).toContain("fiche mise à jour le 1er avril 2026.");
		expect(renderFacts({ updated_on: "2026-04-10" })).toContain("fiche mise à jour le 10 avril 2026.");
	});

	test("list the RNE's data separately with source and date", () => {
		const registration = {
			registered_on: "2001-02-03",
			removed_on: "2026-01-31",
			duration_years: 99,
			capital: "1000",
			single_partner: true,
		};
		const [insee, inpi] = renderFacts(registration).split("Source : Insee");
		expect(insee).not.toMatch(/immatriculation|radiation|Capital/);
		for (const fact of [
			"Date d’immatriculation 3 février 2001",
			"Date de radiation 31 janvier 2026",
			"Durée statutaire 99 ans",
			"Associé unique Oui",
		])
			expect(inpi).toContain(fact);
		expect(inpi).toContain("registre national des entreprises (RNE), données au 1er juin 2026");
	});

	test("have the end of the duration that the register says, the financial year, and the purpose", () => {
		const said = renderFacts({ duration_years: 99, ends_in: 2112, year_end: 1231, purpose: "Le commerce de détail." });
		for (const fact of ["Durée statutaire 99 ans, jusqu’en 2112", "Clôture de l’exercice 31 décembre", "Objet Le commerce de détail."])
			expect(said.replaceAll("\u00a0", " ")).toContain(fact);
		// an extended duration does not end when registration and years say
		expect(renderFacts({ duration_years: 99, registered_on: "1955-03-01" })).not.toMatch(/jusqu|2054|Clôture|Objet/);
		expect(renderFacts({ year_end: 101 })).toContain("Clôture de l’exercice 1er janvier");
		expect(renderFacts({ year_end: 229 })).toContain("Clôture de l’exercice 29 février");
		expect(renderFacts({ masked: true, year_end: 1231, purpose: "Le commerce" })).not.toMatch(/Clôture|Objet/);
	});

	test.each([
		[1, false],
		[300, false],
		[301, true],
		[2000, true],
	])("fold a purpose of %i characters: %s", (length, isFolded) => {
		const purpose = "vente de tout ".repeat(200).slice(0, length).trim().padEnd(length, "x");
		const text = renderFacts({ purpose });
		expect(text.includes("Lire la suite")).toBe(isFolded);
		expect(text.replace(/… Lire la suite …/, "")).toContain(purpose);
	});

	test("show no VAT number that the list does not have, and a greffe only if an extract may exist", () => {
		for (const legal_category of ["5710", "1000"]) expect(renderFacts({ legal_category })).not.toContain("TVA");
		expect(renderFacts()).toContain("Greffe compétent (à titre indicatif) Paris");
		expect(renderFacts({ legal_category: "9220" })).not.toMatch(/TVA|[Gg]reffe/);
	});

	test("say which VAT numbers are active, with the day of the DGFiP's file", () => {
		const vat_as_of = "2026-11-03";
		const one = renderFacts({ vat_keys: "68", vat_as_of });
		expect(one).toContain("N° de TVA (actif selon la DGFiP au 3 novembre 2026) FR 68 900 000 001");
		expect(one).toContain("N° de TVA : DGFiP (Licence Ouverte 2.0).");
		// the number of the file, which cannot be calculated, also for companies outside the RCS
		expect(renderFacts({ vat_keys: "0A", vat_as_of, legal_category: "9220" })).toContain("2026) FR 0A 900 000 001");
		const seven = renderFacts({ vat_keys: "0A0B0C0D0E0F68", vat_as_of });
		expect(seven).toMatch(/Numéros de TVA \(actifs selon la DGFiP au 3 novembre 2026\) FR 68 .* FR 0D 900 000 001 .*et 2 autres/);
		expect(seven).not.toContain("FR 0E");
	});

	test.each([
		[{ masked: true }, "À la demande de cette entreprise, l’Insee ne diffuse pas ses autres informations."],
		[{ masked: true, hidden: true }, "À la demande de la personne concernée, nous n’affichons pas les autres informations de cette fiche."],
	])("show only number and form of a company that is %j", (change, sentence) => {
		const text = renderFacts({ ...change, updated_on: "2026-04-10" });
		expect(text).toContain(sentence);
		expect(text).not.toMatch(/FAYETTE|PARIS|75009|1955|70\.10Z|00011|TVA|reffe|2026/i);
	});

	test.each([
		["active", "Entreprise active"],
		["ceased", "Entreprise cessée"],
		["removed", "Entreprise radiée"],
	] as const)("show the status %s as « %s »", (status, words) => {
		expect(renderToStaticMarkup(createElement(CompanyStatus, { status }))).toContain(words);
	});
});

describe("JSON-LD", () => {
	const getJsonLd = (change: Partial<CompanyRow>) => createCompanyJsonLd(toCompany({ ...row, ...change }, null), "https://shop.example/x");

	test.each([{ status: "ceased" as const }, { status: "removed" as const }, { masked: true }, { name: null }])(
		"is absent for a company that is %j",
		(change) => {
			expect(getJsonLd(change)).toBeNull();
		},
	);

	test("has a VAT number only with a Kbis", () => {
		for (const legal_category of ["5710", "1000", "9220"]) expect(getJsonLd({ legal_category })).not.toHaveProperty("vatID");
		expect(getJsonLd({ vat_keys: "0A", vat_as_of: "2026-11-03" })?.vatID).toBe("FR0A900000001");
	});

	test.each([
		["75009", "FR"],
		["98000", undefined],
		["98735", "FR"],
		["1234", undefined],
		[null, undefined],
	])("for the postal code %s has the country %s (980.. is Monaco)", (postal_code, country) => {
		const { address } = getJsonLd({ postal_code }) ?? {};
		expect((address as Record<string, string> | undefined)?.addressCountry).toBe(country);
		expect(address).toMatchObject({ addressLocality: "PARIS" });
	});
});

describe("the URL of a search", () => {
	const parse = (query: string) => parseCompanySearch(new URLSearchParams(query));

	test("is parsed with repeated or comma-separated filters, in any case, with labels or values", () => {
		const all = { query: "danone", departement: "2A", formes: ["SAS", "EURL"], secteur: "services-informatiques", page: 3 };
		expect(parse("q=+danone+&departement=+2a+&forme=eurl&forme=sas&secteur=services-informatiques&page=3")).toEqual(all);
		expect(parse("q=danone&departement=2A&forme=EURL,SAS&secteur=Services+Informatiques&page=3")).toEqual(all);
		expect(parse("")).toEqual({ query: "", departement: null, formes: [], secteur: null, page: 1 });
	});

	test.each([
		"departement=96",
		"departement=",
		"forme=SCI",
		"forme=",
		"secteur=agriculture",
		"secteur=",
		"page=0",
		"page=-1",
		"page=1.5",
		"page=1e300",
	])("has no filter for « %s »", (query) => {
		expect(parse(`q=danone&${query}`)).toEqual(parse("q=danone"));
	});

	test("is parsed up to 200 characters of text and of each filter", () => {
		expect(parse(`q=${"x".repeat(300)}`).query).toHaveLength(200);
		expect(parse(`secteur=${"+".repeat(300)}commerce`).secteur).toBeNull();
	});

	test("is formatted without default values", () => {
		for (const query of ["q=danone", "q=", "q=a%26b&departement=2A&forme=SAS&forme=SASU&secteur=btp&page=2"])
			expect(formatCompanySearch(parse(query)).toString()).toBe(query);
	});
});
