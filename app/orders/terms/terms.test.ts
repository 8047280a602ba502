import { createHash } from "node:crypto";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { extractText, getDocumentProxy } from "unpdf";
import { beforeAll, describe, expect, test } from "vitest";
import { parseEnvironment } from "../../../server/environment/environment.ts";
import { digestDrawing } from "../../../test/pdf-drawing.ts";
import { listStrings } from "../../../test/texts.ts";
import { ConsentFields } from "../../checkout/form/fields/consent-fields.tsx";
import { fillIn } from "../../content/fill-in.ts";
import { getText } from "../../content/texts.ts";
import { gatherTextVariables } from "../../content/variables.ts";
import { sandboxTexts } from "../../payments/sandbox/sandbox-texts.ts";
import { composeTerms, createTermsPdf, hashTerms } from "./record-terms.server.ts";
import { formatTerms, listTermsLines, type TermsLine, type TermsOfSale } from "./terms.ts";

// The terms of sale as a customer accepted them (docs/rules.md, R210).

function readVariables(settings: Record<string, string> = {}) {
	const parsed = parseEnvironment(settings);
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	return gatherTextVariables(parsed.environment, sandboxTexts);
}

const compose = (settings?: Record<string, string>) => composeTerms(getText("/cgv"), readVariables(settings));
const terms = compose();
const clean = (text: string) => text.replace(/\s+/g, " ");

describe("the text of a version", () => {
	test("has every sentence of the page, with the names and prices of the shop", () => {
		const page = fillIn(getText("/cgv"), readVariables());
		const isShown = (text: string) => !/^(https?:|mailto:|[/#])/.test(text) && !page.sections.some(({ anchor }) => anchor === text);
		const sentences = listStrings([page.introduction, page.sections]).filter(isShown);
		expect(sentences.length).toBeGreaterThan(100);
		const text = clean(formatTerms(terms));
		for (const sentence of sentences) expect(text).toContain(clean(sentence));
		expect(text).not.toMatch(/[{}]/);
	});

	test("has the two boxes of the order form, word for word", () => {
		const shown = renderToStaticMarkup(createElement(ConsentFields, { errors: {} }))
			.replace(/<[^>]+>/g, "|")
			.split("|")
			.map((part) => clean(part).trim())
			.filter((part) => /\p{L}{4}/u.test(part));
		expect(shown.length).toBeGreaterThan(3);
		const text = clean(formatTerms(terms));
		for (const part of shown.filter((part) => part !== "(facultatif)")) expect(text).toContain(part);
	});

	test.each([
		["SHOP_LEGAL_ENTITY", "Extraits de France SAS"],
		["SHOP_ADDRESS", "3 rue Crébillon, 44000 Nantes"],
		["OFFICIAL_PRICE_CENTS", "353"],
		["OPENING_HOURS", "Mo-Sa 09:00-19:00"],
	])("is another version with another %s", (name, value) => {
		expect(hashTerms(compose({ [name]: value }))).not.toBe(hashTerms(terms));
	});

	test("is the same version at another address of the site", () => {
		expect(hashTerms(compose({ BASE_URL: "http://localhost:4567" }))).toBe(hashTerms(terms));
	});

	test("has the legal guarantees in a box, for a letter and for a file (C. conso. art. D211-2 and D211-3)", () => {
		const boxed = terms.lines.filter(({ kind }) => kind === "boxed").map(({ text }) => text);
		for (const [start, duty] of [
			["Garantie légale de conformité d’un bien", "deux ans à compter de la délivrance du bien"],
			["Garantie légale de conformité d’un contenu numérique", "deux ans à compter de la fourniture du contenu numérique"],
		] as const)
			expect(boxed.find((text) => text.startsWith(start))).toContain(duty);
		for (const words of ["trente jours", "six mois", "300 000 euros", "articles 1641 à 1649 du code civil"])
			expect(boxed.join(" ").replaceAll("\u00a0", " ")).toContain(words);
	});

	test("is the text of its hash", () => {
		expect(hashTerms(terms)).toBe(createHash("sha256").update(formatTerms(terms)).digest("hex"));
	});

	test("reads aloud what a page shows by its layout", () => {
		const lines = listTermsLines({
			introduction: ["Une phrase avec ", { heading: "Un titre" }],
			sections: [
				{
					anchor: "un",
					heading: "Le premier",
					content: [
						["Lire ", { link: "MonIdenum", url: "https://monidenum.fr" }, ", ", { link: "data.inpi.fr", url: "https://data.inpi.fr" }],
						["ou ", { strong: ["la page ", { link: "Cookies", url: "/cookies" }] }, "."],
						{ list: ["une", "deux"], numbered: true },
						{ list: ["trois"], numbered: false },
						{ quote: ["Encadré", "sur deux lignes"] },
						{ table: { caption: "Les prix", columns: ["Service", "TTC", "HT"], rows: [["Express", "59 €", "49 €"]] } },
						{ part: "drawing" },
					],
				},
			],
		});
		expect(lines.slice(0, -4).map(({ kind, text }) => `${kind}: ${text.replaceAll("\u00a0", " ")}`)).toEqual([
			"paragraph: Une phrase avec ",
			"heading: Un titre",
			"heading: 1. Le premier",
			"paragraph: Lire MonIdenum (https://monidenum.fr), data.inpi.fr",
			"paragraph: ou la page Cookies.",
			"item: 1. une",
			"item: 2. deux",
			"item: trois",
			"boxed: Encadré",
			"boxed: sur deux lignes",
			"paragraph: Les prix :",
			"item: Express : TTC, 59 € ; HT, 49 €.",
		]);
	});
});

describe("the PDF of a version", () => {
	const createdAt = new Date("2026-11-27");
	let pdf: Uint8Array;
	let pages: string[];
	beforeAll(async () => {
		pdf = await createTermsPdf(terms, createdAt);
		const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: false });
		pages = text.map(clean);
	});

	test("has every line, in order, and its version and page on each page", () => {
		// a line may break after a hyphen
		const join = (text: string) => text.replace(/\s+/g, "");
		const whole = pages.map((page, index) => join(page).replace(join(footOf(index)), "")).join("");
		let from = 0;
		for (const { kind, text } of terms.lines) {
			const at = whole.indexOf(join(kind === "item" ? `– ${text}` : text), from);
			expect(at, text).toBeGreaterThanOrEqual(from);
			from = at;
		}
		for (const [index, page] of pages.entries()) expect(page).toContain(footOf(index));
	});

	const footOf = (index: number) => `Conditions générales de vente, version du ${readVariables().termsDay} ${index + 1}/${pages.length}`;

	test("is small enough for an e-mail, and stays on the sheet", async () => {
		expect(pdf.length).toBeLessThan(120_000);
		const document = await getDocumentProxy(new Uint8Array(pdf));
		for (let number = 1; number <= pages.length; number++) {
			const { items } = await (await document.getPage(number)).getTextContent();
			for (const item of items) {
				if (!("str" in item) || item.str.trim() === "") continue;
				const [, , , , x, y] = item.transform;
				expect(x).toBeGreaterThan(60);
				expect(x + item.width).toBeLessThan(535);
				expect(y).toBeGreaterThan(20);
			}
		}
	});

	test("keeps a heading with the line below it", async () => {
		const line = (kind: "heading" | "paragraph") => ({ kind, text: `${kind} ` });
		for (let count = 40; count < 60; count++) {
			const short: TermsOfSale = {
				...{ version: "2026-11-27", title: "Conditions", seller: "Boutique" },
				lines: [...Array.from({ length: count }, () => line("paragraph")), line("heading"), line("paragraph")],
			};
			const { text } = await extractText(await getDocumentProxy(await createTermsPdf(short, createdAt)), { mergePages: false });
			const page = text.find((each) => each.includes("heading")) ?? "";
			expect(page.split("heading")[1], `${count} lines above`).toContain("paragraph");
		}
	});

	// look at the PDFs before a change of their drawing is written to the file: npx vitest run app/orders/terms/terms.test.ts --update
	test("is drawn as it was: boxes within a page and over its end, headings and items close to it", async () => {
		const line = (kind: TermsLine["kind"], text: string = kind): TermsLine => ({ kind, text });
		const long = "Un paragraphe de plusieurs lignes. ".repeat(8);
		const paragraphs = (count: number) => Array.from({ length: count }, () => line("paragraph"));
		const box = (count: number) => Array.from({ length: count }, (_, index) => line("boxed", `${index + 1}. ${long}`));
		const documents: Record<string, TermsLine[]> = {
			"each kind": [line("paragraph"), line("heading"), line("item"), line("boxed"), line("paragraph", long), line("item", long)],
			"boxes of one and three lines": [...box(1), line("heading"), ...box(3), line("paragraph")],
			"a box over two pages": [...paragraphs(30), ...box(6), line("paragraph")],
			"boxes that begin and end a page": [...box(40), line("heading"), ...box(1)],
			"a heading with a long paragraph at the end of a page": [...paragraphs(36), line("heading"), line("paragraph", long.repeat(3))],
			"a heading at the very end": [...paragraphs(3), line("heading")],
		};
		for (let count = 37; count < 43; count++)
			documents[`${count} paragraphs, an item and a box`] = [...paragraphs(count), line("item"), ...box(1)];
		const digests = Object.entries(documents).map(async ([name, lines]) => {
			const made = await createTermsPdf({ version: "2026-11-27", title: "Conditions", seller: "Boutique", lines }, createdAt);
			return `${digestDrawing(made)}  ${name}`;
		});
		await expect(`${(await Promise.all(digests)).join("\n")}\n`).toMatchFileSnapshot("terms-drawings.txt");
	});

	test("has the same bytes whenever it is made", async () => {
		expect(Buffer.from(await createTermsPdf(terms, createdAt)).equals(pdf)).toBe(true);
	});
});
