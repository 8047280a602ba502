import { type Browser, type BrowserContext, expect, type Page } from "@playwright/test";
import type pg from "pg";
import { extractLines, generatePdf } from "../../test/fixtures/pdf.ts";
import { scaledTimeout } from "../../test/time-limits.ts";

// The steps of operators at the desk, for the browser tests and the bench.

/** An order as the operator finds it in the registry. */
export interface WaitingOrder {
	id: string;
	number: string;
	siren: string;
	service: "standard" | "express" | "postal";
}

/** What a sitting cost, without the registry's time. */
export interface Sitting {
	served: number;
	/** From claiming an order to « Livrer », in milliseconds. */
	times: number[];
	/** Keys and taps. */
	keys: number;
}

/** Orders and pays through the API, as a customer's browser does. */
export async function placeOrders(shop: string, companies: readonly { siren: string; name: string }[], count: number): Promise<void> {
	const services = ["express", "express", "standard", "express", "standard", "postal"] as const;
	const prices = { standard: 3900, express: 5900, postal: 4400 };
	for (let index = 0; index < count; index++) {
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
	const context: BrowserContext = await browser.newContext({ baseURL: shop, locale: "fr-FR", timezoneId: "Europe/Paris", ...options });
	const page = await context.newPage();
	await page.goto("/test");
	await page.getByRole("button", { name: "Ouvrir le bureau" }).click();
	await page.waitForURL("**/bureau/commandes");
	return page;
}

/** An extract that the registry would give for an order: each file is another one. */
export function makeExtract({ number, siren }: Pick<WaitingOrder, "number" | "siren">): { name: string; mimeType: string; buffer: Buffer } {
	const dated = `à jour au ${new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone: "Europe/Paris" }).format(new Date())}`;
	const lines = [...extractLines({ siren: siren.replace(/(\d{3})(?=\d)/g, "$1 "), dated }), `Référence ${number}`];
	return { name: `extrait-${siren}.pdf`, mimeType: "application/pdf", buffer: Buffer.from(generatePdf({ lines })) };
}

/** The order that a page of the desk shows. */
export async function readOpenOrder(page: Page, database: pg.Client): Promise<WaitingOrder> {
	const number = /KB-[\w-]+/.exec(page.url())?.[0] ?? "";
	const { rows } = await database.query("select id, siren, product_code as service from orders where order_number = $1", [number]);
	return { number, ...rows[0] };
}

/**
 * Serves orders one after the other without reloading: next, drop, deliver.
 * @param tap true: with taps, as on a phone; false: with keys.
 * @param until how many orders, or until nothing is left.
 */
export async function serveOrders(page: Page, database: pg.Client, { tap, until }: { tap: boolean; until: number }): Promise<Sitting> {
	const sitting: Sitting = { served: 0, times: [], keys: 0 };
	while (sitting.served < until) {
		const before = page.url();
		const begunAt = performance.now();
		if (tap) await page.getByRole("button", { name: "Prendre la suivante" }).click();
		else await page.keyboard.press("n");
		sitting.keys++;
		const nothingLeft = page.getByText(/Aucune (autre )?commande de cette liste/);
		await expect(async () => {
			if (page.url() === before && !(await nothingLeft.isVisible())) throw new Error("no order is open yet");
		}).toPass({ timeout: scaledTimeout(10_000) });
		if (page.url() === before) break;
		const order = await readOpenOrder(page, database);
		await page.locator('input[type="file"]').setInputFiles(makeExtract(order));
		sitting.keys++; // the drop
		const deliver = page.getByRole("button", {
			name: order.service === "postal" ? "Enregistrer l’extrait à poster" : "Livrer",
			exact: false,
		});
		await expect(deliver).toBeVisible({ timeout: scaledTimeout(20_000) });
		if (tap) await deliver.click();
		else await page.keyboard.press("d");
		sitting.keys++;
		await expect(page.getByText("« Livrer l’extrait », demandé par").first()).toBeVisible();
		sitting.times.push(performance.now() - begunAt);
		sitting.served++;
	}
	return sitting;
}
