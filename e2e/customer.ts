import { randomBytes } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";

/** What a customer types. */
export interface Customer {
	email: string;
	firstName: string;
	lastName: string;
	address: string;
	postalCode: string;
	city: string;
}

/** A customer without earlier orders. */
export function newCustomer(): Customer {
	return {
		email: `ada.${randomBytes(5).toString("hex")}@example.fr`,
		firstName: "Ada",
		lastName: "Lovelace",
		address: "12 rue de la Paix",
		postalCode: "75002",
		city: "Paris",
	};
}

export const cards = { accepted: "4242 4242 4242 4242", declined: "4000 0000 0000 0002", secondStep: "4000 0000 0000 3220" } as const;

/** The heading of the confirmation of a paid order, which may be delivered by then. */
export const confirmedHeading = /^(Commande confirmée.!|Votre extrait est prêt|Votre courrier est posté)$/;

/** The completed steps of the order, as a screen reader announces them. */
export const stepsDone = (page: Page) => page.getByRole("list", { name: "Avancement" }).getByRole("listitem").filter({ hasText: "(fait)" });

/** Opens a page and waits until it is hydrated, if it is hydrated at all. */
export async function open(page: Page, path: string): Promise<void> {
	await page.goto(path);
	await waitForHydration(page);
}

/**
 * Waits until the page answers to keys and events of the window. React says that it has hydrated the document; its effects run in later
 * tasks, before the page is idle. Only hydrated pages have the framework’s asynchronous script, at the end of the document.
 */
export async function waitForHydration(page: Page): Promise<void> {
	const isHydrated = () => {
		if (document.readyState === "loading") return false;
		if (document.querySelector("script[type=module][async]") === null) return true;
		const [, root] = Object.entries(document).find(([key]) => key.startsWith("__reactContainer")) ?? [];
		return root?.stateNode.current.memoizedState.isDehydrated === false;
	};
	// a shared tab may draw no frame, and without one this browser calls neither an animation frame nor an idle page
	await page.waitForFunction(isHydrated, undefined, { polling: 50 });
	await page.evaluate(
		() =>
			new Promise((later) => {
				requestAnimationFrame(() => requestIdleCallback(later));
				setTimeout(later, 3000);
			}),
	);
}

/** Opens a page of the search and waits for the script that it loads when its field is first used. */
export async function openSearch(page: Page, path = "/recherche"): Promise<void> {
	await page.goto(path);
	const field = page.getByRole("combobox", { name: "SIREN, SIRET ou nom d'entreprise" });
	await field.focus();
	await expect.poll(() => field.evaluate((input) => Object.keys(input).some((key) => key.startsWith("__reactFiber")))).toBe(true);
}

/** Holds back the page's JavaScript, as on a slow connection. @returns a function that lets it arrive. */
export async function delayScripts(page: Page): Promise<() => Promise<void>> {
	let arrive = () => {};
	const arrived = new Promise<void>((resolve) => {
		arrive = resolve;
	});
	await page.route("**/assets/*.js", async (route) => {
		await arrived;
		await route.continue();
	});
	return () => {
		arrive();
		return waitForHydration(page);
	};
}

/** Opens the order form and waits for the code that it loads when a field is first used. */
export async function openOrderForm(page: Page, path: string): Promise<void> {
	await open(page, path);
	const field = page.getByLabel("Adresse e-mail", { exact: true });
	await field.focus();
	await expect.poll(() => field.evaluate((input) => Object.keys(input).some((key) => key.startsWith("__reactFiber")))).toBe(true);
}

/** The part of the order form with this heading. */
export const getPart = (page: Page, heading: string): Locator =>
	page.locator("section").filter({ has: page.getByRole("heading", { name: heading, exact: true }) });
export const getBilling = (page: Page): Locator => getPart(page, "Adresse de Facturation");
export const getDelivery = (page: Page): Locator => getPart(page, "Adresse de livraison");

/**
 * Fills in contact and address: a letter's own, otherwise that of the invoice. Types the city only if the postal code does not fill it in.
 */
export async function fillIn(page: Page, customer: Customer, { typesCity = false } = {}): Promise<void> {
	await page.getByLabel("Adresse e-mail", { exact: true }).fill(customer.email);
	await page.getByLabel("Prénom").fill(customer.firstName);
	await page.getByLabel("Nom", { exact: true }).fill(customer.lastName);
	const letter = await getDelivery(page).isVisible();
	await page.getByRole("radio", { name: letter ? "À mon nom, à l’adresse de livraison" : "Je commande pour quelqu’un d’autre" }).check();
	const part = letter ? getDelivery(page) : getBilling(page);
	await part.getByLabel("Adresse", { exact: true }).fill(customer.address);
	await part.getByLabel("Code postal", { exact: true }).fill(customer.postalCode);
	if (typesCity) await part.getByLabel("Ville", { exact: true }).fill(customer.city);
	await expect(part.getByLabel("Ville", { exact: true })).toHaveValue(customer.city);
}

/** Ticks both boxes: terms, and immediate execution. */
export async function tickConsentBoxes(page: Page): Promise<void> {
	await page.getByRole("checkbox", { name: /J’accepte les conditions générales/ }).check();
	await page.getByRole("checkbox", { name: /Je demande l’exécution immédiate/ }).check();
}

/** Types a card number on the sandbox's page and pays. */
export async function payWith(page: Page, card: string): Promise<void> {
	await page.getByLabel("Numéro de carte").fill(card);
	await page.getByRole("button", { name: /^Payer/ }).click();
}

/** Reads the order number, KB-…, from the page. */
export async function readOrderNumber(page: Page): Promise<string> {
	const text = await page.getByText(/^Commande KB-/).textContent();
	const number = /KB-\w{4}-\w{4}/.exec(text ?? "")?.[0];
	if (!number) throw new Error("the page shows no order number");
	return number;
}

/** Opens a company's order form, fills it in, and continues to the sandbox's payment page. */
export async function orderUpToPayment(page: Page, path: string, customer = newCustomer()): Promise<Customer> {
	await openOrderForm(page, path);
	await fillIn(page, customer);
	await tickConsentBoxes(page);
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await page.waitForURL("**/paiement?**");
	await page.getByRole("button", { name: /^Finaliser ma commande/ }).click();
	await page.waitForURL("**/bac-a-sable/**");
	return customer;
}
