import { globSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { formatLongDay } from "../../catalogue/instants.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { services } from "../../catalogue/services.ts";
import { closeShop, reopenShop } from "../../catalogue/settings/change-settings.server.ts";
import { describeRecipient, findRecipientKind, listRecipientCards, summarizeAges } from "./describe-recipients.ts";
import { type RecipientFact, recipientFacts } from "./recipient-facts.ts";
import { recipientDetails, recipientKinds } from "./recipient-kinds.ts";

// The pages that say what recipients of extracts ask for (docs/rules.md, R239).

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop({ now: () => new Date("2026-12-01T09:00:00Z") });
});
afterAll(() => shop?.close());

/** The main part of a page as HTML, with ordinary spaces. */
async function open(path: string): Promise<{ status: number; head: string; main: string }> {
	const answer = await shop.ask(path);
	const page = (await answer.text())
		.replaceAll(/[\u00a0\u202f]/g, " ")
		.replaceAll("&#x27;", "'")
		.replaceAll("&amp;", "&")
		.replaceAll("<!-- -->", "");
	return {
		status: answer.status,
		head: page.slice(0, page.indexOf("<main")),
		main: page.slice(page.indexOf("<main"), page.indexOf("</main>")),
	};
}
const toText = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

describe.each(recipientKinds)("/destinataires/%s", (kind) => {
	const path = `/destinataires/${kind}`;
	const facts = recipientFacts.filter((fact) => fact.kind === kind);

	test("shows each line with its link, its age and its day, and those of no other kind", async () => {
		const { status, main } = await open(path);
		expect(status).toBe(200);
		const rows = [...main.matchAll(/<tr class="break-inside-avoid.*?<\/tr>/gs)].map(([row]) => row);
		expect(rows).toHaveLength(facts.length);
		const readCells = (row: string) => [...row.matchAll(/<t[hd].*?<\/t[hd]>/gs)].map(([cell]) => toText(cell).trim());
		expect(readCells(main.slice(main.indexOf("<thead"), main.indexOf("</thead")))).toEqual([
			"Destinataire",
			"Ce qu’il demande",
			"Âge",
			"Source",
		]);
		for (const [index, { recipient, asks, age, form, source, checkedOn }] of facts.entries()) {
			const shown = { null: "aucun âge publié", "no-extract": "sans objet" }[String(age)] ?? `moins de ${age} mois`;
			const day = formatLongDay(new Date(checkedOn)).replaceAll("\u00a0", " ");
			const cells = [recipient, form ? `${asks}. ${form}.` : `${asks}.`, shown, `${source.publisher}, le ${day}`];
			expect(readCells(rows[index] ?? "").map((cell) => cell.replace(" ,", ","))).toEqual(
				cells.map((cell) => cell.replaceAll("\u00a0", " ")),
			);
			expect(rows[index]).toContain(`<a href="${source.url}"`);
		}
	});

	test("answers in the panel, and says how far the answer goes", async () => {
		const { main } = await open(path);
		const panel = toText(main.slice(main.indexOf('aria-label="L’essentiel"'), main.indexOf('id="gratuit"')));
		const { question, answer, note, form, free } = describeRecipient(kind).essentials;
		const { offer } = recipientDetails[kind];
		const price = offer ? `${formatEuros(services[offer].price)} TTC, en PDF` : "Inutile dans votre cas";
		const shown = [question, answer, ...(note ? [note] : []), form, free, price];
		const order = shown.map((part) => panel.indexOf(part.replaceAll("\u00a0", " ")));
		expect(order).toEqual([...order].sort((one, other) => one - other));
		expect(order).not.toContain(-1);
		expect(main).toContain('href="#offre"');
	});

	test("has its free way above the one offer, or no offer", async () => {
		const { main } = await open(path);
		const { offer } = recipientDetails[kind];
		const anchors = ["gratuit", "publient", "forme", "offre"].map((id) => main.indexOf(`id="${id}"`));
		expect(anchors).toEqual([...anchors].sort((one, other) => one - other));
		expect(anchors[0]).toBeGreaterThan(0);
		const last = main.slice(anchors[3]);
		const links = [...main.matchAll(/href="\/commande\?service=(\w+)"/g)].map(([, service]) => service);
		expect(links).toEqual(offer ? [offer] : []);
		if (offer) {
			expect(toText(last)).toContain(`Commander un ${services[offer].name}`);
			expect(last).toContain("est un service privé et indépendant");
			expect(toText(main)).toContain(formatEuros(services[offer].price).replaceAll("\u00a0", " "));
		} else expect(last).toMatch(/[Vv]ous n’avez pas besoin de nous/);
	});

	test("is a page of reading that search engines may index, below the list of recipients", async () => {
		const { head, main } = await open(path);
		expect(head).toContain(`<link rel="canonical" href="${shop.url}${path}"/>`);
		expect(head).toContain(`${shop.url}/apercu${path}.png`);
		expect(head + main).not.toMatch(/<script(?! type="application\/ld)|noindex|\{\{|undefined/);
		expect(main).toContain('<a href="/destinataires"');
		expect(main).toContain('"@type":"BreadcrumbList"');
		expect((await shop.ask(`/apercu${path}.png`)).headers.get("content-type")).toBe("image/png");
		expect(await (await shop.ask("/sitemap-pages.xml")).text()).toContain(`<loc>${shop.url}${path}</loc>`);
	});
});

test("the list has a card of each kind, with what its page answers", async () => {
	const { main } = await open("/destinataires");
	const cards = [...main.matchAll(/<li class="row-span-4[^"]*"><article.*?<\/article>/gs)].map(([card]) => card);
	expect(cards).toHaveLength(recipientKinds.length);
	for (const [index, kind] of recipientKinds.entries()) {
		const card = cards[index] ?? "";
		const { question, answer, free } = describeRecipient(kind).essentials;
		const { label, summary } = recipientDetails[kind];
		expect(card).toContain(`<a href="/destinataires/${kind}"`);
		for (const part of [label, summary, question, answer, free]) expect(toText(card)).toContain(part.replaceAll("\u00a0", " "));
	}
	expect(listRecipientCards().map(({ kind }) => kind)).toEqual(recipientKinds);
});

test.each<[ages: RecipientFact["age"][], question: string, answer: string, note: string | null]>([
	[[3, null, "no-extract", 1], "Âge de l’extrait", "Moins d’un mois", "publié dans 2 des 3\u00a0cas où un extrait est demandé"],
	[[1, 3, 3], "Âge de l’extrait", "Moins d’un mois", null],
	[[6, "no-extract"], "Âge de l’extrait", "Moins de 6\u00a0mois", null],
	[["no-extract", null], "Extrait à fournir", "Aucun", null],
	[[], "Extrait à fournir", "Aucun", null],
])("lines with the ages %j say together: %s, %s, %s", (ages, question, answer, note) => {
	expect(summarizeAges(ages)).toEqual({ question, answer, note });
});

test("an age stays on one line", () => {
	expect(describeRecipient("banque").table.rows.map((cells) => cells[2])).toContain("moins\u00a0de\u00a03\u00a0mois");
});

test("each kind has its text, and each text its kind", () => {
	const texts = globSync("*.md", { cwd: "app/content/texts/destinataires" }).map((file) => file.replace(/\.md$/, ""));
	expect(texts.sort()).toEqual([...recipientKinds].sort());
});

test("only the address of a kind has a kind", () => {
	expect(recipientKinds.map((kind) => findRecipientKind(`/destinataires/${kind}`))).toEqual(recipientKinds);
	for (const address of ["/destinataires", "/destinataires/voisin", "/banque"]) expect(findRecipientKind(address)).toBeNull();
});

test("an unknown kind is no page", async () => {
	expect((await shop.ask("/destinataires/voisin")).status).toBe(404);
});

test.each(["/ai-je-besoin-d-un-kbis", "/guide-kbis", "/aide", "/tarifs", "/services/kbis-standard", "/services/kbis-postal"])(
	"%s leads there",
	async (path) => {
		expect((await open(path)).main).toContain('href="/destinataires');
	},
);

test("while the shop is closed, the prices stand in place of the order", async () => {
	const ada = { id: null, name: "Ada" };
	const readBank = async () => (await open("/destinataires/banque")).main;
	const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: scaledTimeout(10_000), interval: 20 });
	await closeShop(shop.shop, ada, { until: null, sentence: "Le registre est en panne." });
	await until(async () => expect(await readBank()).toMatch(/href="\/tarifs"[^>]*>Voir les tarifs/));
	expect(await readBank()).not.toContain("/commande?service=");
	await reopenShop(shop.shop, ada);
	await until(async () => expect(await readBank()).toContain("/commande?service=standard"));
});
