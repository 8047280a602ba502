import { expect, type Page } from "@playwright/test";
import { delayScripts, open, openSearch, waitForHydration } from "./customer.ts";
import { openDatabase } from "./shared-shop.ts";
import { test } from "./test.ts";

const cards = (page: Page) => page.getByRole("article");
const title = (page: Page) => page.getByRole("heading", { level: 1 });
const field = (page: Page) => page.getByLabel("SIREN, SIRET ou nom d'entreprise");
/** The number of results on the page. */
const status = (page: Page) => page.getByRole("status").filter({ hasText: /trouvée|cours/ });

test("finds a company by name, SIREN or SIRET, ignoring accents and case", async ({ page }) => {
	for (const query of ["danone", "DANÔNE", "552 032 534", "55203253400703", "FR12552032534"]) {
		await open(page, `/recherche?${new URLSearchParams({ q: query })}`);
		await expect(title(page)).toHaveText(`Résultats pour « ${query} »`);
		await expect(status(page)).toHaveText("1 entreprise trouvée");
		const card = cards(page);
		await expect(card).toHaveCount(1);
		for (const text of ["DANONE", "552032534", "75009 Paris", "SA", "Activités des sièges sociaux"]) await expect(card).toContainText(text);
		await expect(card.getByRole("link", { name: "Commander KBIS" })).toHaveAttribute("href", "/entreprise/552032534");
	}
});

test("corrects a mistyped name, and says so", async ({ page }) => {
	await open(page, "/recherche?q=dannone");
	await expect(title(page)).toHaveText("Résultats pour « dannone »");
	await expect(page.getByText("Aucune entreprise ne porte ce nom. 1 résultat pour « danone »")).toBeVisible();
	await expect(cards(page)).toContainText(["DANONE"]);
});

test("leaves out words for the document, says so, and searches the exact words on demand", async ({ page }) => {
	await open(page, "/recherche?q=extrait+kbis+danone");
	await expect(page.getByText("Recherche de « danone » sans « extrait kbis ».")).toBeVisible();
	await expect(cards(page)).toContainText(["DANONE"]);
	await expect(page.getByLabel("Département").getByRole("option", { name: /^75/ })).toContainText("1");
	await page.getByRole("link", { name: "Chercher les mots exacts" }).click();
	await expect(field(page)).toHaveValue('"extrait kbis danone"');
	await expect(page.getByText("Aucune entreprise ne correspond à tous les mots. 1 résultat pour « danone »")).toBeVisible();
	await expect(page.getByRole("link", { name: "Chercher les mots exacts" })).toHaveCount(0);
});

test("suggests what to do when nothing is found", async ({ page }) => {
	await open(page, "/recherche?q=zzzzqqq&departement=75");
	await expect(page.getByText("Aucune entreprise trouvée pour votre recherche")).toBeVisible();
	await expect(page.getByRole("listitem").filter({ hasText: /orthographe|généraux|exact/ })).toHaveCount(3);
	await page.getByRole("link", { name: "Retirer les filtres" }).click();
	await expect(page).toHaveURL("/recherche?q=zzzzqqq");
	await page.getByRole("link", { name: "Nouvelle recherche" }).click();
	await expect(page).toHaveURL("/");
});

test("reports a SIREN with a wrong digit", async ({ page }) => {
	await open(page, "/recherche?q=552032535");
	await expect(page.getByText("Ce numéro n’est pas valide")).toBeVisible();
	await expect(page.getByText(/orthographe|généraux/)).toHaveCount(0);
});

test("says how many digits a number has, and only once that nothing is found", async ({ page }) => {
	await page.goto("/recherche?q=99999");
	await expect(page.getByText("Un SIREN a 9 chiffres, un SIRET en a 14.")).toBeVisible();
	await expect(page.getByText(/orthographe|généraux/)).toHaveCount(0);
	await expect(page.getByText("0 entreprise trouvée")).toHaveClass("sr-only");
});

test("an empty search finds nothing, whatever the filters", async ({ page }) => {
	for (const address of ["/recherche", "/recherche?q=", "/recherche?q=%20&departement=75"]) {
		await open(page, address);
		await expect(cards(page)).toHaveCount(0);
		await expect(title(page)).toHaveText("Rechercher une entreprise");
	}
	await open(page, "/");
	await page.getByRole("button", { name: "Rechercher" }).click();
	await expect(page).toHaveURL("/");
	await field(page).fill("   ");
	await page.getByRole("button", { name: "Rechercher" }).click();
	await expect(page).toHaveURL("/");
});

test("shows nine results per page, with links to the previous and next page", async ({ page }) => {
	await open(page, "/recherche?q=carrefour");
	await expect(cards(page)).toHaveCount(9);
	const pages = page.getByRole("navigation", { name: "Pages de résultats" });
	await expect(pages.getByRole("link", { name: "Précédent" })).toHaveCount(0);
	const first = await cards(page).first().textContent();
	await pages.getByRole("link", { name: "Suivant" }).click();
	await expect(page).toHaveURL("/recherche?q=carrefour&page=2");
	await expect(cards(page)).toHaveCount(9);
	await expect(cards(page).first()).not.toHaveText(first ?? "");
	await pages.getByRole("link", { name: "Page 1", exact: true }).click();
	await expect(cards(page).first()).toHaveText(first ?? "");
	const last = pages
		.getByRole("link")
		.filter({ hasText: /^Page \d+$/ })
		.last();
	const lastPage = (await last.textContent()) ?? "";
	await last.click();
	await expect(pages.locator("[aria-current=page]")).toHaveText(lastPage);
	await expect(pages.getByRole("link", { name: "Suivant" })).toHaveCount(0);
	await open(page, "/recherche?q=carrefour&page=999");
	await expect(pages.locator("[aria-current=page]")).toHaveText(lastPage);
	await open(page, "/recherche?q=danone");
	await expect(pages).toHaveCount(0);
});

test("filters apply at once, change the URL, return to the first page, and are undone by the back button", async ({ page }) => {
	await openSearch(page, "/recherche?q=groupe&page=2");
	const department = page.getByLabel("Département");
	await expect(department.getByRole("option").first()).toHaveText("Tous les départements");
	await expect(department.getByRole("option").nth(1)).toHaveText(/^75 - Paris/);
	await department.selectOption("75");
	await expect(page).toHaveURL("/recherche?q=groupe&departement=75");
	await expect(cards(page).first()).toContainText(/75\d{3} Paris/);
	await page.getByRole("checkbox", { name: "SARL", exact: true }).check();
	await expect(page).toHaveURL("/recherche?q=groupe&departement=75&forme=SARL");
	await page.getByRole("checkbox", { name: "SAS", exact: true }).check();
	await expect(page).toHaveURL("/recherche?q=groupe&departement=75&forme=SAS&forme=SARL");
	await page.getByLabel("Secteur").selectOption("services-aux-entreprises");
	await expect(page).toHaveURL(/secteur=services-aux-entreprises/);
	await expect(status(page)).toHaveText(/trouvée/);
	const [address, found] = [page.url(), await status(page).textContent()];

	await page.goBack();
	await expect(page.getByLabel("Secteur")).toHaveValue("");
	await page.goBack();
	await expect(page.getByRole("checkbox", { name: "SAS", exact: true })).not.toBeChecked();
	await expect(page.getByRole("checkbox", { name: "SARL", exact: true })).toBeChecked();
	await page.goForward();
	await page.goForward();
	await expect(page).toHaveURL(address);
	await open(page, address); // the URL alone gives the same page
	await expect(status(page)).toHaveText(found ?? "");
	await expect(department).toHaveValue("75");
	await field(page).fill("danone");
	await field(page).press("Enter");
	await expect(page).toHaveURL(/q=danone&departement=75/);
});

test("a filter that is chosen at the moment when results appear stays chosen while its own load", async ({ page }) => {
	await openSearch(page, "/recherche?q=groupe");
	const [first, second] = [
		page.getByRole("checkbox", { name: "SA", exact: true }),
		page.getByRole("checkbox", { name: "SAS", exact: true }),
	];
	await second.evaluate((checkbox: HTMLInputElement) => {
		const results = document.getElementById("recherche-resultats") as HTMLElement;
		new MutationObserver((_, observer) => {
			if (!results.querySelector("article")) return;
			observer.disconnect();
			checkbox.click();
		}).observe(results, { childList: true });
	});
	let answer = () => {};
	const answered = new Promise<void>((resolve) => {
		answer = resolve;
	});
	await page.route("**/recherche?*forme=SAS*", async (route) => {
		await answered;
		await route.continue();
	});
	await first.check();
	await page.waitForURL(/forme=SAS&forme=SA$/);
	await page.evaluate(() => new Promise((next) => setTimeout(next, 100))); // everything that was to be drawn is drawn
	await expect(second).toBeChecked();
	await expect(first).toBeChecked();
	answer();
	await expect(cards(page).first()).toBeVisible();
	await expect(second).toBeChecked();
});

test("shows placeholders while the results load", async ({ page }) => {
	await openSearch(page, "/recherche?q=groupe");
	let answer = () => {};
	const answered = new Promise<void>((resolve) => {
		answer = resolve;
	});
	await page.route("**/recherche?*", async (route) => {
		await answered;
		await route.continue();
	});
	await page.getByLabel("Département").selectOption("75");
	await expect(status(page)).toHaveText("Recherche en cours...");
	await expect(page.locator("main .animate-pulse").first()).toBeVisible();
	await expect(page.locator("main [aria-hidden=true]:has(> .animate-pulse)")).toHaveCount(6);
	await expect(cards(page)).toHaveCount(0);
	answer();
	await expect(cards(page)).toHaveCount(9);
	await expect(status(page)).toHaveText(/entreprises trouvées$/);
});

test("keeps what is typed or chosen before the page’s JavaScript arrives", async ({ page }) => {
	const scriptsArrive = await delayScripts(page);
	await page.goto("/recherche?q=danone", { waitUntil: "commit" });
	await field(page).fill("groupe");
	await page.getByLabel("Département").selectOption("62");
	await scriptsArrive();
	await page.getByRole("button", { name: "Rechercher" }).click();
	await expect(page).toHaveURL(/\/recherche\?q=groupe&departement=62/);
	await expect(field(page)).toHaveValue("groupe");
});

test("applies a filter that was chosen before the page’s JavaScript arrives", async ({ page }) => {
	const scriptsArrive = await delayScripts(page);
	await page.goto("/recherche?q=groupe", { waitUntil: "commit" });
	await page.getByLabel("Département").selectOption("62");
	await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
	await scriptsArrive();
	await expect(page).toHaveURL("/recherche?q=groupe&departement=62");
});

test.describe("a company’s page", () => {
	/** The text that the browser would copy. */
	const copied = (page: Page, text: string) =>
		page.evaluate((wanted) => {
			const value = [...document.querySelectorAll("dd *")].find((element) => element.textContent === wanted);
			if (value) getSelection()?.selectAllChildren(value);
			return getSelection()?.toString();
		}, text);

	test("shows the data of the registers, and copies its numbers as digits", async ({ page }) => {
		await open(page, "/entreprise/552032534");
		await expect(title(page)).toHaveText("DANONE");
		for (const text of ["Entreprise active", "1er mars 1955", "70.10Z", "Activités des sièges sociaux", "Insee, base Sirene"])
			await expect(page.getByText(text).first()).toBeVisible();
		expect(await copied(page, "552032534")).toBe("552032534");
		expect(await copied(page, "55203253400703")).toBe("55203253400703");
		await expect(page.getByText("Livraison sous")).toHaveCount(3);
		await expect(page.getByText("Recommandé")).toHaveCount(1);
	});

	test("keeps a service that is chosen before its JavaScript arrives", async ({ page }) => {
		const scriptsArrive = await delayScripts(page);
		await page.goto("/entreprise/552032534", { waitUntil: "commit" });
		await page.getByRole("radio", { name: /KBIS Standard/ }).check();
		await scriptsArrive();
		await page.getByRole("button", { name: "Continuer vers la commande" }).click();
		await expect(page).toHaveURL("/commande/552032534?service=standard");
	});

	test("opens with a SIREN that has spaces, and answers 404 for an unknown SIREN", async ({ page }) => {
		await page.goto("/entreprise/552%20032%20534");
		await expect(page).toHaveURL("/entreprise/552032534");
		for (const number of ["900000001", "abc"]) {
			const answer = await page.goto(`/entreprise/${number}`);
			expect(answer?.status()).toBe(404);
			await expect(title(page)).toHaveText("Entreprise introuvable");
			await expect(page.getByText(`Aucune entreprise trouvée avec le SIREN ${number}`)).toBeVisible();
			await expect(page.getByRole("link", { name: "Retour à l’accueil" })).toHaveAttribute("href", "/");
		}
	});

	test("of an association sells nothing and links to the free extract", async ({ page }) => {
		await open(page, "/recherche?q=775688732");
		await expect(cards(page).getByRole("link", { name: "Commander KBIS" })).toHaveCount(0);
		await cards(page).getByRole("link", { name: "Voir la fiche" }).click();
		await expect(page).toHaveURL("/entreprise/775688732");
		await expect(page.getByRole("heading", { name: "Pas d’extrait Kbis" })).toBeVisible();
		await expect(page.getByRole("main").getByRole("link", { name: "data.inpi.fr" }).first()).toBeVisible();
		await expect(page.getByRole("radio")).toHaveCount(0);
		await expect(page.getByRole("button", { name: "Continuer vers la commande" })).toHaveCount(0);
	});

	test("of a ceased company says so before the order", async ({ page }) => {
		await open(page, "/entreprise/005420039");
		await expect(page.getByText("Entreprise cessée").first()).toBeVisible();
		await expect(page.getByText("L’extrait le mentionnera.")).toBeVisible();
		await expect(page.getByText("Entreprise active")).toHaveCount(0);
	});

	test("of a masked sole trader shows no name, is found by the full SIREN only, and can be ordered as « Entreprise »", async ({ page }) => {
		const client = await openDatabase(); // generated: the sample has none
		await client.query(`insert into companies (id, siren, status, masked, name_key, legal_category, lexemes)
			values ((select max(id) + 1 from companies), '900000019', 'active', true, 0, '1000', '') on conflict do nothing`);
		await client.end();
		await open(page, "/recherche?q=90000001");
		await expect(page.getByText("Aucune entreprise trouvée pour votre recherche")).toBeVisible();
		await open(page, "/recherche?q=900%20000%20019");
		await expect(cards(page)).toContainText(["Nom et adresse non diffusés, à la demande de l’entreprise."]);
		await cards(page).getByRole("link", { name: "Commander KBIS" }).click();
		await expect(title(page)).toHaveText("Entreprise");
		await expect(page.getByText("l’Insee ne diffuse pas ses autres informations")).toBeVisible();
		await expect(page.getByText("Un extrait K, à vérifier")).toBeVisible();
		await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
		await waitForHydration(page);
		await page.getByRole("radio", { name: /KBIS Express/ }).check();
		await page.getByRole("button", { name: "Continuer vers la commande" }).click();
		await expect(page.getByRole("complementary", { name: "Résumé de commande" })).toContainText("Entreprise");
	});
});
