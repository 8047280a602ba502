import { expect, type Page } from "@playwright/test";
import { cards, newCustomer } from "./customer.ts";

// Places orders by HTTP, with the cookies of a page's browser. The journeys walk through the pages.

export interface PlacedOrder {
	email: string;
	number: string;
	/** The sandbox's page. */
	payUrl: string;
}

/**
 * Places an express order of DANONE, up to the sandbox's page.
 * @param shop the URL of a separate shop.
 */
export async function placeOrder(page: Page, shop = ""): Promise<PlacedOrder> {
	const customer = newCustomer();
	const query = new URLSearchParams({ siren: "552032534", service: "express", ...customer });
	const consents = { acceptTerms: "on", waiveWithdrawal: "on" };
	const payUrl = await post(page, `${shop}/paiement?${query}`, { key: crypto.randomUUID(), amount: "5900", ...consents });
	const [number] = /KB-\w{4}-\w{4}/.exec(await (await page.request.get(toConfirmation(payUrl))).text()) ?? [];
	if (!number) throw new Error("the confirmation shows no order number");
	return { email: customer.email, number, payUrl };
}

/** Pays with a card that is accepted. @returns the URL of the confirmation. */
export const pay = (page: Page, { payUrl }: PlacedOrder): Promise<string> => post(page, payUrl, { intent: "pay", card: cards.accepted });

/** The confirmation of an order, paid or not. */
export const toConfirmation = (payUrl: string) => payUrl.replace("/bac-a-sable/", "/confirmation/");

/** Sends a form. @returns where its answer leads. */
export async function post(page: Page, url: string, form: Record<string, string>): Promise<string> {
	const answer = await page.request.post(url, { form, maxRedirects: 0 });
	expect(answer.status(), `${url} ${await answer.text()}`).toBe(303);
	return answer.headers().location ?? "";
}
