import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../server/database/database.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { insertCompanies } from "../../../test/fixtures/companies.ts";
import { findCompany } from "../find-company.server.ts";
import type { Siren } from "../siren.ts";
import { parseCompanySearch } from "./company-search.ts";
import { countFilters } from "./count-filters.server.ts";
import { createLexemes, hashName } from "./lexemes.ts";
import { searchCompanies } from "./search-companies.server.ts";
import { suggestCompanies } from "./suggest-companies.server.ts";

let db: Database;
let close: () => Promise<void>;
beforeAll(async () => {
	({ db, close } = await createTestDatabase());
});
afterAll(() => close());

const search = (query: string) => searchCompanies(db, parseCompanySearch(new URLSearchParams(query)));
const names = async (query: string) => (await search(query)).results.map(({ name }) => name);

describe("numbers", () => {
	test.each([
		["a SIREN", "552032534"],
		["a SIREN with spaces", "552 032 534"],
		["a SIREN with dots and narrow spaces", "552.032\u202f534"],
		["a SIRET", "55203253400703"],
		["a SIRET with spaces", "552 032 534 00703"],
		["a partial SIRET", "55203253400"],
		["a VAT number", "FR 27 552032534"],
		["a label", "N° SIREN : 552 032 534"],
		["another label", "Identifiant SIREN 552032534"],
		["the label of a VAT number", "TVA intracommunautaire : FR27552032534"],
		["a name", "DANONE 552032534"],
		["a name and brackets", "DANONE (552032534)"],
		["another name", "SIREN 552 032 534 LORELEI"],
		["a letterhead", "DANONE, SA au capital de 171 000 000 €, 552 032 534 R.C.S. Paris"],
		["a spreadsheet's exponent", "5,52032534E+08"],
	])("%s finds only its company", async (_, q) => {
		const { total, results, dropped } = await search(`q=${encodeURIComponent(q)}`);
		expect({ total, dropped, names: results.map(({ name }) => name) }).toEqual({ total: 1, dropped: null, names: ["DANONE"] });
		expect((await suggestCompanies(db, q)).map(({ name }) => name)).toEqual(["DANONE"]);
		expect(await countFilters(db, parseCompanySearch(new URLSearchParams({ q })), null)).toBeNull();
	});

	test("several find their companies, and one that lost its zeros is found", async () => {
		expect(await names("q=552032534 et 356 000 000")).toEqual(["DANONE", "LA POSTE"]);
		expect((await search("q=5420039")).results.map(({ siren }) => siren)).toEqual(["005420039"]);
	});

	test("that nobody has give way to the words beside them, and never to a label", async () => {
		expect(await search("q=999 999 995 danone")).toMatchObject({ total: 1, dropped: "danone" });
		expect(await search("q=552 032 535 danone")).toMatchObject({ total: 1, dropped: "danone" });
		for (const q of ["N° SIREN : 999 999 995", "SIREN 552 032 535", "siren zzzzqqq", "5,52E+08", "siren", "n° TVA"])
			expect(await search(`q=${encodeURIComponent(q)}`)).toMatchObject({ total: 0, dropped: null });
	});

	test("three digits match only the start of a SIREN", async () => {
		const { total, results } = await search("q=356");
		expect(total).toBeGreaterThan(0);
		expect(results[0]?.name).toBe("LA POSTE");
		for (const { siren } of results) expect(siren).toMatch(/^356/);
	});

	test("an unknown SIREN finds nothing", async () => {
		expect(await search("q=999999999")).toMatchObject({ total: 0, results: [], corrected: null });
	});

	test("digits that start no SIREN match words such as postal codes", async () => {
		const { results } = await search("q=75011");
		expect(results.length).toBe(9);
		for (const { postalCode } of results) expect(postalCode).toBe("75011");
	});
});

describe("words", () => {
	test("returns all fields of a result", async () => {
		expect(await search("q=danone")).toEqual({
			query: "danone",
			corrected: null,
			dropped: null,
			withoutDocument: null,
			searched: "danone",
			withoutFilters: null,
			page: 1,
			perPage: 9,
			total: 1,
			totalIsCapped: false,
			results: [
				{
					id: "552032534",
					siren: "552032534",
					name: "DANONE",
					matchedName: null,
					legalForm: "SA",
					address: "59 RUE LA FAYETTE",
					postalCode: "75009",
					city: "PARIS",
					headOffice: { complement: null, street: "59 rue La Fayette", postalCode: "75009", city: "Paris" },
					activityDescription: "Activités des sièges sociaux",
					eligibility: "kbis",
					status: "active",
					notices: [],
				},
			],
		});
	});

	test("ignores case, accents and word endings", async () => {
		expect(await names("q=D%C3%A0non")).toContain("DANONE");
		expect(await names("q=vil+par")).toContain("VILLE DE PARIS");
	});

	test("does not match the middle of a word", async () => {
		expect(await names("q=anon")).not.toContain("DANONE");
	});

	test("lists the full name first, and each company once over all pages", async () => {
		const first = await search("q=la+poste");
		expect(first.results[0]).toMatchObject({ name: "LA POSTE", siren: "356000000" });
		const all = new Set<string>();
		for (let page = 1; page <= Math.ceil(first.total / 9); page++)
			for (const { siren } of (await search(`q=la+poste&page=${page}`)).results) all.add(siren);
		expect(all.size).toBe(first.total);
	});

	test("matches a last number as a prefix, an earlier number as a whole", async () => {
		for (const q of ["danone+7", "danone+75", "danone+7500", "75009+danone"]) expect(await names(`q=${q}`)).toContain("DANONE");
		for (const q of ["danone+1", "7500+danone"]) expect(await search(`q=${q}`)).toMatchObject({ dropped: "danone", total: 1 });
	});

	test.each([
		["danone sa", "DANONE"],
		["danone S.A.", "DANONE"],
		["sa danone", "DANONE"],
		["danone sarl", "DANONE"],
		["danone scop", "DANONE"],
		["danone société anonyme", "DANONE"],
		["Société anonyme Danone", "DANONE"],
		["danone, société par actions simplifiée", "DANONE"],
		["red needles sarl", "RED NEEDLES"],
		["S.A.R.L. Red Needles", "RED NEEDLES"],
		["société à responsabilité limitée red needles", "RED NEEDLES"],
		["red needles sas gagny", "RED NEEDLES"],
		["menuiserie dupont sas", "MENUISERIE DUPONT"],
		["le havane st martin snc", "LE HAVANE ST MARTIN"],
		["st martin snc", "LE HAVANE ST MARTIN"],
		["st martin société en nom collectif", "LE HAVANE ST MARTIN"],
		["dupont sarl", "GARAGE DUPONT FRERES"],
		["société anonyme ducrocq", "SOCIETE ANONYME DUCROCQ ET COMPAGNIE"],
	])("takes the legal form in « %s » for a hint, and finds %s first", async (q, name) => {
		const { corrected, dropped, results } = await search(new URLSearchParams({ q }).toString());
		expect({ corrected, dropped, name: results[0]?.name }).toEqual({ corrected: null, dropped: null, name });
		expect((await suggestCompanies(db, q))[0]).toMatchObject({ name });
	});

	test("a company that is named like a legal form is found by it, and a mistyped name beside one is corrected", async () => {
		expect(await names("q=scop")).toContain("SCOP'");
		for (const q of ["dannone sa", "dannone société anonyme"])
			expect(await search(new URLSearchParams({ q }).toString())).toMatchObject({ corrected: "danone", total: 1 });
	});

	test("corrects a typing error only without results, and returns the correction", async () => {
		for (const typo of ["dannone", "danoen", "danobe"]) {
			expect(await search(`q=${typo}`)).toMatchObject({ query: typo, corrected: "danone", total: 1 });
		}
		expect((await search("q=societe+generalle")).corrected).toBe("societe generale");
		expect((await search("q=zzqqxxzz")).corrected).toBeNull();
	});

	test.each([
		["q=danone", "&departement=13", "&forme=SARL"],
		["q=martin", "&forme=Auto-entrepreneur", "&forme=SNC&departement=75"],
		["q=boulangerie", "&departement=75"],
		["q=dannone", "&departement=13"],
		["q=danone+yaourts", "&departement=13"],
		["q=danone+scop", "&departement=13"],
		["q=kbis+danone", "&departement=13"],
		["q=552032534", "&departement=13"],
		["q=552032534+danone", "&departement=13"],
		["q=356", "&departement=13&forme=SNC"],
	])(
		"filters that exclude all results of « %s » do not change what is searched, and the results without them are counted",
		async (query, ...all) => {
			const { corrected, dropped, searched, ...unfiltered } = await search(query);
			const { total, totalIsCapped } = unfiltered;
			expect(total).toBeGreaterThan(0);
			for (const filters of all) {
				const expected = { corrected, dropped, searched, total: 0, withoutFilters: { total, totalIsCapped } };
				expect(await search(query + filters), filters).toMatchObject(expected);
			}
		},
	);

	test("counts up to a thousand", async () => {
		expect(await search("q=s")).toMatchObject({ total: 1000, totalIsCapped: true });
		expect(await search("q=s&page=9999")).toMatchObject({ page: 112, total: 1000 });
	});

	test("finds nothing without words, even with filters", async () => {
		for (const q of ["", "%20%09", "%3A*%26%7C!()", "%00"]) expect((await search(`q=${q}&departement=75&forme=SAS`)).total).toBe(0);
	});
});

describe("filters", () => {
	test("by department", async () => {
		const { results } = await search("q=societe&departement=75");
		expect(results.length).toBe(9);
		for (const { postalCode } of results) expect(postalCode).toMatch(/^75/);
	});

	test("by departments in Corsica and overseas", async () => {
		for (const [department, postalCode] of [
			["2A", /^20[01]/],
			["2B", /^20[26]/],
			["974", /^974/],
		] as const) {
			const { results } = await search(`q=s&departement=${department}`);
			expect(results.length).toBeGreaterThan(0);
			for (const result of results) expect(result.postalCode).toMatch(postalCode);
		}
	});

	test("by several legal forms", async () => {
		const { results } = await search("q=societe&forme=SNC&forme=SA");
		expect(results.length).toBe(9);
		for (const { legalForm } of results) expect(["SNC", "SA"]).toContain(legalForm);
	});

	test("by SASU: finds those of the RNE and undistinguished ones, but no known SAS", async () => {
		const { results } = await search("q=s&forme=SASU");
		for (const { legalForm } of results) expect(["SASU", "SAS / SASU"]).toContain(legalForm);
		expect((await search("q=naturalia&forme=SASU")).results.map(({ legalForm }) => legalForm)).not.toContain("SAS");
		expect((await search("q=naturalia&forme=SAS")).results.map(({ legalForm }) => legalForm)).toContain("SAS");
	});

	test("by sector", async () => {
		const { results } = await search("q=societe&secteur=btp");
		expect(results.length).toBe(9);
		for (const { siren } of results) {
			const company = await findCompany(db, siren);
			expect(company?.nafCode).toMatch(/^4[123]\./);
		}
	});
});

describe("words for the document", () => {
	const ask = (q: string, filters = {}) => search(new URLSearchParams({ q, ...filters }).toString());
	const addNamesakes = async () => {
		const named = ["KBIS BOULANGERIE", "KBIS", "EXTRAIT", "BOULANGERIE 123456782", "BOULANGERIE 123456783"].map((name, index) => ({
			...{ id: 30_001 + index, siren: `00000000${index}`, name, acronym: null, trade_names: null, alias_key: null },
			...{ name_key: hashName(name), lexemes: createLexemes([name], "name") },
		}));
		await insertCompanies(db, named);
		onTestFinished(async () => void (await sql`delete from companies where id > 30000`.execute(db)));
	};

	test.each([
		["kbis danone", "danone"],
		["Extrait K-bis de Danone", "Danone"],
		["danone, extrait d’immatriculation", "danone"],
		["kbis boulangerie", "boulangerie"],
		["kbis de dannone", "dannone"],
		["kbis zzzzqqq danone", "zzzzqqq danone"],
		["Nom : kbis danone", "danone"],
		["extrait kbis danone 123456782", "danone 123456782"],
		["extrait kbis danone 123456783", "danone 123456783"],
		["extrait kbis 75011", "75011"],
		["kbis gratuit danone pdf", "danone"],
		["siren danone", "danone"],
		["avis de situation danone", "danone"],
		["statuts danone", "danone"],
		["kbis auto-entrepreneur martin plomberie", "martin plomberie"],
		["auto entrepreneur martin", "martin"],
		["kbis micro-entreprise jean martin", "jean martin"],
	])("« %s » is searched as « %s », also where words are corrected, dropped or filtered", async (q, without) => {
		for (const filters of [{}, { departement: "75", page: "2" }]) {
			const { query, ...result } = await ask(q, filters);
			expect(query).toBe(q);
			expect(result).toEqual({ ...(await ask(without, filters)), query: undefined, withoutDocument: without });
		}
	});

	test("leave a number alone, whole or not, that a company has or nobody has", async () => {
		await addNamesakes();
		for (const number of ["552 032 534", "356", "123456782", "123456783", "5,52E+08"]) {
			const { query: _, ...result } = await ask(`extrait kbis ${number}`);
			expect(result, number).toEqual({ ...(await ask(number)), query: undefined, withoutDocument: null });
			expect(await suggestCompanies(db, `extrait kbis ${number}`), number).toEqual(await suggestCompanies(db, number));
			const counted = parseCompanySearch(new URLSearchParams({ q: `extrait kbis ${number}` }));
			expect(await countFilters(db, counted, null), number).toBeNull();
		}
	});

	test("are named once where a label stood before them", async () => {
		expect(await ask("Nom : kbis danone")).toMatchObject({ dropped: null, withoutDocument: "danone" });
	});

	test("are searched in quotation marks, also alone: a company may have that name", async () => {
		await addNamesakes();
		const namesOf = async (q: string) => (await ask(q)).results.map(({ name }) => name);
		expect(await namesOf("kbis boulangerie")).not.toContain("KBIS BOULANGERIE");
		expect(await namesOf('"kbis boulangerie"')).toEqual(["KBIS BOULANGERIE"]);
		expect(await namesOf("kbis")).toEqual([]);
		expect((await namesOf('"kbis"')).toSorted()).toEqual(["KBIS", "KBIS BOULANGERIE"]);
		expect(await ask('"552032534"')).toMatchObject({ total: 1, results: [{ name: "DANONE" }] });
		expect(await ask('"extrait k bis 123456782 danone"')).toMatchObject({ withoutDocument: null });
		for (const q of ['"boulangerie 123456782"', '"boulangerie 123456783"']) expect((await namesOf(q)).length, q).toBe(1);
	});

	test.each(["auto-entrepreneur", "micro entreprise", "micro-entrepreneur", "kbis auto-entrepreneur", "statuts", "extrait kbis gratuit"])(
		"find nobody alone, with filters or without: « %s »",
		async (q) => {
			for (const filters of [{}, { departement: "75", page: "2" }])
				expect(await ask(q, filters)).toMatchObject({ total: 0, dropped: null, corrected: null, withoutFilters: null });
			expect(await countFilters(db, parseCompanySearch(new URLSearchParams({ q })), null)).toBeNull();
		},
	);

	test("give way in suggestions where no company has them", async () => {
		expect((await suggestCompanies(db, "extrait kbis dano")).map(({ name }) => name)).toContain("DANONE");
		await addNamesakes();
		expect((await suggestCompanies(db, "kbis boul")).map(({ name }) => name)).toEqual(["KBIS BOULANGERIE"]);
		expect(await suggestCompanies(db, "kbis d")).toEqual([]);
	});
});

describe("the counts of filter values", () => {
	const counts = (query: string, corrected: string | null = null) =>
		countFilters(db, parseCompanySearch(new URLSearchParams(query)), corrected);

	test.each(["q=", "q=552032534", "q=552", "q=s"])(
		"are absent for « %s »: no words, a number, or more than a thousand companies",
		async (query) => {
			expect(await counts(query)).toBeNull();
		},
	);

	test("are those of the corrected query", async () => {
		expect((await counts("q=dannone", "danone"))?.departement).toEqual({ "75": 1 });
		expect((await counts("q=dannone"))?.departement).toEqual({});
	});

	test("equal the totals of a search by each value with the other filters unchanged", async () => {
		const query = "q=boulangerie";
		for (const filters of [
			"&departement=75",
			"&forme=SARL&forme=SAS",
			"&secteur=industrie",
			"&departement=75&forme=SARL&secteur=commerce",
		]) {
			const base = parseCompanySearch(new URLSearchParams(query + filters));
			const found = await counts(query + filters);
			const total = async (change: object) => (await searchCompanies(db, { ...base, ...change, page: 1 })).total;
			for (const departement of ["75", "69"]) expect(found?.departement[departement] ?? 0).toBe(await total({ departement }));
			for (const forme of ["SARL", "SASU", "SA"] as const) expect(found?.forme[forme] ?? 0, forme).toBe(await total({ formes: [forme] }));
			for (const secteur of ["industrie", "commerce"] as const) expect(found?.secteur[secteur] ?? 0).toBe(await total({ secteur }));
		}
	});
});

describe("pages", () => {
	test("have nine results; a page beyond the last is the last", async () => {
		const { total, page, results } = await search("q=la+poste&page=9999");
		expect(page).toBe(Math.ceil(total / 9));
		expect(results.length).toBe(total % 9 || 9);
	});

	test.each(["-1", "0", "abc", "1e99", "1.5", "NaN", "99999999999999999999"])("page=%s is the first page", async (page) => {
		const result = await search(`q=danone&page=${page}`);
		expect(result).toMatchObject({ page: 1, total: 1 });
	});
});

test.each([
	["a NUL", "\0danone\0"],
	["control characters", "\u0007\u001b[0m"],
	["half an emoji", "\ud83d"],
	["10 000 characters", "x".repeat(10_000)],
	["10 000 words", "ab ".repeat(10_000)],
	["quotes", `'"\\' or 1=1; --`],
	["operators of a tsquery", "danone:* & !('a' | b) <-> c"],
	["another script", "株式会社 Москва αθηνα"],
	["nothing visible", "\u200b\u00ad\u2060"],
])("%s in the query cause no error", async (_, q) => {
	const params = new URLSearchParams({ q, departement: q.slice(0, 50), secteur: q.slice(0, 50), page: q.slice(0, 50) });
	for (let i = 0; i < 100; i++) params.append("forme", q.slice(0, 10));
	expect((await searchCompanies(db, parseCompanySearch(params))).results).toBeInstanceOf(Array);
	expect(await suggestCompanies(db, q)).toBeInstanceOf(Array);
});

describe("suggestions", () => {
	test("are at most eight, for at least three characters", async () => {
		expect(await suggestCompanies(db, "da")).toEqual([]);
		expect(await suggestCompanies(db, " da ")).toEqual([]);
		expect(await suggestCompanies(db, "dano")).toContainEqual(expect.objectContaining({ name: "DANONE" }));
		expect((await suggestCompanies(db, "soc")).length).toBe(8);
	});

	test.each([["danonn"], ["boulangrie"], ["danonn société anonyme"], ["carcasonne agglo"], ["le havane martin selarl"]])(
		"find for « %s », which no company has, what the search finds",
		async (q) => {
			const suggested = (await suggestCompanies(db, q)).map((company) => company.name);
			expect(suggested).not.toEqual([]);
			expect(suggested).toEqual((await search(new URLSearchParams({ q }).toString())).results.slice(0, 8).map((company) => company.name));
		},
	);

	test("match the start of a SIREN", async () => {
		expect(await suggestCompanies(db, "552 032")).toEqual([
			{
				siren: "552032534",
				name: "DANONE",
				matchedName: null,
				address: "59 RUE LA FAYETTE",
				postalCode: "75009",
				city: "PARIS",
				headOffice: { complement: null, street: "59 rue La Fayette", postalCode: "75009", city: "Paris" },
				status: "active",
				eligibility: "kbis",
				notices: [],
			},
		]);
	});
});

test("finds a company with the RNE's data; the creation date is no registration date", async () => {
	expect(await findCompany(db, "552032534" as Siren)).toMatchObject({
		siret: "55203253400703",
		nafCode: "70.10Z",
		creationDate: "1955-01-01",
		registrationDate: "1955-03-01",
		capital: "170\u00a0348\u00a0620,75\u00a0€",
		status: "active",
	});
	expect(await findCompany(db, "839517323" as Siren)).toMatchObject({ status: "removed", capital: "1\u00a0000\u00a0€" });
	expect(await findCompany(db, "315549352" as Siren)).toMatchObject({ creationDate: "1979-01-01", registrationDate: null });
	expect(await findCompany(db, "000000000" as Siren)).toBeNull();
});
