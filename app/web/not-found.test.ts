import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
});
afterAll(() => shop?.close());

test("an unknown URL has a French heading, the agreed English sentence below it, and ways on", async () => {
	const answer = await shop.ask("/nulle-part");
	expect(answer.status).toBe(404);
	const page = (await answer.text()).replaceAll("\u00a0", " ");
	expect(/<h1[^>]*>(.*?)<\/h1>/.exec(page)?.[1]).toBe("Cette page n’existe pas");
	expect(page).toMatch(/<p lang="en"[^>]*>Oops! Page not found<\/p>/);
	expect(page).toContain("<title>Cette page n’existe pas");
	const main = page.slice(page.indexOf("<main"), page.indexOf("</main>"));
	for (const path of ["/", "/recherche", "/suivi-commande", "/contact"]) expect(main).toContain(`href="${path}"`);
});
