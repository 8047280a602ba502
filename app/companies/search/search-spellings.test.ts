import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../server/database/database.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { insertCompanies } from "../../../test/fixtures/companies.ts";
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

describe("arrondissements", () => {
	test.each([
		["paris 8", ["75008"]],
		["paris 8e", ["75008"]],
		["paris 8ème", ["75008"]],
		["paris VIII", ["75008"]],
		["8e arrondissement de Paris", ["75008"]],
		["paris 16", ["75016", "75116"]],
		["lyon 3", ["69003"]],
		["Lyon 9eme", ["69009"]],
		["marseille 1er", ["13001"]],
	])("« %s » finds companies in that arrondissement", async (q, postalCodes) => {
		const { total, results } = await search(`q=${encodeURIComponent(q)}`);
		expect(total).toBeGreaterThan(15);
		for (const { postalCode } of results) expect(postalCodes).toContain(postalCode);
	});

	test("finds a name with the number", async () => {
		expect((await search("q=break+paris+9e")).results).toMatchObject([{ name: "TEAM BREAK PARIS 9" }]);
	});

	test("a department number after its city means the whole city, at any position", async () => {
		const postalCodes = (await search("q=marseille+13")).results.map(({ postalCode }) => postalCode);
		expect(new Set(postalCodes).size).toBeGreaterThan(2);
		expect(await names("q=marseille+13+delessert")).toEqual(["GARAGE DELESSERT"]);
	});
});

describe("apostrophes", () => {
	test.each([
		["an apostrophe, none, or a space", ["carole's studio", "carole’s studio", "caroles studio", "carole s studio"], "CAROLE'S STUDIO"],
		["stored as a space", ["bea's kitchen", "beas kitchen", "bea s kitchen"], "BEA S KITCHEN"],
		["an elided article", ["freres d'art", "freres dart", "freres d art"], "FRERES D ART"],
		["an elided article of two letters", ["tete d'or lyon", "tete dor lyon", "tete d or lyon"], "SAS N.B."],
		["O’", ["o'clock phenix", "oclock phenix", "o clock phenix"], "O'CLOCK PHENIX"],
		["Mc", ["passion mckenzie", "passion mc kenzie", "passion mc'kenzie"], "PASSION MCKENZIE"],
		["an apostrophe inside a name", ["cap'mode 2", "cap mode 2", "capmode 2"], "CAP'MODE 2"],
	])("%s", async (_, queries, name) => {
		for (const q of queries) expect(await names(`q=${encodeURIComponent(q)}`), q).toContain(name);
	});

	test("« d’A… » without its apostrophe has no short prefix", async () => {
		expect(await names("q=dar&departement=47")).not.toContain("LE SILENCE EST D'ART");
		expect(await names("q=dart&departement=47")).toContain("LE SILENCE EST D'ART");
	});
});

describe("words joined or split otherwise than in the register", () => {
	test.each([
		["the whole name", "piveteaubois", "piveteau bois", "PIVETEAU BOIS"],
		["the whole name, of two frequent words", "nicegarden", "nice garden", "NICE GARDEN"],
		["a part of a name, of two words of the vocabulary", "carcassonneagglo sud", null, null],
		["a part of a name", "castelfreres sa", "castel freres", "CASTEL FRERES"],
		["a part of a name with a minor word", "quaivoltaire hotel", "quai voltaire hotel", "HOTEL DU QUAI VOLTAIRE"],
		["a short part", "hotel tetedor", "hotel tete dor", "SAS N.B."],
		["two words that are one", "photo web", "photoweb", "PHOTOWEB"],
		["two words that are one, beside others", "transports photo web", null, null],
		["a leading article", "les piveteau bois", "piveteau bois", "PIVETEAU BOIS"],
	])("%s: « %s » is searched as « %s »", async (_, q, corrected, name) => {
		const result = await search(`q=${encodeURIComponent(q)}`);
		expect(result.corrected).toBe(corrected);
		if (name) expect(result.results[0]?.name).toBe(name);
	});

	test("a whole name is first among companies that have the words themselves", async () => {
		const { corrected, total, results } = await search("q=immo+projet");
		expect([corrected, results[0]?.name]).toEqual([null, "IMMOPROJET"]);
		expect(total).toBeGreaterThan(1);
		expect(await names("q=immo+projet&departement=69")).not.toContain("IMMOPROJET");
	});

	test("typing errors come before splits", async () => {
		expect(await search("q=dannone")).toMatchObject({ corrected: "danone" });
	});
});

/** Adds companies of these names, and words of the vocabulary with the number of their companies. */
async function addCompanies(names: string[], words: Record<string, number>) {
	const companies = names.map((name, index) => ({
		...{ id: 30_001 + index, siren: `00000000${index}`, name, acronym: null, trade_names: null, alias_key: null },
		...{ name_key: hashName(name), lexemes: createLexemes([name], "name") },
	}));
	await insertCompanies(db, companies);
	for (const [word, companies] of Object.entries(words)) await sql`insert into company_words values (${word}, ${companies})`.execute(db);
	onTestFinished(async () => {
		await sql`delete from companies where id > 30000`.execute(db);
		await sql`delete from company_words where word = any(${Object.keys(words)}::text[])`.execute(db);
	});
}

describe("of several possible corrections", () => {
	test("the word of more companies is the likelier, then the first by the alphabet", async () => {
		await addCompanies(["ZORGLUBA", "ZORGLUBO", "ZORGLUBY"], { zorgluba: 1, zorglubo: 1, zorgluby: 7 });
		expect((await search("q=zorglubi")).corrected).toBe("zorgluby");
		await sql`update company_words set companies = 1 where word = 'zorgluby'`.execute(db);
		expect((await search("q=zorglubi")).corrected).toBe("zorgluba");
	});

	test("a very frequent word is the last to be taken for a slip", async () => {
		await addCompanies(["ZORGLUBO WAGADUGU", "ZORGLUB WAGADUGO"], { zorglub: 5000, zorglubo: 7, wagadugu: 7, wagadugo: 7 });
		expect((await search("q=zorglub+wagadugu")).corrected).toBe("zorglub wagadugo");
		await sql`delete from companies where name = 'ZORGLUB WAGADUGO'`.execute(db);
		expect((await search("q=zorglub+wagadugu")).corrected).toBe("zorglubo wagadugu");
	});

	test("a split into two words of the vocabulary comes before one with a short part, the more frequent words before rarer ones", async () => {
		const words = { zorg: 9, zorgl: 5, lubwagaplik: 9, ubwagaplik: 5, orglubwagaplik: 50 };
		await addCompanies(["ZORG LUBWAGAPLIK SUD", "ZORGL UBWAGAPLIK SUD", "ZO RGLUBWAGAPLIK SUD"], { ...words, rglubwagaplik: 90 });
		expect((await search("q=zorglubwagaplik")).corrected).toBe("zorg lubwagaplik");
		await sql`delete from companies where name like 'ZORG %'`.execute(db);
		expect((await search("q=zorglubwagaplik")).corrected).toBe("zorgl ubwagaplik");
		await sql`delete from companies where name like 'ZORGL %'`.execute(db);
		expect((await search("q=zorglubwagaplik")).corrected).toBe("zo rglubwagaplik");
		await sql`delete from companies where name like 'ZO %'`.execute(db);
		expect(await search("q=zorglubwagaplik")).toMatchObject({ total: 0, corrected: null });
	});

	test("a very frequent word stands for itself beside a corrected one, as in the search", async () => {
		await addCompanies(["ZORGLUBO WAGADUGU"], { zorglub: 5000, zorglubo: 7, wagadugu: 7 });
		expect((await search("q=zorglub+wagadugo")).corrected).toBeNull();
	});

	test("the four likeliest splits are tried, and of those the one of fewer words is found first", async () => {
		const halves = ["zorg", "lubwagap", "zorgl", "ubwagap", "zorglu", "bwagap", "zorglub", "wagap", "zorglubw", "agap"];
		await addCompanies(
			["ZORGLUB WAGAP SUD EST", "ZORGLUBW AGAP SUD EST"],
			Object.fromEntries(halves.map((half, index) => [half, 90 - index])),
		);
		expect((await search("q=zorglubwagap+sud")).corrected).toBe("zorglub wagap sud");
		await sql`delete from companies where name like 'ZORGLUB %'`.execute(db);
		expect((await search("q=zorglubwagap+sud")).corrected).toBeNull();
	});

	test("a split into two words comes before one around a minor word, though its words are rarer", async () => {
		await addCompanies(["ZORG DES WAGA SUD EST", "ZORG DESWAGA SUD EST"], { zorg: 9, waga: 9, deswaga: 1 });
		expect((await search("q=zorgdeswaga+sud")).corrected).toBe("zorg deswaga sud");
	});

	test.each([
		["the plural", "wagadugu", "wagadugus"],
		["the singular", "wagadugus", "wagadugu"],
	])("%s comes before another name", async (_, typed, meant) => {
		await addCompanies([`ZORGLUB ${meant}`, `ZORGLUC ${typed}`], { zorglub: 1, zorgluc: 9, wagadugu: 5000, wagadugus: 5000 });
		expect((await search(`q=zorglub+${typed}`)).corrected).toBe(`zorglub ${meant}`);
		await sql`delete from companies where name like 'ZORGLUB %'`.execute(db);
		expect((await search(`q=zorglub+${typed}`)).corrected).toBe(`zorgluc ${typed}`);
	});

	test("two words become one of up to 24 letters", async () => {
		for (const end of ["", "x"]) {
			const word = `zorglubwagaplikdugumurax${end}`;
			await addCompanies([`${word} SUD EST`], { [word]: 1 });
			expect((await search(`q=zorglub+wagaplikdugumurax${end}+sud`)).corrected).toBe(end ? null : `${word} sud`);
			await sql`delete from companies where id > 30000`.execute(db);
		}
	});

	test("a word is also split around a minor word", async () => {
		await addCompanies(["ZORG DES WAGA SUD EST"], { zorg: 7, waga: 7 });
		expect((await search("q=zorgdeswaga+sud")).corrected).toBe("zorg des waga sud");
	});

	test("a word of the vocabulary is no beginning of the company’s word", async () => {
		await addCompanies(["ZORGLUBAX WAGADUGU", "ZORGLUBA"], { zorgluba: 1, wagadugu: 1, zorglubax: 1 });
		expect(await search("q=zorglubi+wagadugu")).toMatchObject({ corrected: null, dropped: "wagadugu" });
	});

	test("no word with digits is split, and none of more than 24 letters", async () => {
		const words = { zorg2: 7, zorgo: 7, wagap: 7, wagaplikdugumuraxima: 7 };
		await addCompanies(["ZORG2 WAGAP SUD EST", "ZORGO WAGAP SUD EST", "ZORGO WAGAPLIKDUGUMURAXIMA SUD EST"], words);
		expect((await search("q=zorgowagap+sud")).corrected).toBe("zorgo wagap sud");
		expect((await search("q=zorg2wagap+sud")).corrected).toBeNull();
		expect((await search("q=zorgowagaplikdugumuraxima+sud")).corrected).toBeNull();
	});

	test("nothing is split into a minor word at the end, nor a word of which a part is unknown", async () => {
		await addCompanies(["ZORGLUB DES LIONS SUD", "WAGA PLIK"], { zorglub: 7, waga: 7 });
		expect((await search("q=zorglubdes+lions")).corrected).toBeNull();
		expect((await search("q=wagaplik+nord")).corrected).toBeNull();
	});
});

describe("of words that no company has together", () => {
	test.each([
		["the fewest are dropped, up to four", "zorglub plik waga dugu", "plik waga dugu"],
		["the rarest is kept first, of more", "zorglub plik waga dugu mura", "zorglub"],
	])("%s: « %s » is searched as « %s »", async (_, q, dropped) => {
		await addCompanies(["ZORGLUB", "PLIK WAGA DUGU MURA"], { zorglub: 1, plik: 7, waga: 8, dugu: 9, mura: 10 });
		expect(await search(`q=${q.replaceAll(" ", "+")}`)).toMatchObject({ corrected: null, dropped });
	});
});

test("the name as the register spells it is searched with filters as without them", async () => {
	expect(await search("q=piveteaubois&departement=85")).toMatchObject({ corrected: "piveteau bois", total: 1 });
	expect(await search("q=laposte&departement=75")).toMatchObject({ corrected: (await search("q=laposte")).corrected });
});

test.each([
	["danonne paris 9e", "danone paris 9e", "DANONE"],
	["danone pariss 9", "danone paris 9", "DANONE"],
	["danonne paris 9ème", "danone paris 9eme", "DANONE"],
	["carole s studoi", "carole s studio", "CAROLE'S STUDIO"],
	["l'oiseua bleu", "oiseau bleu", "L'OISEAU BLEU"],
])("corrects the typing error in « %s »", async (q, corrected, name) => {
	const result = await search(`q=${encodeURIComponent(q)}`);
	expect(result).toMatchObject({ corrected });
	expect(result.results.map((company) => company.name)).toContain(name);
});

test.each([
	"paris 8",
	"8e arrondissement de paris",
	"marseille 13e",
	"marseille 13",
	"hotel d or",
	"carole s",
	"l'oiseau",
	"danonne paris 9e",
	"laposte",
	"piveteaubois",
	"immo projet",
])("for « %s », the counts of filter values equal the totals of the results", async (query) => {
	const search = parseCompanySearch(new URLSearchParams({ q: query }));
	const { total, corrected } = await searchCompanies(db, search);
	const counts = await countFilters(db, search, corrected);
	expect(Object.values(counts?.departement ?? {}).reduce<number>((sum, count = 0) => sum + count, 0)).toBe(total);
	for (const [departement, count] of Object.entries(counts?.departement ?? {}))
		expect((await searchCompanies(db, { ...search, departement })).total).toBe(count);
});

test.each([
	["multiburo lyon 9", "MULTIBURO"],
	["danone 9e paris", "DANONE"],
	["carole s", "CAROLE'S STUDIO"],
	["oclo", "O'CLOCK PHENIX"],
	["o cloc", "O'CLOCK PHENIX"],
	["laposte", "LA POSTE"],
	["immo projet", "IMMOPROJET"],
])("suggests companies for « %s »", async (text, name) => {
	expect((await suggestCompanies(db, text)).map((company) => company.name)).toContain(name);
});
