import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inOneBrowser } from "../../../test/browser.ts";
import { insertCompanies } from "../../../test/fixtures/companies.ts";
import { knownCompanies } from "../../../test/known-companies.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { type ServiceCode, services } from "../../catalogue/services.ts";
import { pauseExpress, resumeExpress } from "../../catalogue/settings/change-settings.server.ts";
import { createLexemes, hashName } from "../../companies/search/lexemes.ts";
import { parseSiren } from "../../companies/siren.ts";
import { erasePerson } from "../../desk/retention/erase-person.server.ts";
import { exportPerson } from "../../desk/retention/export-person.server.ts";
import { describeForm } from "./describe-form.server.ts";
import { checkForm, checkLines, toSentLines } from "./lines/check-lines.server.ts";
import { findStoredForm } from "./order-forms.server.ts";
import { readOrderValues } from "./read-order-values.ts";

/** `/commande/plusieurs` from the list to the payment, by HTTP as a browser without JavaScript asks. */
let shop: TestShop;
let now = new Date("2026-11-23T09:00:00Z");
/** Companies with an extract. */
let second: string;
let sirens: string[];
beforeAll(async () => {
	shop = inOneBrowser(await createTestShop({ now: () => now, variables: { ISSUER: "manual" } }));
	const others = (await knownCompanies(shop.connection)).filter(({ siren }) => siren !== danone);
	sirens = others.slice(1).map(({ siren }) => siren);
	second = others[0]?.siren ?? "";
});
afterAll(() => shop?.close());

const danone = "552032534";
const ada = { id: null, name: "Ada" };
/** Without an extract. */
const association = "775688732";
const ceased = "005420039";

const path = "/commande/plusieurs";
const contact = { email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" };
const invoice = { billTo: "other", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" };
const letter = { deliveryAddress: "1 quai de la Corse", deliveryPostalCode: "75004", deliveryCity: "Paris" };
const customer = { service: "express", ...contact, ...invoice, acceptTerms: "on" };

function postList(text: string, file?: BlobPart, headers = {}): Promise<Response> {
	const body = new FormData();
	body.set("entreprises", text);
	if (file !== undefined) body.set("fichier", new File([file], "liste.csv"));
	return shop.ask(path, { method: "POST", body, headers });
}

/** Sends a list. @returns the URL of its form. */
async function sendList(text: string, file?: BlobPart): Promise<string> {
	const answer = await postList(text, file);
	expect([answer.status, await answer.text()]).toEqual([303, ""]);
	return answer.headers.get("location") ?? "";
}

const toText = (html: string) =>
	html
		.replace(/<!-- -->/g, "")
		.replaceAll("&#x27;", "'")
		.replaceAll("&quot;", '"')
		.replaceAll("&amp;", "&");
const getText = async (url: string) => toText(await (await shop.ask(url)).text());

/** The lines of a form's page, as it shows them. */
const getShown = (html: string) =>
	[...html.matchAll(/<tbody id="ligne-(\d+)".*?<\/tbody>/gs)].map(([row, place]) => ({ place: Number(place), row }));

/** The lines of a form's page, as they were sent. */
const getRows = (html: string) =>
	getShown(html)
		.sort((one, other) => one.place - other.place)
		.map(({ row }) => row);

/** The fields of a list as its page has them. */
function listFields(html: string): Record<string, string> {
	const fields: Record<string, string> = { lignes: "1" };
	for (const [input] of html.matchAll(/<input[^>]*name="(?:(?:entreprise|reference)-\d+|vues)"[^>]*>/g))
		fields[/name="([^"]*)"/.exec(input)?.[1] ?? ""] = /value="([^"]*)"/.exec(input)?.[1] ?? "";
	return fields;
}

/** Sends the form of a list to the payment. @returns the URL of the payment page. */
async function sendForm(url: string, fields: Record<string, string> = {}): Promise<string> {
	const answer = await shop.postForm(url, { ...listFields(await getText(url)), ...customer, ...fields });
	expect([answer.status, await answer.text()]).toEqual([303, ""]);
	return answer.headers.get("location") ?? "";
}

const getHidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";

/** Presses the pay button of a page. */
async function pay(url: string, changes: Record<string, string> = {}): Promise<Response> {
	const html = await getText(url);
	return shop.postForm(url, { key: getHidden(html, "key"), amount: getHidden(html, "amount"), ...changes });
}

const listOrders = async (answer: Response) => {
	const session = answer.headers.get("location")?.split("/").at(-1) ?? "";
	return shop.shop.db
		.selectFrom("orders")
		.selectAll()
		.where("purchase_id", "=", (orders) => orders.selectFrom("payment_sessions").select("order_id").where("id", "=", session))
		.orderBy("purchase_line")
		.execute();
};

describe("the list", () => {
	test("is a public page with a field and a file", async () => {
		const page = await shop.ask(path);
		expect([page.status, page.headers.get("x-robots-tag"), page.headers.get("cache-control")]).toEqual([
			200,
			null,
			expect.stringContaining("public"),
		]);
		const html = await page.text();
		expect(html).toMatch(/<textarea[^>]*name="entreprises"/);
		expect(html).toMatch(/<input[^>]*name="fichier"/);
		expect(html.match(/<script type/g)).toHaveLength(1);
		expect(html).not.toContain("noindex");
	});

	test("leads to its form, whose URL has a token alone and is private", async () => {
		const url = await sendList(`${danone} ; dossier 2026-114`);
		expect(url).toMatch(/^\/commande\/plusieurs\?commande=[\w-]{64}$/);
		const page = await shop.ask(url);
		expect(["cache-control", "x-robots-tag", "referrer-policy"].map((name) => page.headers.get(name))).toEqual([
			"no-store",
			"noindex",
			"strict-origin",
		]);
		expect(await page.text()).toMatch(/<meta name="robots" content="noindex/);
	});

	test("joins what was typed and the file", async () => {
		const url = await sendList(`Société\n${danone}`, `\ufeffSIREN;Référence\r\n${second};dossier 7\r\n`);
		const rows = getRows(await getText(url));
		expect(rows.map((row) => [danone, second].map((siren) => row.includes(siren)))).toEqual([
			[true, false],
			[false, true],
		]);
		expect(rows[1]).toContain('value="dossier 7"');
	});

	test("shows the rows that name no company, and asks for one of several numbers", async () => {
		const url = await sendList(`Clients\t\nSIREN\tDossier\n${danone}\tA1\n${danone} ou ${second}\tA2\n`);
		const page = await getText(url);
		expect(page).toContain("Nous avons écarté 2 lignes de votre liste.");
		expect(page).toContain("Elles ne nomment aucune entreprise\u00a0: «\u00a0Clients\u00a0», «\u00a0SIREN ; Dossier\u00a0».");
		// another browser is not shown what was typed
		expect(await (await fetch(new URL(url, shop.url))).text()).not.toContain("Clients");
		expect(page).toContain("Plusieurs entreprises correspondent\u00a0: choisissez.");
		for (const number of [danone, second])
			expect(page).toMatch(new RegExp(`name="choice-2"[^>]*value="${number}"|<option value="${number}"`));
		const many = await getText(await sendList(`${"Clients ; \n".repeat(6)}SIREN;Dossier\n${danone};A1`));
		expect(many).toContain(`aucune entreprise\u00a0: ${Array(5).fill("«\u00a0Clients\u00a0»").join(", ")}… Si l’une`);
	});

	test("says so of the lines that are added on the form too, before it goes to the payment", async () => {
		const url = await sendList(`${danone}\n${second}`);
		const shown = { ...listFields(await getText(url)), ...customer };
		const updated = await shop.postForm(url, { ...shown, entreprises: `SIREN;Dossier\n${sirens[0]};A1`, intent: "update" });
		expect(updated.status).toBe(303);
		const page = await getText(updated.headers.get("location") ?? "");
		expect([page.includes("Nous avons écarté une ligne"), getRows(page).length]).toEqual([true, 3]);
		const refused = await shop.postForm(url, { ...shown, entreprises: "SIREN;Dossier" });
		expect([refused.status, (await refused.text()).includes("Nous avons écarté une ligne")]).toEqual([200, true]);
		expect((await shop.postForm(url, shown)).headers.get("location")).toContain("/paiement?");
	});

	test.each<[string, string, BlobPart | undefined, number, string]>([
		["nothing", " \n ", undefined, 400, "Indiquez au moins une entreprise"],
		["201 lines", `${danone}\n`.repeat(201), undefined, 400, "Votre liste a 201 lignes"],
		["10,000 lines", `${danone}\n`.repeat(10_000), undefined, 400, "lignes. Vous pouvez commander 200"],
		["a workbook of another format", danone, Uint8Array.of(0x50, 0x4b, 3, 4), 400, "Ce classeur ne se lit pas ici"],
		["a picture", danone, Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0), 400, "pas un texte lisible"],
		["an empty list", danone, "SIREN;Nom\n", 400, "ne contient aucune entreprise"],
		["a large file", danone, "x".repeat(1024 * 1024 + 1), 413, "Ce fichier est trop volumineux"],
	])("%s is refused with a sentence, and what was typed stays", async (_, text, file, status, sentence) => {
		const answer = await postList(text, file);
		const html = toText(await answer.text());
		expect([answer.status, html.replaceAll("\u202f", " ")]).toEqual([status, expect.stringContaining(sentence)]);
		if (text.trim() !== "") expect(html).toContain(`>${text.trim().slice(0, 9)}`);
	});

	test("the lines of a file that is too long stand in the field, to be shortened", async () => {
		const html = await (await postList("", `${danone};dossier\n`.repeat(201))).text();
		expect(html.match(/552032534 ; dossier/g)?.length).toBeGreaterThanOrEqual(201);
	});

	test("ten megabytes are refused, and what was typed stays", async () => {
		const answer = await postList(`${danone} ; dossier`, new Uint8Array(10 * 1024 * 1024));
		const html = await answer.text();
		expect([answer.status, html]).toEqual([413, expect.stringContaining("Ce fichier est trop volumineux")]);
		expect(html).toContain(`${danone} ; dossier`);
	});

	test("a link that has expired says so", async () => {
		const page = await shop.ask(`${path}?commande=${"A".repeat(64)}`);
		expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Votre liste a expiré")]);
	});
});

describe("each line answers", () => {
	const check = async (text: string) => getRows(await getText(await sendList(text)))[0] ?? "";

	test.each<[string, string, string[]]>([
		["a SIREN", "552 032 534", ["DANONE", "75009 Paris"]],
		["a SIRET of the head office", "55203253400703", ["DANONE", "75009 Paris"]],
		["a SIRET that is closed", "55203253400018", ["DANONE", "L’établissement de ce SIRET est fermé"]],
		["a ceased company", ceased, ["Entreprise cessée"]],
		["a company without an extract", association, ["Ligne 1, non commandée", "pas d’extrait Kbis"]],
		["an unknown SIREN", "900000009", ["non commandée", "Ce numéro n’est pas un SIREN"]],
		["a number of another length", "5520324", ["Ce numéro a 7 chiffres"]],
		["a shortened number", "5,52E+13", ["Votre tableur a abrégé ce numéro"]],
		["an unknown name", "zzzzqqq", ["Aucune entreprise trouvée sous ce nom", 'value="zzzzqqq"']],
		["a number beside the name of another company", `${danone} LORELEI`, ["Ce numéro appartient à DANONE", "552032534", 'name="choix-1"']],
		["a name like one company's", "lorelei 198", ["Une entreprise a un nom proche", "LORELEI 1984", 'name="choix-1"']],
		["a name with several numbers", "DANONE 552032534 552081317", ["Plusieurs entreprises correspondent"]],
		["a name with more words", "La société DANONE", ["Une entreprise a un nom proche", "552032534", 'name="choix-1"']],
		["a name with a typing error", "lorelej 1984", ["Une entreprise a un nom proche", "LORELEI 1984", 'name="choix-1"']],
		["a number that lost a digit, beside a name", "55203253 (DANONE)", ["Ce numéro a 8 chiffres", "552032534", 'name="choix-1"']],
		["a shortened number beside a name", "5,52E+08 (DANONE)", ["Votre tableur a abrégé", "552032534", 'name="choix-1"']],
		["a number that lost its zeros, beside a name", "5420039 (LEGRAND)", ["LEGRAND PAUL"]],
		["a VAT number that lost its key", "FR552032535", ["Ce numéro n’est pas un SIREN"]],
		["a VAT number with a wrong key", "FR00552032534", ["Ce numéro n’est pas un SIREN", "DANONE", 'name="choix-1"']],
		["a wrong number beside a name", "552032535 DANONE", ["Ce numéro n’est pas un SIREN", 'name="choix-1"']],
		["a name like those of several companies", "groupe", ["Aucune entreprise ne porte exactement ce nom", 'name="choix-1"']],
		["a trade name", "carrefour beauvais", [">CARREFOUR – BEAUVAIS DIS, 419\u00a0629\u00a0415, ", 'name="choix-1"']],
		["a reference that is too long", `${danone} ; ${"x".repeat(101)}`, ["Cette référence est trop longue"]],
	])("%s", async (_, text, parts) => {
		const row = await check(text);
		for (const part of parts) expect(row).toContain(part);
	});

	const line = (company: string, change: { reference?: string; service?: ServiceCode; siren?: string } = {}) =>
		({ company, reference: "", service: "", siren: null, ...change }) as Parameters<typeof checkLines>[1][number];

	test("whole: its place, company, service, problem and remarks", async () => {
		const [open, masked, gone, many, twin, otherTwin] = ["900000118", "900000126", "900000134", "900000142", "900000159", "900000167"];
		const twins = "JUMELLE QZYX";
		const other = { nic: "00019" };
		await insertCompanies(shop.shop.db, [
			{ ...other, id: 900000118, siren: open, name: "OUVERTE ZZYZX" },
			{ ...other, id: 900000126, siren: masked, name: null, masked: true },
			{ ...other, id: 900000134, siren: gone, name: "CESSÉE", status: "ceased" },
			{ ...other, id: 900000142, siren: many, name: "NOMBREUSE" },
			...[twin, otherTwin].map((siren) => ({
				...other,
				id: Number(siren),
				siren,
				name: twins,
				lexemes: createLexemes([twins], "name"),
				name_key: hashName(twins),
			})),
		]);
		await shop.shop.db.insertInto("company_branches").values({ siren: many, branches: 60, list: "[]" }).execute();
		const lines = [
			line(danone),
			line(`${open}00019`, { service: "postal" }),
			...[`${open}00027`, `${masked}00020`, `${gone}00024`, `${many}00027`].map((siret) => line(siret, { reference: "dossier" })),
			line("zzzzqqq"),
			line("groupe"),
			line(""),
			line("900000001"),
			line("900000009"),
			line(association, { reference: "x".repeat(101) }),
			line(association),
			line(danone),
			line(danone, { reference: "x".repeat(100) }),
			line(danone, { service: "standard" }),
			line(twins),
			line(`${danone} ; 900000001`),
		];
		const checked = await checkLines(shop.shop, lines, "express");
		const sent = toSentLines(checked);
		const checkedAgain = (await checkForm(shop.shop, { values: readOrderValues(new URLSearchParams("service=express")), lines: sent }))
			.lines;
		// a copy of DANONE would be found by its name
		const inserted = [open, masked, gone, many, twin, otherTwin];
		for (const table of ["company_branches", "companies"] as const)
			await shop.shop.db.deleteFrom(table).where("siren", "in", inserted).execute();
		const [, byName] = await checkLines(shop.shop, [line(danone), line("danone", { reference: "a" })], "express");
		expect(byName).toMatchObject({
			...{ siren: danone, problem: null, choices: [] },
			remarks: [{ code: "by-name" }, { code: "again", of: 1 }],
		});
		expect(
			checked.map(({ line: _, company, choices, remarks, ...rest }) => ({
				...rest,
				name: company?.name ?? null,
				...(remarks[0] && { remarks }),
			})),
		).toEqual([
			{ place: 1, service: "express", siren: danone, name: "DANONE", problem: null },
			{ place: 2, service: "postal", siren: open, name: "OUVERTE ZZYZX", problem: null },
			{
				...{ place: 3, service: "express", siren: open, name: "OUVERTE ZZYZX", problem: null },
				remarks: [{ code: "closed-establishment", siret: `${open}00027` }],
			},
			{ place: 4, service: "express", siren: masked, name: "Entreprise", problem: null },
			{ place: 5, service: "express", siren: gone, name: "CESSÉE", problem: null },
			{ place: 6, service: "express", siren: many, name: "NOMBREUSE", problem: null },
			{ place: 7, service: "express", siren: null, name: null, problem: { code: "unknown-name" } },
			{ place: 8, service: "express", siren: null, name: null, problem: { code: "all-similar" } },
			{ place: 9, service: "express", siren: null, name: null, problem: { code: "empty" } },
			{ place: 10, service: "express", siren: null, name: null, problem: { code: "unknown-siren" } },
			{ place: 11, service: "express", siren: null, name: null, problem: { code: "wrong-key" } },
			{ place: 12, service: "express", siren: association, name: expect.any(String), problem: { code: "long-reference" } },
			{ place: 13, service: "express", siren: association, name: expect.any(String), problem: { code: "no-extract" } },
			{ place: 14, service: "express", siren: danone, name: "DANONE", problem: { code: "duplicate", of: 1 } },
			{ place: 15, service: "express", siren: danone, name: "DANONE", problem: null, remarks: [{ code: "again", of: 1 }] },
			{ place: 16, service: "standard", siren: danone, name: "DANONE", problem: null },
			{ place: 17, service: "express", siren: null, name: null, problem: { code: "ambiguous" } },
			{ place: 18, service: "express", siren: null, name: null, problem: { code: "ambiguous" } },
		]);
		const choices: Record<string, number> = { groupe: 5, [twins]: 2, [`${danone} ; 900000001`]: 1 };
		expect(checked.map((each) => each.choices.length)).toEqual(lines.map(({ company }) => choices[company] ?? 0));
		expect(checked.map((each) => each.line)).toEqual(lines);

		// to the payment go the companies that were shown, at their places
		const places = [1, 2, 3, 4, 5, 6, 15, 16];
		expect(sent.flatMap(({ siren }, index) => (siren ? [[index + 1, siren]] : []))).toEqual(
			places.map((place) => [place, checked[place - 1]?.siren]),
		);
		expect(checkedAgain.map(({ place, siren, problem }) => [place, siren, problem])).toEqual(
			places.map((place) => [place, checked[place - 1]?.siren, null]),
		);
	});

	test("a number of nine or fourteen digits has a wrong key, another a wrong length", async () => {
		const lines = ["FR552032535", "00000000012345", "55203253", "5520325340064"].map((company) => line(company));
		expect((await checkLines(shop.shop, lines, "express")).map(({ problem }) => problem)).toEqual([
			{ code: "wrong-key" },
			{ code: "wrong-key" },
			{ code: "wrong-length", digits: 8 },
			{ code: "wrong-length", digits: 13 },
		]);
	});

	test("every name that begins one is offered its companies, however many there are", async () => {
		const { rows } = await sql<{ name: string }>`
			select distinct on (left(name, 6)) name from companies where name ~ '^[A-Z]{9,20}$' order by left(name, 6), name limit 50
		`.execute(shop.shop.db);
		const lines = rows.map(({ name }) => line(name.slice(0, -2)));
		expect(lines).toHaveLength(50);
		const found = await checkLines(shop.shop, lines, "express");
		expect(found.filter(({ company, choices }) => company === null && choices.length === 0)).toEqual([]);
	});

	test("with the service of the form, or its own; without both it waits for one, and the total is without it", async () => {
		const lines = [line(danone), line(second, { service: "postal" }), line("zzzzqqq")];
		const describe = (service: string) =>
			describeForm(shop.shop, { values: { ...readOrderValues(new URLSearchParams()), service }, lines }, { hasList: true });
		const sum = async (service: string) => {
			const form = await describe(service);
			const { withoutService, price, services } = form.totals;
			return [form.values.service, form.lines.map((each) => each.service), withoutService, price, services.length > 0];
		};
		expect(await sum("")).toEqual(["", [null, "postal", null], 1, 4400, true]);
		expect(await sum("gold")).toEqual(["", [null, "postal", null], 1, 4400, true]);
		expect(await sum("standard")).toEqual(["standard", ["standard", "postal", "standard"], 0, 8300, true]);
		const sent = toSentLines((await describe("")).lines);
		expect(sent.map(({ siren }) => siren)).toEqual([null, second, null]);
	});

	test("the same company twice is ordered once, or twice with another reference", async () => {
		const [, twice, again] = getRows(await getText(await sendList(`${danone}\n${danone}\n${danone} ; dossier 2`)));
		expect(twice).toContain("Déjà demandée à la ligne 1");
		expect(again).toContain("Cette entreprise est aussi à la ligne 1");
		expect(again).not.toContain("non commandée");
	});

	test("a line that cannot be ordered asks for nothing", async () => {
		const values = { ...readOrderValues(new URLSearchParams({ service: "express", ...invoice, ...letter })) };
		const lines = [line(danone), line(association, { service: "postal" })].map((each) => ({ ...each, siren: parseSiren(each.company) }));
		expect((await checkForm(shop.shop, { values, lines })).values.deliveryAddress).toBe("");
		const orderable = lines.map((each) => ({ ...each, company: danone, siren: parseSiren(danone) }));
		expect((await checkForm(shop.shop, { values, lines: orderable })).values.deliveryAddress).toBe(letter.deliveryAddress);
	});

	test("wrong lines do not stop the others, and the totals count what is ordered", async () => {
		const html = await getText(await sendList(`${danone}\n${association}\n${second}\nzzzzqqq`));
		expect(html).toContain("2 lignes sur 4 ne seront pas commandées");
		expect(html).toContain("2 extraits n’ont pas encore de service\u00a0: choisissez-en un.");
		expect(html).toMatch(/Total TTC<\/dt><dd[^>]*>à calculer</);
		const url = await sendList(`${danone}\nzzzzqqq`);
		const answer = await shop.postForm(url, { ...listFields(await getText(url)), service: "express", intent: "update" });
		expect([answer.status, answer.headers.get("location")]).toEqual([303, url]);
		const one = await getText(url);
		for (const part of ["1\u00a0× KBIS Express", "59,00", "livré lundi 23\u00a0novembre avant\u00a012\u00a0h"]) expect(one).toContain(part);
		expect(one).not.toContain("à calculer");
		expect(one).toContain("1 ligne sur 2 ne sera pas commandée.");
		expect(one).toContain("Corrigez-la ou continuez sans elle");
	});
});

describe("the form", () => {
	test("corrects, chooses, adds and removes lines, and keeps what was typed", async () => {
		const url = await sendList("zzzzqqq ; a\ngroupe ; b\nDANONE ; c");
		const html = await getText(url);
		const [chosen = ""] = /<option value="(\d{9})"/.exec(html)?.slice(1) ?? [];
		const fields = { ...listFields(html), ...customer, "entreprise-1": second, "choix-2": chosen, "service-1": "postal" };
		const updated = await shop.postForm(url, { ...fields, entreprises: `${ceased} ; d`, intent: "update" });
		expect([updated.status, updated.headers.get("location")]).toEqual([303, url]);
		const page = await getText(url);
		const rows = getRows(page);
		expect([rows.length, rows.filter((row) => row.includes("non commandée")).length]).toEqual([4, 0]);
		expect(rows[0]).toMatch(/<option value="postal" selected="">/);
		expect(page).toMatch(/<input[^>]*name="email"[^>]*value="ada@example.fr"/);
		expect(page).toMatch(/<input(?=[^>]*name="acceptTerms")(?=[^>]*checked="")[^>]*>/);

		const removed = await shop.postForm(url, { ...listFields(page), ...customer, intent: "remove:2" });
		expect(removed.status).toBe(303);
		expect(
			Object.entries(listFields(await getText(url)))
				.filter(([name]) => name.startsWith("reference"))
				.sort(),
		).toEqual([
			["reference-1", "a"],
			["reference-2", "c"],
			["reference-3", "d"],
		]);
		expect(removed.headers.get("location")).toBe(url);
	});

	test("shows first what needs the customer, and folds the good lines of a long list", async () => {
		const good = sirens.slice(0, 11);
		const short = await getText(await sendList([`${danone} ; a`, ...good.slice(0, 8), "danone ; b", "zzzzqqq", ceased].join("\n")));
		expect(getShown(short).map(({ place }) => place)).toEqual([11, 10, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		expect(short).toContain(">9 extraits à commander, 2 à vérifier, 1 à corriger<");
		const url = await sendList([sirens[11], ...good, "danone ; b", "zzzzqqq", second].join("\n"));
		const long = await getText(url);
		const [open = "", folded = "", ...others] = long.split('<details id="lignes-pretes"');
		expect([getShown(open), getShown(folded)].map((lines) => lines.map(({ place }) => place))).toEqual([
			[14, 13],
			[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15],
		]);
		expect(others).toEqual([]);
		expect(folded).toMatch(/^[^>]*><summary[^>]*>13 extraits à commander</);
		expect(folded).not.toMatch(/^[^>]*open/);
		expect(open).toContain(">13 extraits à commander, 1 à vérifier, 1 à corriger<");
		const all = await getText(await sendList([danone, second, ...good].join("\n")));
		expect(all).toMatch(/<summary[^>]*>13 extraits à commander</);

		// what stops a line is beside it, and its link leads to an open line
		const fields = { ...listFields(long), ...customer, "service-4": "postal", "entreprise-6": "groupe" };
		const again = toText(await (await shop.postForm(url, fields)).text());
		expect(getShown(again.split('<details id="lignes-pretes"')[0] ?? "").map(({ place }) => place)).toEqual([6, 14, 13]);
	});

	test.each([
		["several companies", async () => sendList(`${danone}\n${second}`), true],
		["one company twice", async () => sendList(`${danone}\n${danone} ; b`), false],
		["one extract", async () => `/commande/${danone}?service=express`, false],
	])("of %s shows the fields of an invoiced company at once: $2", async (_, getUrl, isOpen) => {
		const [, details = ""] =
			/(<details[^>]*>)<summary[^>]*>(?:(?!<details).)*Facturer à ma société/s.exec(await getText(await getUrl())) ?? [];
		expect(details).toMatch(isOpen ? / open=""/ : /^<details class="group">$/);
	});

	test("goes on at the line that is shown after a removed one", async () => {
		const read = (html: string) =>
			[...html.matchAll(/<button(?=[^>]*formaction="([^"]*)")(?=[^>]*value="remove:(\d+)")/gi)].map(([, to, place]) => [place, to]);
		const url = await sendList(`${danone}\n${second}\nzzzzqqq`);
		expect(read(await getText(url))).toEqual([
			["3", `${url}#ligne-1`],
			["1", `${url}#ligne-1`],
			["2", `${url}#ligne-1`],
		]);
		const one = await sendList(danone);
		expect(read(await getText(one))).toEqual([["1", `${one}#entreprises-titre`]]);
	});

	test.each<[string, Record<string, string>, string]>([
		["no e-mail", { email: "" }, "L'adresse email est requise"],
		["no consent", { acceptTerms: "" }, "Vous devez accepter les conditions générales"],
		["no service", { service: "" }, "Choisissez un service."],
		["nobody to invoice", { billTo: "" }, "Indiquez à qui adresser la facture"],
		["no invoice", { address: "" }, "L'adresse est requise"],
		["no address of the letter", { "service-1": "postal" }, "L'adresse est requise"],
	])("%s: says so beside the field, and nothing is lost", async (_, change, sentence) => {
		const url = await sendList(`${danone} ; dossier`);
		const fields = { ...listFields(await getText(url)), ...customer, lastName: "Byron", ...change };
		const answer = await shop.postForm(url, fields);
		const html = toText(await answer.text());
		expect([answer.status, html]).toEqual([400, expect.stringContaining(toText(sentence))]);
		expect(html).toContain('value="dossier"');
		expect(await getText(url)).toContain('value="Byron"');
	});

	test("asks for the service of the lines that have none", async () => {
		const url = await sendList(`${danone}\n${second}\nzzzzqqq`);
		const html = await getText(url);
		expect(html).not.toMatch(/<input(?=[^>]*name="(?:service|billTo)")(?=[^>]*checked="")[^>]*>/);
		const fields = { ...listFields(html), ...customer, service: "" };
		const ask = async (services: Record<string, string>) => toText(await (await shop.postForm(url, { ...fields, ...services })).text());
		expect(await ask({})).toContain("Choisissez un service.");
		expect(await ask({ "service-1": "postal" })).toContain("Choisissez un service commun, ou un service à la ligne 2.");
		const sent = await shop.postForm(url, { ...fields, "service-1": "express", "service-2": "standard" });
		expect(sent.headers.get("location")).toContain("/paiement");
		expect(await getText(sent.headers.get("location") ?? "")).toContain("98,00");
	});

	test("keeps the choice of the letter's address, also where a line alone is a letter", async () => {
		const url = await sendList(`${danone}\n${second}`);
		const fields = {
			...listFields(await getText(url)),
			...customer,
			...letter,
			"service-2": "postal",
			billTo: "delivery",
			acceptTerms: "",
		};
		const html = await (await shop.postForm(url, fields)).text();
		expect(html).toMatch(/<input(?=[^>]*name="billTo")(?=[^>]*value="delivery")(?=[^>]*checked="")[^>]*>/);
	});

	test("is invoiced to a company of the list if it is the customer's, and otherwise to whom is typed", async () => {
		const bill = async (list: string, fields: Record<string, string>) => {
			const url = await sendList(list);
			const answer = await shop.postForm(url, { ...listFields(await getText(url)), ...customer, billTo: "ordered", ...fields });
			if (answer.status !== 303) return toText(await answer.text());
			const orders = await listOrders(await pay(answer.headers.get("location") ?? ""));
			return orders.map(({ billing_company, billing_siren, billing_vat }) => [billing_company, billing_siren, billing_vat]);
		};
		expect(await bill(danone, {})).toEqual([["DANONE", danone, null]]);
		const two = `${danone}\n${second}`;
		expect(await bill(two, { ownCompany: danone })).toEqual([...Array(2)].map(() => ["DANONE", danone, null]));
		for (const ownCompany of ["", sirens[0] ?? ""]) expect(await bill(two, { ownCompany })).toContain("Choisissez votre société");
		expect(await bill(two, { billTo: "other" })).toEqual([...Array(2)].map(() => [null, null, null]));
	});

	test.each<[string, string, string]>([
		["one line", association, "Cette ligne ne peut pas être commandée"],
		["several lines", `${association}\nzzzzqqq`, "Aucune ligne ne peut être commandée"],
		["no line", "", "Ajoutez au moins une entreprise."],
	])("does not go on when nothing can be ordered: %s", async (_, list, sentence) => {
		const url = await sendList(list || association);
		const lines = list ? listFields(await getText(url)) : { lignes: "0" };
		const answer = await shop.postForm(url, { ...lines, ...customer });
		const html = await answer.text();
		expect([answer.status, html]).toEqual([400, expect.stringContaining(sentence)]);
		expect(html).not.toContain("continuez sans");
	});

	test("asks once about a mistyped address", async () => {
		const url = await sendList(danone);
		const fields = { ...listFields(await getText(url)), ...customer, email: "ada@gmial.com" };
		const asked = await shop.postForm(url, fields);
		expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining("Vouliez-vous dire")]);
		expect((await shop.postForm(url, { ...fields, checkedEmail: "ada@gmial.com" })).headers.get("location")).toContain("/paiement");
		const corrected = await shop.postForm(url, { ...fields, correct: "email" });
		expect(await getText(corrected.headers.get("location") ?? "")).toContain("ada@gmail.com");
	});

	test("finds the company of the invoice", async () => {
		const url = await sendList(danone);
		const fields = { ...listFields(await getText(url)), ...customer };
		const found = await shop.postForm(url, { ...fields, billingQuery: second, intent: "find-billing-company" });
		expect(toText(await found.text())).toMatch(new RegExp(`<input[^>]*name="billingSiren"[^>]*value="${second}"`));
		expect(await getText(url)).toMatch(new RegExp(`<input[^>]*name="billingSiren"[^>]*value="${second}"`));
	});

	test("of one order becomes a list: the company keeps its service and is still invoiced, and the others have no service yet", async () => {
		const become = async (from: string, fields: Record<string, string>) => {
			const added = await shop.postForm(from, { ...contact, siren: danone, acceptTerms: "on", intent: "several", ...fields });
			const url = added.headers.get("location") ?? "";
			const stored = await findStoredForm(shop.shop, url.split("commande=")[1]?.split("#")[0] ?? "");
			return { status: added.status, url, stored, html: await getText(url) };
		};
		for (const [from, service] of [
			["/commande", "express"],
			["/commande", "standard"],
			[`/commande/${danone}?service=postal`, "postal"],
		] as const) {
			const { status, url, stored, html } = await become(from, { service, billTo: "ordered" });
			expect([status, url]).toEqual([303, expect.stringMatching(/^\/commande\/plusieurs\?commande=[\w-]{64}#entreprises$/)]);
			expect(stored).toMatchObject({
				fields: { ...contact, billTo: "ordered", ownCompany: danone },
				lines: [{ company: danone, service }],
			});
			expect(getRows(html)).toEqual([expect.stringContaining(`<option value="${service}" selected`)]);
			expect(html).not.toMatch(/<input(?=[^>]*name="service")(?=[^>]*checked="")/);
			expect(html).toMatch(/<details[^>]*open=""[^>]*>(?:(?!<details).)*<textarea[^>]*name="entreprises"/s);
			expect(html).toMatch(/<input[^>]*name="firstName"[^>]*value="Ada"/);
			expect(html).toMatch(/<input(?=[^>]*name="acceptTerms")(?=[^>]*checked="")/);
		}
		const other = await become("/commande", { service: "gratuit", billTo: "other" });
		expect(other.stored?.fields).not.toHaveProperty("ownCompany");
		expect(other.stored?.lines).toMatchObject([{ company: danone, service: "" }]);
		expect((await become("/commande", { siren: "" })).html).toContain("Aucune entreprise");
	});

	test("of a letter takes the PDF of the same extract as a second line, with one button", async () => {
		const from = `/commande/${danone}?service=postal`;
		expect(await getText(from)).toMatch(
			/<button[^>]*value="with-pdf"[^>]*><span>Recevoir aussi le PDF par <span[^>]*>e-mail<\/span>, \+39,00/,
		);
		const fields = { ...contact, ...letter, siren: danone, service: "postal", billTo: "ordered", acceptTerms: "on", intent: "with-pdf" };
		const added = await shop.postForm(from, fields);
		const url = added.headers.get("location") ?? "";
		expect([added.status, url]).toEqual([303, expect.stringMatching(/#ligne-2$/)]);
		const page = await getText(url);
		expect(getRows(page)).toEqual([
			expect.stringContaining('<option value="postal" selected'),
			expect.stringContaining('<option value="standard" selected'),
		]);
		expect(getShown(page).map(({ place }) => place)).toEqual([1, 2]);
		for (const part of ["Cette entreprise est aussi", "à corriger"]) expect(toText(page)).not.toContain(part);
		expect(page).toContain(">2 extraits à commander<");
		// each line has its own service
		expect(page).toMatch(/<details class[^>]*><summary[^>]*>Choisir un service commun/);
		const payment = await sendForm(url, {
			...letter,
			billTo: "ordered",
			ownCompany: danone,
			"service-1": "postal",
			"service-2": "standard",
		});
		expect(toText(await getText(payment))).toMatch(/KBIS Postal.*KBIS Standard.*83,00/s);
		// twice the same service is no second extract
		const twice = {
			...listFields(page),
			...contact,
			...letter,
			...invoice,
			"service-1": "postal",
			"service-2": "postal",
			acceptTerms: "on",
		};
		expect(toText(await (await shop.postForm(url, { ...twice, intent: "" })).text())).toContain("Déjà demandée à la ligne 1.");
	});

	test("is one page: a list has its own URL, and one extract of a number alone is shown open", async () => {
		const url = await sendList(danone);
		expect(toText(await getText(url.replace(path, "/commande")))).toContain("DANONE");
		expect((await shop.ask(url.replace(path, "/paiement"))).headers.get("location")).toBe(url.replace(path, "/commande"));
		const withReference = await sendList(`${danone} ; dossier 7`);
		const open = await getText(withReference.replace(path, "/commande"));
		expect(open).toMatch(/<details open=""[^>]*><summary(?:(?!<\/details).)*name="reference-1"[^>]*value="dossier 7"/s);
		for (const list of [`${danone}\n${second}`, "danone"]) {
			const several = await sendList(list);
			for (const other of ["/commande", "/paiement"])
				expect((await shop.ask(several.replace(path, other))).headers.get("location")).toBe(several);
		}
	});
});

describe("the payment", () => {
	test("places all lines as one purchase, with services, references, and what each needs", async () => {
		const url = await sendList(`${danone} ; =1+1\n${second} ; dossier 2\nzzzzqqq`);
		const payment = await sendForm(url, { ...letter, "service-2": "postal", deliveryEmail: "client@example.fr", billTo: "delivery" });
		const html = await getText(payment);
		for (const part of ["DANONE", "dossier 2", "103,00", "1 quai de la Corse", "client@example.fr", "Finaliser ma commande - 103"])
			expect(html).toContain(part);
		expect(html).not.toContain("zzzzqqq");
		expect(toText(html)).toMatch(/1 ligne de votre liste n’est pas commandée\. <a[^>]*>Revoir la liste/);
		expect(html).toContain(`href="${url}">Revoir la liste`);
		const answer = await pay(payment);
		const orders = await listOrders(answer);
		expect(
			orders.map(({ siren, product_code, price_cents, reference, delivery_email, address }) => ({
				...{ siren, product_code, price_cents, reference, delivery_email, address },
			})),
		).toEqual([
			{
				...{ siren: danone, product_code: "express", price_cents: 5900, reference: "=1+1" },
				...{ delivery_email: "client@example.fr", address: "1 quai de la Corse" },
			},
			{
				...{ siren: second, product_code: "postal", price_cents: 4400, reference: "dossier 2" },
				...{ delivery_email: null, address: "1 quai de la Corse" },
			},
		]);
		await shop.payByCard(answer.headers.get("location") ?? "");
		for (const { id } of orders) await shop.untilOrderIs("processing", id);
	});

	test("is one for two tabs and a double click, and shows the confirmation once it is paid", async () => {
		const payment = await sendForm(await sendList(`${danone}\n${second}`));
		const before = await shop.countOrders();
		const answers = await Promise.all([pay(payment), pay(payment), pay(payment)]);
		expect(new Set(answers.map(({ headers }) => headers.get("location"))).size).toBe(1);
		expect(await shop.countOrders()).toBe(before + 2);
		await shop.payByCard(answers[0]?.headers.get("location") ?? "");
		const again = await pay(payment);
		expect([again.status, again.headers.get("location")]).toEqual([303, expect.stringMatching(/^\/confirmation\//)]);
		expect(await shop.countOrders()).toBe(before + 2);
	});

	test("says whose address the invoice has beside a letter to somebody else, and groups thousands on the button too", async () => {
		const list = Array.from({ length: 20 }, (_, index) => `${danone} ; dossier ${index}`).join("\n");
		const toOther = { ...letter, deliveryName: "Greffe", "service-1": "postal", billTo: "delivery" };
		const html = await getText(await sendForm(await sendList(list), toOther));
		const note = "La facture reste à ce nom, mais à l’adresse du destinataire du courrier (Greffe).";
		for (const part of [`>${note}<`, ">1\u00a0165,00\u00a0€<", ">Finaliser ma commande - 1\u00a0165€<"]) expect(html).toContain(part);
	});

	test("promises no hour that does not hold any more", async () => {
		const payment = await sendForm(await sendList(`${danone}\n${second}\n${sirens[0]}`), { "service-3": "standard" });
		const opened = await getText(payment);
		for (const row of ["59,00\u00a0€ l’extrait, livrés lundi", "livré lundi", "157,00\u00a0€"]) expect(opened).toContain(row);
		expect(opened).not.toContain("à calculer");
		await pauseExpress(shop.shop, ada, null);
		const refused = await shop.postForm(payment, { key: getHidden(opened, "key"), amount: getHidden(opened, "amount") });
		await resumeExpress(shop.shop, ada);
		const [html = ""] = toText(await refused.text()).split("window.__reactRouterContext");
		expect(refused.status).toBe(409);
		expect(html).toMatch(/59,00\s€ l’extrait, indisponible pour le moment/);
		for (const promise of ["livrés lundi", "livré lundi", "Si vous payez maintenant"]) expect(html).not.toContain(promise);
	});

	test("asks again before the payment about a company that was found by its name, and about no other", async () => {
		const html = await getText(await sendForm(await sendList(`danone\n${second}`)));
		expect(toText(html).match(/Trouvée par son nom\. Est-ce la bonne entreprise\s\?/g)).toHaveLength(1);
	});

	test("names the line of a company that can no longer be ordered, and places nothing", async () => {
		const [lost = "", other = ""] = sirens;
		const url = await sendList(`${danone}\n${lost} ; dossier 9\n${other}`);
		const payment = await sendForm(url);
		const html = await getText(payment);
		const { legal_category } = await shop.shop.db
			.selectFrom("companies")
			.select("legal_category")
			.where("siren", "=", lost)
			.executeTakeFirstOrThrow();
		const setCategory = (category: string) =>
			shop.shop.db.updateTable("companies").set({ legal_category: category }).where("siren", "=", lost).execute();
		await setCategory("9220");
		const before = await shop.countOrders();
		const answer = await shop.postForm(payment, { key: getHidden(html, "key"), amount: getHidden(html, "amount") });
		expect([answer.status, toText(await answer.text())]).toEqual([409, expect.stringMatching(/Ligne 2, .*pas d’extrait Kbis/)]);
		expect(await shop.countOrders()).toBe(before);
		const lostPage = await getText(payment);
		for (const part of ["Une ligne ne peut plus être commandée", "Votre commande de 2 extraits", "118,00"])
			expect(lostPage).toContain(part);
		expect(await getText(url)).toContain('value="dossier 9"');
		await setCategory(legal_category);
		expect((await pay(payment)).headers.get("location")).toContain("/bac-a-sable/");
	});

	test("offers no button once the register has none of the companies any more", async () => {
		const siren = "900000211";
		const sendAndForget = async (list: string) => {
			await insertCompanies(shop.shop.db, [{ id: 900000211, siren, nic: "00011" }]);
			const payment = await sendForm(await sendList(list));
			await shop.shop.db.deleteFrom("companies").where("siren", "=", siren).execute();
			const answer = await shop.ask(payment);
			return { status: answer.status, html: toText(await answer.text()) };
		};
		const several = await sendAndForget(`${siren}\nzzzzqqq`);
		expect(several.status).toBe(200);
		for (const part of ["Une ligne ne peut plus être commandée", `Ligne 1, ${siren}`, "Modifier ma commande"])
			expect(several.html).toContain(part);
		for (const part of ["Finaliser ma commande", "0 extrait"]) expect(several.html).not.toContain(part);
		const one = await sendAndForget("SIREN 900 000 211 ; dossier 1");
		expect([one.status, one.html]).toEqual([404, expect.stringContaining(`Aucune entreprise trouvée avec le SIREN ${siren}`)]);
	});

	test("refuses another amount than the catalogue's", async () => {
		const payment = await sendForm(await sendList(`${danone}\n${second}`));
		const answer = await pay(payment, { amount: String(services.express.price) });
		expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("Le montant ne correspond pas")]);
	});

	test("reloads a page that shows earlier lines", async () => {
		const url = await sendList(`${danone}\n${second}`);
		const payment = await sendForm(url);
		const earlier = await getText(payment);
		await shop.postForm(url, { ...listFields(await getText(url)), ...customer, intent: "remove:1" });
		await sendForm(url);
		const answer = await shop.postForm(payment, { key: getHidden(earlier, "key"), amount: getHidden(earlier, "amount") });
		expect(answer.headers.get("location")).toBe(`${payment}&modifiee=1`);
		expect(await getText(`${payment}&modifiee=1`)).toContain("modifiée dans un autre onglet");
	});

	test("two hundred lines are one purchase, folded but for those with something to read", async () => {
		const payment = await sendForm(await sendList(sirens.slice(0, 200).join("\n")));
		const whole = await getText(payment);
		expect(whole).toMatch(/<details><summary[^>]*>Voir les 200 extraits/);
		expect(whole).not.toContain("Revoir la liste");
		const doubtful = await getText(await sendForm(await sendList(["danone", ...sirens.slice(0, 12)].join("\n"))));
		const [shown = "", folded = ""] = doubtful.split("<details><summary");
		expect([shown.includes("Trouvée par son nom"), folded]).toEqual([
			true,
			expect.stringMatching(/^[^>]*>Sans remarque\u00a0: 12 extraits/),
		]);
		for (const count of [12, 2])
			expect(await getText(await sendForm(await sendList(sirens.slice(0, count).join("\n"))))).not.toContain("<details><summary");
		const orders = await listOrders(await pay(payment));
		expect([orders.length, new Set(orders.map(({ purchase_id }) => purchase_id)).size]).toEqual([200, 1]);
	});
});

describe("limits and personal data", () => {
	test("bodies that are no forms, and fields that nobody sends, cause no fault", async () => {
		const bodies: [string, string][] = [
			["text/plain", "x"],
			["multipart/form-data", "no boundary"],
			["multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="entreprises"\r\n\r\n552032534'],
			["application/x-www-form-urlencoded", `entreprises=${"9".repeat(200_000)}`],
			["application/x-www-form-urlencoded", "entreprises=%00%FF%FE"],
			["application/x-www-form-urlencoded", `lignes=9999&entreprise-0=x&entreprise-201=${danone}&intent=remove:x`],
			["application/x-www-form-urlencoded", "lignes=1&entreprise-1=%00&service-1=gold&choix-1=%F0%9F&intent=bill:x"],
		];
		for (const [type, body] of bodies) {
			const answer = await shop.ask(path, { method: "POST", body, headers: { "content-type": type } });
			expect(answer.status, body.slice(0, 80)).toBeLessThan(500);
		}
	});

	test("fifty lists at once are all answered", async () => {
		const list = sirens.slice(0, 100).join("\n");
		const answers = await Promise.all(Array.from({ length: 50 }, () => postList(list)));
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
	});

	test("a stored form is exported, erased, and readable for a day", async () => {
		const email = "grace@example.fr";
		const url = await sendList(`${danone} ; dossier privé`);
		await sendForm(url, { email });
		const exported = JSON.stringify(await exportPerson(shop.shop, email));
		expect(exported).toContain("dossier privé");
		await erasePerson(shop.shop, email);
		expect(await getText(url)).toContain("Votre liste a expiré");

		const other = await sendList(danone);
		now = new Date(now.getTime() + 25 * 3_600_000);
		expect(await getText(other)).toContain("Votre liste a expiré");
	});
});
