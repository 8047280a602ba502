import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertCompanies } from "../../../test/fixtures/companies.ts";
import { publishNotice, recordReading } from "../../../test/publish-notice.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { addNoticesBeforePayment, findNoticesBeforePayment } from "./notices-before-payment.server.ts";

let shop: TestShop;
let last = 900_000_200;

beforeAll(async () => {
	// in Paris it is already the 25th
	shop = await createTestShop({ now: () => new Date("2026-11-24T23:30:00Z") });
	await recordReading(shop.shop.db, new Date("2026-11-24T05:00:00Z"), null);
});
afterAll(() => shop?.close());

type Published = Omit<Parameters<typeof publishNotice>[1], "siren" | "id">;

/** Inserts a company with some notices. @returns its SIREN. */
async function insertCompany(notices: readonly Published[], columns: Record<string, string | boolean> = {}): Promise<string> {
	const siren = String(++last);
	await insertCompanies(shop.shop.db, [{ id: last, siren, status: "active", name: `UNIT ${last}`, ...columns }]);
	for (const [index, notice] of notices.entries())
		await publishNotice(shop.shop.db, { siren, id: `B20260${last % 1000}${index + 1}`, ...notice });
	return siren;
}

/** The steps before a payment that tell what was published. */
const steps = [
	["the form of a company", (siren: string) => shop.ask(`/commande/${siren}?service=express`)],
	["the payment page", (siren: string) => shop.ask(`/paiement?${query(siren)}`)],
] as const;

const query = (siren: string) =>
	new URLSearchParams({ siren, service: "express", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" });

/** The texts of the boxes « Annonces publiées » of a page, each once. The form has two: narrow screens hide the one, wide screens the other. */
async function listBoxes(answer: Response): Promise<string[]> {
	expect(answer.status).toBe(200);
	const main = /<main.*?<\/main>/s.exec(await answer.text())?.[0] ?? "";
	const boxes = [...main.matchAll(/Annonces publiées<\/p><p>(.*?)<\/p>/gs)].map(([, text = ""]) => text.replace(/<!-- -->/g, ""));
	return [...new Set(boxes)].map((text) => text.replace(/\u00a0/g, " "));
}

const source = "Source : BODACC (DILA, Licence Ouverte 2.0), dernier relevé le 24 novembre 2026.";
const mayBeMove = "Une radiation peut suivre un transfert à un autre greffe : un extrait récent le précise.";

const cases: readonly [string, readonly Published[], string | null][] = [
	["nothing was published", [], null],
	["a change of 29 days ago", [{ publishedOn: "2026-10-27", kind: "capital" }], "Modification publiée le 27 octobre 2026 : capital."],
	["a change of 30 days ago", [{ publishedOn: "2026-10-26" }], "Modification publiée le 26 octobre 2026."],
	["a change of 31 days ago", [{ publishedOn: "2026-10-25" }], null],
	[
		"the newest of several changes",
		[{ publishedOn: "2026-11-20" }, { publishedOn: "2026-11-22" }],
		"Modification publiée le 22 novembre 2026.",
	],
	[
		"the last of several changes of a day, with one full stop",
		[
			{ publishedOn: "2026-11-22", kind: "capital" },
			{ publishedOn: "2026-11-22", kind: "siège." },
		],
		"Modification publiée le 22 novembre 2026 : siège.",
	],
	["a removal of long ago", [{ publishedOn: "2009-03-03", family: "radiation" }], `Radiation publiée le 3 mars 2009. ${mayBeMove}`],
	["a move of long ago", [{ publishedOn: "2009-03-03", family: "transfert" }], null],
	[
		"insolvency younger than ten years, with its court",
		[{ publishedOn: "2016-11-26", family: "collective", kind: "Jugement de clôture", eventOn: "2016-11-10", court: "Greffe de Paris" }],
		"Annonce de procédure collective publiée le 26 novembre 2016 : Jugement de clôture, du 10 novembre 2016 (Greffe de Paris).",
	],
	["insolvency of ten years ago", [{ publishedOn: "2016-11-25", family: "collective" }], null],
	["insolvency of eleven years ago", [{ publishedOn: "2015-11-25", family: "collective" }], null],
	[
		"each reason once, insolvency first",
		[
			{ publishedOn: "2026-11-20" },
			{ publishedOn: "2026-11-10", family: "radiation" },
			{ publishedOn: "2026-11-05", family: "radiation" },
			{ publishedOn: "2020-02-02", family: "collective" },
			{ publishedOn: "2019-02-02", family: "collective" },
		],
		`Annonce de procédure collective publiée le 2 février 2020. Radiation publiée le 10 novembre 2026. ${mayBeMove} Modification publiée le 20 novembre 2026.`,
	],
	[
		"a notice that cancels a removal is none",
		[{ publishedOn: "2026-11-20", family: "radiation", target: "B20260000998", cancels: true }],
		"Radiation publiée le 20 novembre 2026 (Annule une annonce antérieure).",
	],
	[
		"a notice that cancelled a removal long ago",
		[{ publishedOn: "2020-11-20", family: "radiation", target: "B20260000997", cancels: true }],
		null,
	],
];

describe.each(steps)("%s tells", (_step, ask) => {
	test.each(cases)("%s", async (_case, notices, text) => {
		const siren = await insertCompany(notices);
		expect(await listBoxes(await ask(siren))).toEqual(text === null ? [] : [`${text} ${source}`]);
	});

	test("the day of a removal that the company's own state says, without speaking of a move", async () => {
		const siren = await insertCompany([{ publishedOn: "2026-11-20", family: "radiation" }], { status: "removed" });
		const page = await ask(siren);
		expect(await page.clone().text()).toContain("Entreprise radiée");
		expect(await listBoxes(page)).toEqual([`Radiation publiée le 20 novembre 2026. ${source}`]);
	});

	test("nothing of a masked company", async () => {
		const siren = await insertCompany([{ publishedOn: "2026-11-20" }], { masked: true });
		expect(await listBoxes(await ask(siren))).toEqual([]);
	});

	test("a hostile text as a text", async () => {
		const siren = await insertCompany([{ publishedOn: "2026-11-20", kind: "<script>alert(1)</script>" }]);
		expect(await listBoxes(await ask(siren))).toEqual([
			`Modification publiée le 20 novembre 2026 : &lt;script&gt;alert(1)&lt;/script&gt;. ${source}`,
		]);
	});
});

describe("of several companies, in one query,", () => {
	const now = new Date("2026-11-24T23:30:00Z");
	const find = (...sirens: string[]) => findNoticesBeforePayment(shop.shop.db, sirens, now);
	const company = { status: "active" as const, notices: [{ code: "ceased" as const, title: "Autre", text: "Autre." }] };

	test("each has its notices, and the source is named once", async () => {
		const first = await insertCompany([{ publishedOn: "2026-11-20" }, { publishedOn: "2020-02-02", family: "collective" }]);
		const second = await insertCompany([{ publishedOn: "2026-11-21" }]);
		const silent = await insertCompany([]);
		const found = await find(first, second, silent, first);
		expect(found.source?.replaceAll("\u00a0", " ")).toBe(source);
		expect([...found.bySiren.keys()].sort()).toEqual([first, second]);
		const texts = [first, second, silent].map((siren) =>
			addNoticesBeforePayment(company, found.bySiren.get(siren)).notices.map(({ text }) => text.replaceAll("\u00a0", " ")),
		);
		expect(texts).toEqual([
			["Autre.", "Annonce de procédure collective publiée le 2 février 2020. Modification publiée le 20 novembre 2026."],
			["Autre.", "Modification publiée le 21 novembre 2026."],
			["Autre."],
		]);
	});

	test("one company, or none, may be asked for", async () => {
		const siren = await insertCompany([{ publishedOn: "2026-11-20" }]);
		expect((await find(siren)).bySiren.get(siren)?.notices).toHaveLength(1);
		const silent = await insertCompany([]);
		expect(await find(silent)).toEqual({ bySiren: new Map(), source: null });
		expect(await find()).toEqual({ bySiren: new Map(), source: null });
	});
});

test("a form with errors tells it again, since it shows the summary again", async () => {
	const siren = await insertCompany([{ publishedOn: "2026-11-20" }]);
	const answer = await shop.postForm(`/commande/${siren}?service=express`, { service: "express" });
	expect(answer.status).toBe(400);
	expect(await answer.text()).toContain("Annonces publiées");
});

test("the page of the company, the search and the API do not: the page lists all notices, the API has them apart", async () => {
	const siren = await insertCompany([{ publishedOn: "2026-11-20" }]);
	const page = await (await shop.ask(`/entreprise/${siren}`)).text();
	expect(page.match(/20 novembre 2026<\/time>.{1,300}?Modification publiée/g)).toHaveLength(1);
	expect(await (await shop.ask(`/api/entreprises/${siren}`)).json()).toMatchObject({ notices: [] });
	expect(await (await shop.ask(`/api/entreprises?q=${siren}`)).json()).toMatchObject({ results: [{ notices: [] }] });
});

test("where the customer chooses the company in the form, only the payment page tells it", async () => {
	const siren = await insertCompany([{ publishedOn: "2026-11-20" }]);
	expect(await listBoxes(await shop.ask(`/commande?siren=${siren}&service=express`))).toEqual([]);
	const found = await shop.postForm("/commande", { intent: "find-company", companyQuery: siren });
	expect(await listBoxes(found)).toEqual([]);
});
