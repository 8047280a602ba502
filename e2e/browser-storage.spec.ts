import { expect, type Page } from "@playwright/test";
import { cards, open, openSearch, orderUpToPayment, payWith, readOrderNumber, waitForHydration } from "./customer.ts";
import { trackOrder } from "./flows.ts";
import { test } from "./test.ts";

/** Lists the names of everything that the browser stores for the shop. */
async function listStoredNames(page: Page): Promise<string[]> {
	const cookies = (await page.context().cookies()).map(({ name }) => name);
	const stored = await page.evaluate(async () => [
		...Object.keys(localStorage),
		...Object.keys(sessionStorage),
		...(await indexedDB.databases()).map(({ name }) => `a database ${name}`),
		...(await caches.keys()).map((name) => `a cache ${name}`),
		...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => `a worker of ${scope}`),
	]);
	return [...cookies, ...stored];
}

test("the page about cookies names everything that an order stores in the browser, and no other site is requested", async ({
	ownPage: page,
	baseURL,
}) => {
	const origins = new Set<string>();
	page.context().on("request", (request) => origins.add(new URL(request.url()).origin));
	const names = new Set<string>();
	const addStoredNames = async () => {
		for (const name of await listStoredNames(page)) names.add(name);
	};

	await openSearch(page, "/recherche?q=groupe");
	await page.getByLabel("Département").selectOption("62");
	await page.waitForURL("**departement=62**");
	await open(page, "/commande/552032534?service=express");
	await page.getByLabel("Prénom").fill("Ada");
	await expect(page.getByText("Brouillon enregistré")).toBeVisible();
	await addStoredNames();
	const { email } = await orderUpToPayment(page, "/commande/552032534?service=express");
	await addStoredNames();
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	await waitForHydration(page);
	await addStoredNames();
	await trackOrder(page, { email, number: await readOrderNumber(page) });
	await addStoredNames();
	await page.goto("/contact");
	await addStoredNames();

	await page.goBack();
	await page.getByRole("button", { name: "Quitter" }).click();
	await page.waitForURL("**/suivi-commande");
	const left = await listStoredNames(page);
	for (const name of ["suivi", "commande", "saisie"]) expect(left).not.toContain(name);

	expect([...names]).toEqual(expect.arrayContaining(["commande", "suivi", "saisie", "kbis-draft", "react-router-scroll-positions"]));
	await page.goto("/cookies");
	for (const name of names) await expect(page.getByRole("rowheader", { name: `« ${name} »`, exact: true }), name).toBeVisible();
	expect([...origins]).toEqual([new URL(baseURL ?? "").origin]);
});

test("pages without JavaScript store nothing in the browser", async ({ ownPage: page }) => {
	for (const path of ["/", "/cookies", "/faq", "/retractation", "/contact"]) {
		await page.goto(path);
		expect(await listStoredNames(page), path).toEqual([]);
	}
});
