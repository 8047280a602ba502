import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import legalCategories from "../../../data/nomenclatures/categories-juridiques.json" with { type: "json" };
import type { Database } from "../../../server/database/database.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { insertCompanies } from "../../../test/fixtures/companies.ts";
import { getEligibility } from "../company.ts";
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

describe("the order of results", () => {
	/** 0 for a name, 1 for a trade name, 2 for a place. */
	const rankOf = (word: RegExp, { name, matchedName }: { name: string | null; matchedName: string | null }) =>
		word.test(name ?? "") ? 0 : matchedName ? 1 : 2;

	test.each([
		["martin", /\bMARTIN\b/i],
		["carrefour", /\bCARREFOUR\b/i],
		["grenoble", /\bGRENOBLE\b/i],
	])("for « %s » is names, then trade names, then places, over all pages", async (q, word) => {
		const first = await search(`q=${q}`);
		const ranks: number[] = [];
		for (let page = 1; page <= Math.ceil(first.total / 9); page++)
			ranks.push(...(await search(`q=${q}&page=${page}`)).results.map((company) => rankOf(word, company)));
		expect(ranks.length).toBe(first.total);
		const whole = ranks.filter((rank, index) => rank === 0 || index < ranks.lastIndexOf(0));
		expect(whole.every((rank) => rank === 0)).toBe(true);
		expect(new Set(ranks).size).toBeGreaterThan(1);
	});

	test("is by importance among equals, and a full name or acronym is first", async () => {
		const { results } = await search("q=robert");
		expect(results[0]).toMatchObject({ name: "ROBERT", siren: "421314576" });
		expect((await search("q=dinum")).results[0]).toMatchObject({ matchedName: "DINUM", siren: "130025265" });
	});

	test.each(["carrefour", "martin", "grenoble"])("for « %s » has extracts first among whole words of the name", async (q) => {
		const { results } = await search(`q=${q}`);
		const named = results.filter(({ name }) => name?.split(/[ '-]/).includes(q.toUpperCase()));
		const extracts = named.map(({ eligibility }) => eligibility !== "none");
		expect(extracts).toEqual(extracts.toSorted((a, b) => Number(b) - Number(a)));
		expect(named[0]?.eligibility).toBe("kbis");
	});

	test("has a large body without an extract by importance", async () => {
		expect((await search("q=paris")).results[0]).toMatchObject({ name: "VILLE DE PARIS", eligibility: "none" });
	});

	test("knows every legal category that has an extract", async () => {
		const categories = Object.keys(legalCategories);
		const { rows } = await sql<{ category: string }>`
			select category from unnest(${categories}::text[]) category where ranks_by_importance(category, null)
		`.execute(db);
		expect(rows.map(({ category }) => category)).toEqual(categories.filter((category) => getEligibility(category) !== "none"));
		expect(rows.length).toBeGreaterThan(100);
	});

	test("has whole words before words that only begin so", async () => {
		const names = (await search("q=leclerc")).results.map(({ name }) => name);
		expect(names).not.toContain("CABINET DES DOCTEURS LECLERCQ ET AL SAMMAN-ZOUAGHI");
		expect((await search("q=leclercq")).results[0]?.name).toMatch(/LECLERCQ/);
	});

	test("puts names first among suggestions, and says which trade name matched", async () => {
		for (const { name } of (await suggestCompanies(db, "martin")).slice(0, 6)) expect(name).toMatch(/MARTIN/);
		expect(await suggestCompanies(db, "carrefour beauvais")).toMatchObject([{ name: "BEAUVAIS DIS", matchedName: "CARREFOUR" }]);
	});

	test("lists each company once on the pages of a frequent word", async () => {
		const sirens = new Set<string>();
		for (const page of [1, 20, 22, 23, 24, 40, 112]) for (const { siren } of (await search(`q=s&page=${page}`)).results) sirens.add(siren);
		expect(sirens.size).toBe(7 * 9);
	});

	test("is by importance alone in a base whose words have no weight", async () => {
		const before = (await search("q=martin")).results.map(({ siren }) => siren);
		await sql`update companies set lexemes = strip(lexemes) where lexemes @@ 'martin'::tsquery`.execute(db);
		const { total, results } = await search("q=martin");
		expect(total).toBe(162);
		expect(results.map(({ siren }) => siren)).not.toEqual(before);
	});
});

describe("a large company that bears the name of a small one", () => {
	const large = { name: "GROUPE ZORGLUB FRANCE", status: "active", category: "GE", staff_band: "21" };
	const small = { name: "ZORGLUB", status: "active", category: "PME", staff_band: "02" };
	const insert = (companies: Record<string, string | null>[]) =>
		insertCompanies(
			db,
			companies.map(({ trade_names = null, ...company }, index) => ({
				...{ id: 30_001 + index, siren: `00000000${index}`, alias_key: null, acronym: null, trade_names, ...company },
				name_key: hashName(company.name ?? ""),
				lexemes: `${createLexemes([company.name ?? null], "name")} ${createLexemes([trade_names], "trade")}`,
			})),
		);
	afterEach(async () => {
		await sql`delete from companies where id > 30000`.execute(db);
	});

	test.each<[string, Record<string, string | null>, Record<string, string | null>, boolean]>([
		["of a group with fifty employees", {}, {}, true],
		["of a group with fewer", { staff_band: "12" }, {}, false],
		["of a group whose employees are unknown", { staff_band: null }, {}, false],
		["of intermediate size", { category: "ETI", staff_band: "32" }, {}, false],
		["that ceased", { status: "ceased" }, {}, false],
		["with the name in a trade name", { name: "WAGADUGU", trade_names: "ZORGLUB STORE" }, {}, true],
		["with a name that only begins so", { name: "ZORGLUBIA FRANCE" }, {}, false],
		["beside one of intermediate size", {}, { category: "ETI" }, false],
		["beside a large one", {}, { category: "GE" }, false],
		["beside one of unknown size", {}, { category: null }, true],
		["of intermediate size, beside one that ceased", { category: "ETI", staff_band: null }, { status: "ceased" }, true],
		["small, beside one that ceased", { category: "PME" }, { status: "ceased" }, false],
		["large, beside a large one that ceased", {}, { status: "ceased", category: "GE" }, true],
	])("%s", async (_, changes, ofSmall, leads) => {
		await insert([
			{ ...large, ...changes },
			{ ...small, ...ofSmall },
		]);
		const first = { ...large, ...changes }.name;
		expect((await search("q=zorglub")).results.map(({ name }) => name)).toEqual(leads ? [first, "ZORGLUB"] : ["ZORGLUB", first]);
		expect((await suggestCompanies(db, "zorglub")).map(({ name }) => name)).toEqual(leads ? [first, "ZORGLUB"] : ["ZORGLUB", first]);
	});

	test("gives way to the company that has the legal form of the query", async () => {
		await insert([
			{ ...small, legal_category: "5710" },
			{ ...small, legal_category: "6540" },
		]);
		await sql`insert into company_words values ('zorglub', 2)`.execute(db);
		onTestFinished(async () => void (await sql`delete from company_words where word = 'zorglub'`.execute(db)));
		const first = async (query: string) => (await search(`q=${query}`)).results.map(({ siren }) => siren);
		expect(await first("zorglub")).toEqual(["000000000", "000000001"]);
		expect(await first("sci+zorglub")).toEqual(["000000001", "000000000"]);
	});

	test("leaves the exact name among the first three, and lists each company once", async () => {
		await insert([large, { ...large, name: "ZORGLUB ENERGIE" }, { ...large, name: "ZORGLUB EAU" }, small]);
		const names = (await search("q=zorglub")).results.map(({ name }) => name);
		expect(names).toEqual(["GROUPE ZORGLUB FRANCE", "ZORGLUB ENERGIE", "ZORGLUB", "ZORGLUB EAU"]);
	});
});

describe("words that find nothing together", () => {
	test.each([
		["plomberie martin", "plomberie"],
		["boulangerie paris", "boulangerie"],
		["paris boulangerie", "boulangerie"],
		["danone yaourts", "danone"],
		["danone yaourts paris", "danone paris"],
		["fonderie vrignaud nantes", "fonderie vrignaud"],
		["boulangerie saint etienne dupond", "boulangerie"],
		["hotel de la plage zzqqxx", "hotel plage"],
		["zzqqxx danone vvwwxx yaourts mmnnpp", "danone"],
		["castel freres paris", "castel freres"],
	])("« %s » is searched as « %s »", async (q, dropped) => {
		const result = await search(`q=${encodeURIComponent(q)}`);
		expect(result).toMatchObject({ query: q, dropped, corrected: null });
		expect(result.total).toBe((await search(`q=${encodeURIComponent(dropped)}`)).total);
		expect(result.total).toBeGreaterThan(0);
	});

	test.each(["zzqqxx", "zzqqxx paris", "zzqqxx vvwwxx", "paris lyon marseille zzqqxx", "12 zzqqxx"])("« %s » finds nothing", async (q) => {
		expect(await search(`q=${encodeURIComponent(q)}`)).toMatchObject({ total: 0, dropped: null });
	});

	test("are not dropped when only the filters exclude the results", async () => {
		expect(await search("q=gte+plomberie&departement=75")).toMatchObject({ total: 0, dropped: null });
	});

	test("are dropped so that the filters leave results, which are counted", async () => {
		const result = await search("q=plomberie+martin&departement=84");
		expect(result.results.map(({ name }) => name)).toContain("GTE PLOMBERIE");
		const counts = await countFilters(db, parseCompanySearch(new URLSearchParams("q=plomberie+martin")), "plomberie");
		expect(counts?.departement["84"]).toBe(result.total);
	});

	test("cost few queries, however many there are", async () => {
		const words = "alpha bravo charlie delta echo foxtrot golf hotel india juliette kilo lima";
		let statements = 0;
		const counted = db.withPlugin({
			transformQuery({ node }) {
				statements++;
				return node;
			},
			transformResult: async ({ result }) => result,
		});
		await searchCompanies(counted, parseCompanySearch(new URLSearchParams({ q: `${words} zzqqxx` })));
		expect(statements).toBeGreaterThan(2);
		expect(statements).toBeLessThan(20);
	});
});
