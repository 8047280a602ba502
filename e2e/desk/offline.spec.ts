import { expect } from "@playwright/test";
import { deskPages } from "../../app/desk/shell/desk-pages.ts";
import { waitForHydration } from "../customer.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { test } from "../test.ts";
import { openDesk } from "./morning.ts";

// The network is lost for a minute: no page of the desk is replaced by an error, and nothing typed is lost.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
test.beforeAll(async () => {
	shop = await startSeparateShop({});
});
test.afterAll(() => shop?.stop());

const paths = [...deskPages.filter(({ inMenu }) => inMenu).map(({ path }) => path), "/bureau/mon-acces"];

test("every page keeps what it shows and what was typed when it is read again without network", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	for (const path of paths) {
		await page.goto(path);
		await waitForHydration(page);
		const heading = await page.getByRole("heading", { level: 1 }).textContent();
		const field = page
			.getByRole("main")
			.locator("input[type=text], input[type=search], input[type=email], textarea")
			.filter({ visible: true })
			.first();
		const hasField = (await field.count()) > 0;
		if (hasField) await field.fill("ada@example.fr");
		await page.context().setOffline(true);
		// an act, a change of the desk and the browser's return all end here
		await page.evaluate(() =>
			(window as unknown as { __reactRouterDataRouter: { revalidate(): Promise<void> } }).__reactRouterDataRouter.revalidate(),
		);
		await expect(page.getByRole("heading", { level: 1 }), path).toHaveText(heading ?? "");
		if (hasField) await expect(field, path).toHaveValue("ada@example.fr");
		await page.context().setOffline(false);
	}
});

test("forms that are sent without network say so, and keep what was typed", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	for (const [path, label, text] of [
		["/bureau/recherche", "Numéro, nom, e-mail, téléphone, société", "lovelace"],
		["/bureau/personnes", "Son adresse e-mail", "ada@example.fr"],
		["/bureau/reglages", "Phrase pour le public", "Le registre est en panne."],
		["/bureau/mon-acces", "Mot de passe actuel", "une longue phrase"],
	] as const) {
		await page.goto(path);
		await waitForHydration(page);
		if (path.endsWith("acces")) await page.getByLabel("Nouveau mot de passe").fill("une autre longue phrase");
		await page.getByLabel(label).fill(text);
		await page.context().setOffline(true);
		await page.getByLabel(label).press("Enter");
		await expect(page.getByText(/Pas de réseau\./).first(), path).toBeVisible();
		await expect(page.getByLabel(label), path).toHaveValue(text);
		await page.context().setOffline(false);
	}
});

test("another page that is asked for without network opens when it is back; the head says that the server is away", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	await waitForHydration(page);
	await expect(page.getByRole("button", { name: "Tout fonctionne" })).toBeVisible();
	await page.context().setOffline(true);
	await page.getByRole("navigation", { name: "Bureau" }).getByRole("link", { name: "Journal" }).click();
	await expect(page.getByText("La page demandée s’ouvre dès qu’il revient")).toBeVisible();
	await expect(page.getByRole("status", { name: "État de la boutique" })).toContainText("Le serveur ne répond pas.");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Commandes");
	await page.context().setOffline(false);
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Journal");
	await expect(page.getByRole("button", { name: "Tout fonctionne" })).toBeVisible();
});
