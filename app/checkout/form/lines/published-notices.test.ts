import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inOneBrowser } from "../../../../test/browser.ts";
import { insertCompanies } from "../../../../test/fixtures/companies.ts";
import { publishNotice, recordReading } from "../../../../test/publish-notice.ts";
import { createTestShop, type TestShop } from "../../../../test/shop.ts";

/** What the bulletin published is told beside the line that it concerns, before several orders are paid (docs/rules.md, R4). */
let shop: TestShop;
beforeAll(async () => {
	shop = inOneBrowser(await createTestShop({ now: () => new Date("2026-11-24T09:00:00Z") }));
	const { db } = shop.shop;
	await recordReading(db, new Date("2026-11-24T05:00:00Z"), null);
	await insertCompanies(
		db,
		[insolvent, changed, silent, masked].map((siren) => ({
			...{ id: Number(siren), siren, status: "active", name: `UNIT ${siren}`, masked: siren === masked },
		})),
	);
	const [judgment, court] = ["Jugement de clôture", "Greffe de Paris"];
	const collective = { family: "collective", kind: judgment, eventOn: "2020-01-15", court } as const;
	await publishNotice(db, { siren: insolvent, id: "B202600011", publishedOn: "2020-02-02", ...collective });
	await publishNotice(db, { siren: insolvent, id: "B202600012", publishedOn: "2026-11-20", kind: "capital" });
	await publishNotice(db, { siren: changed, id: "B202600013", publishedOn: "2026-11-10", family: "radiation" });
	await publishNotice(db, { siren: changed, id: "B202600014", publishedOn: "2026-11-09", family: "radiation" });
	for (const siren of [masked, association]) await publishNotice(db, { siren, id: `B${siren}`, publishedOn: "2026-11-10" });
});
afterAll(() => shop?.close());

/** Without an extract. */
const association = "775688732";
const [insolvent, changed, silent, masked] = ["900000301", "900000302", "900000303", "900000304"];
const told = [
	"Annonces publiées. Annonce de procédure collective publiée le 2 février 2020 : Jugement de clôture, du 15 janvier 2020 (Greffe de Paris). Modification publiée le 20 novembre 2026 : capital.",
	"Annonces publiées. Radiation publiée le 10 novembre 2026. Une radiation peut suivre un transfert à un autre greffe : un extrait récent le précise.",
];
const source = "Source : BODACC (DILA, Licence Ouverte 2.0), dernier relevé le 24 novembre 2026.";

const path = "/commande/plusieurs";
const customer = {
	...{ service: "express", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", acceptTerms: "on" },
	...{ billTo: "other", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" },
};

/** Sends a list. @returns the URL of its form. */
async function sendList(sirens: readonly (string | undefined)[]): Promise<string> {
	const answer = await shop.postForm(path, { entreprises: sirens.join("\n") });
	return answer.headers.get("location") ?? "";
}

const toFields = (sirens: readonly (string | undefined)[]) => ({
	...customer,
	lignes: String(sirens.length),
	...Object.fromEntries(sirens.map((siren, index) => [`entreprise-${index + 1}`, siren ?? ""])),
});

/** What each line of a page tells, and how often the page names the source. */
async function readTold(answer: Response) {
	const page = (await answer.text()).replaceAll("\u00a0", " ").replaceAll("<!-- -->", "");
	const html = /<main.*?<\/main>/s.exec(page)?.[0] ?? "";
	const rows = [...html.matchAll(/<tbody id="ligne-(\d+)".*?<\/tbody>|<li [^>]*class="[^"]*py-[24][^"]*".*?<\/li>/gs)]
		.sort(([, one], [, other]) => Number(one ?? 0) - Number(other ?? 0))
		.map(([row]) => row);
	return {
		told: rows.map((row) => [...row.matchAll(/<p[^>]*>(Annonces publiées\. .*?)<\/p>/g)].map(([, text]) => text)),
		sources: html.split(source).length - 1,
	};
}

const expected = { told: [[], [told[0]], [], [told[1]], []], sources: 1 };

describe("a list of several companies", () => {
	const sirens = [silent, insolvent, masked, changed, association];

	test("tells each line's notices, and the source once", async () => {
		expect(await readTold(await shop.ask(await sendList(sirens)))).toEqual(expected);
	});

	test("tells them again with the errors of the form", async () => {
		const answer = await shop.postForm(await sendList(sirens), { ...toFields(sirens), email: "" });
		expect(answer.status).toBe(400);
		expect(await readTold(answer)).toEqual(expected);
	});

	test("tells them before the payment", async () => {
		const url = await sendList(sirens);
		const vues = /name="vues" value="([^"]*)"/.exec(await (await shop.ask(url)).text())?.[1] ?? "";
		const answer = await shop.postForm(url, { ...toFields(sirens), vues });
		expect(answer.status).toBe(303);
		const payment = await readTold(await shop.ask(answer.headers.get("location") ?? ""));
		expect(payment).toEqual({ told: expected.told.slice(0, -1), sources: 1 });
	});

	test("names no source without any notice", async () => {
		const page = await readTold(await shop.ask(await sendList([silent, masked, association, "900000009"])));
		expect(page).toEqual({ told: [[], [], [], []], sources: 0 });
	});
});

test("the form of a company tells its notices, again with its errors, and that of no company in particular none", async () => {
	const fields = { ...customer, siren: insolvent, email: "" };
	const tells = async (answer: Response) => (await answer.text()).includes("Annonce de procédure collective");
	expect(await tells(await shop.ask(`/commande/${insolvent}?service=express`))).toBe(true);
	expect(await tells(await shop.postForm(`/commande/${insolvent}?service=express`, fields))).toBe(true);
	expect(await tells(await shop.postForm("/commande", fields))).toBe(false);
});
