import { expect, type Page, test } from "@playwright/test";
import { alive, cards, open, orderNumber, orderUpToPayment, payWith } from "./customer.ts";

/** The names of what a browser keeps of the shop, wherever it keeps it. */
async function kept(page: Page): Promise<string[]> {
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

test("whatever the browser keeps of a whole order is named on the page about cookies, and nobody else is asked for anything", async ({
	page,
	baseURL,
}) => {
	const asked = new Set<string>();
	page.context().on("request", (request) => asked.add(new URL(request.url()).origin));
	const names = new Set<string>();
	const look = async () => {
		for (const name of await kept(page)) names.add(name);
	};

	await open(page, "/recherche?q=groupe");
	await page.getByLabel("Département").selectOption("62");
	await page.waitForURL("**departement=62**");
	await open(page, "/commande/552032534?service=express");
	await page.getByLabel("Prénom").fill("Ada");
	await expect(page.getByText("Brouillon enregistré")).toBeVisible();
	await look();
	const { email } = await orderUpToPayment(page, "/commande/552032534?service=express");
	await look();
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	await alive(page);
	await look();
	await page.goto(`/suivi/${await orderNumber(page)}`);
	await page.getByLabel("Adresse e-mail").fill(email);
	await page.getByRole("button", { name: "Rechercher" }).click();
	await expect(page.getByText("Historique")).toBeVisible();
	await look();
	await page.goto("/contact");
	await look();

	await page.goBack();
	await page.getByRole("button", { name: "Quitter" }).click();
	await page.waitForURL("**/suivi-commande");
	expect(await kept(page)).not.toContain("suivi");

	expect([...names]).toEqual(expect.arrayContaining(["commande", "suivi", "kbis-draft", "react-router-scroll-positions"]));
	await page.goto("/cookies");
	for (const name of names) await expect(page.getByRole("rowheader", { name: `« ${name} »`, exact: true }), name).toBeVisible();
	expect([...asked]).toEqual([new URL(baseURL ?? "").origin]);
});

test("pages without JavaScript leave nothing in the browser", async ({ page }) => {
	for (const path of ["/", "/cookies", "/faq", "/retractation", "/contact"]) {
		await page.goto(path);
		expect(await kept(page), path).toEqual([]);
	}
});
