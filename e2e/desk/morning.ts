import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import type pg from "pg";
import { extractLines, generatePdf } from "../../test/fixtures/pdf.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { waitForHydration } from "../customer.ts";

// The steps of operators who serve orders at the desk.

/** An order as the operator finds it in the registry. */
export interface WaitingOrder {
	id: string;
	number: string;
	siren: string;
	service: "standard" | "express" | "postal";
}

/** A person at the desk: with keys at a wide screen, or with taps on a phone. */
export interface Operator {
	page: Page;
	database: pg.Client;
	hasKeys: boolean;
}

/** What serving cost, without the registry's time: each order apart. */
export interface Served {
	number: string;
	/** From claiming the order to « Livrer », in milliseconds. */
	ms: number;
	/** Keys, taps and dropped files. */
	acts: number;
}

const prices = { standard: 3900, express: 5900, postal: 4400 };

/** Orders and pays through the API, as a customer's browser does. @param first counts on after earlier orders. */
export async function placeOrders(
	shop: string,
	companies: readonly { siren: string; name: string }[],
	count: number,
	{ first = 0, services = ["express", "express", "standard", "express", "standard", "postal"] as readonly WaitingOrder["service"][] } = {},
): Promise<void> {
	for (let index = first; index < first + count; index++) {
		const [service, company] = [services[index % services.length] ?? "express", companies[index % companies.length]];
		const body = {
			orderData: {
				...{ siren: company?.siren, companyName: company?.name, serviceType: service, amount: prices[service] },
				deliveryMethod: service === "postal" ? "postal" : "email",
			},
			customerData: {
				...{ email: `client${index}@example.fr`, firstName: "Ada", lastName: "Lovelace", phone: "06 12 34 56 78", company: "" },
				...{ address: "1 rue de la Paix", postalCode: "75002", city: "Paris" },
			},
		};
		const json = { "content-type": "application/json" };
		const placed = await fetch(`${shop}/api/create-payment`, { method: "POST", headers: json, body: JSON.stringify(body) });
		const { url, error } = (await placed.json()) as { url?: string; error?: string };
		if (!url) throw new Error(`no order was placed: ${error}`);
		await fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams({ intent: "pay", card: "4242 4242 4242 4242" }) });
	}
}

/** Opens the desk for the demo's operator in a separate browser. */
export async function openDesk(browser: Browser, shop: string, options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
	const context = await browser.newContext({ baseURL: shop, locale: "fr-FR", timezoneId: "Europe/Paris", ...options });
	const page = await context.newPage();
	await page.goto("/test");
	await page.getByRole("button", { name: "Ouvrir le bureau" }).click();
	await page.waitForURL("**/bureau/commandes");
	return page;
}

/** A file as a page receives it. */
export interface DroppedFile {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

/** An extract that the registry would give for an order: each file is another one. */
export function makeExtract({ number, siren }: Pick<WaitingOrder, "number" | "siren">): DroppedFile {
	const dated = `à jour au ${new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone: "Europe/Paris" }).format(new Date())}`;
	const lines = [...extractLines({ siren: siren.replace(/(\d{3})(?=\d)/g, "$1 "), dated }), `Référence ${number}`];
	return { name: `extrait-${siren}.pdf`, mimeType: "application/pdf", buffer: Buffer.from(generatePdf({ lines })) };
}

/** The order that a page of the desk shows. */
export async function readOpenOrder({ page, database }: Operator): Promise<WaitingOrder> {
	const number = /KB-[\w-]+/.exec(page.url())?.[0] ?? "";
	const { rows } = await database.query("select id, siren, product_code as service from orders where order_number = $1", [number]);
	return { number, ...rows[0] };
}

/** A click with a mouse, a tap with a finger. */
export const press = ({ hasKeys }: Operator, target: Locator) => (hasKeys ? target.click() : target.tap());

/** Takes the next order. @returns null when nothing is left. */
export async function takeNext(operator: Operator): Promise<WaitingOrder | null> {
	const { page, hasKeys } = operator;
	// a key that is pressed before is lost
	await waitForHydration(page);
	const before = page.url();
	if (hasKeys) await page.keyboard.press("n");
	else await page.getByRole("button", { name: "Prendre la suivante" }).tap();
	const limit = { timeout: scaledTimeout(20_000) };
	const opened = page.waitForURL(({ href }) => href !== before, { ...limit, waitUntil: "commit" });
	const nothingLeft = page.getByText(/Aucune (autre )?commande de cette liste/).waitFor(limit);
	// the one that does not come ends at its limit, or with the page
	for (const ended of [opened, nothingLeft]) ended.catch(() => {});
	await Promise.any([opened, nothingLeft]);
	if (page.url() === before) return null;
	const order = await readOpenOrder(operator);
	await expect(page.getByRole("heading", { level: 1, name: order.number })).toBeVisible();
	return order;
}

export const deliverButton = ({ page }: Operator) => page.getByRole("button", { name: /^(Livrer|Enregistrer l’extrait à poster)/ });

export const dropFile = ({ page }: Operator, file: DroppedFile) => page.locator('input[type="file"]').setInputFiles(file);

/** « Livrer »: the act is asked for, and begins within thirty seconds. */
export async function deliver(operator: Operator): Promise<void> {
	await expect(deliverButton(operator)).toBeVisible({ timeout: scaledTimeout(20_000) });
	await waitForHydration(operator.page);
	if (operator.hasKeys) await operator.page.keyboard.press("d");
	else await deliverButton(operator).tap();
	await expect(operator.page.getByText("« Livrer l’extrait », demandé par").first()).toBeVisible({ timeout: scaledTimeout(20_000) });
}

/** Takes the next order with its key, once the page listens to keys. */
export async function openNext(page: Page): Promise<void> {
	const before = page.url();
	await waitForHydration(page);
	await page.keyboard.press("n");
	await expect(page).not.toHaveURL(before);
	await expect(page.getByRole("heading", { name: /^KB-/ })).toBeVisible();
}

export const droppedFile = (page: Page) => page.getByRole("img", { name: "Page 1 du fichier déposé" });

const danone = { siren: "552032534", name: "DANONE" };

/** Orders and pays an express extract of DANONE. */
export const placeOrder = (shop: string) => placeOrders(shop, [danone], 1, { services: ["express"] });

let extracts = 0;
/** A different extract each time, by default of DANONE. */
export const newExtract = (siren = danone.siren) => makeExtract({ siren, number: `${++extracts}` });

/**
 * Serves orders one after the other without reloading: next, drop, deliver.
 * @param until how many orders; by default until nothing is left.
 */
export async function serveOrders(operator: Operator, until = Number.POSITIVE_INFINITY): Promise<Served[]> {
	const served: Served[] = [];
	while (served.length < until) {
		const begunAt = performance.now();
		const order = await takeNext(operator);
		if (order === null) break;
		await dropFile(operator, makeExtract(order));
		await deliver(operator);
		served.push({ number: order.number, ms: performance.now() - begunAt, acts: ["next", "the file", "deliver"].length });
	}
	return served;
}
