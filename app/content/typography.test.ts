import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { pages } from "./pages.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
});
afterAll(() => shop?.close());

/** Pages of other folders, which show typed and registered texts. */
const otherPages = ["/recherche", "/commande", "/suivi-commande", "/retractation"];
const paths = [...new Set(pages.map(({ path }) => path.split("#")[0] || "/"))].filter((path) => !otherPages.includes(path));

/** The visible text of a page, with its no-break spaces. */
async function readText(path: string): Promise<string> {
	const html = await (await shop.ask(path)).text();
	return html
		.replace(/<(script|style|svg)\b.*?<\/\1>/gs, " ")
		.replace(/<!--.*?-->|<\/?(a|strong|span|code|time)\b[^>]*>/gs, "")
		.replace(/<[^>]+>/g, "\n")
		.replaceAll("&#x27;", "'");
}

/** Agreed texts have straight apostrophes (docs/rules.md, R52). */
const agreedApostrophes = /nom d'entreprise|l'abonnement/g;

test.each(paths)("%s starts no line with a punctuation mark or a unit, and has curly apostrophes", async (path) => {
	const text = (await readText(path)).replace(agreedApostrophes, "");
	const breakable = text.match(/.{0,30}(?: [:;?!»%€]|« |\d (?:h|heures?|jours?|mois|ans?)\b).{0,20}/g);
	expect(breakable).toBeNull();
	expect(text.match(/.{0,30}\p{L}'\p{L}.{0,20}/gu)).toBeNull();
});
