import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createBrowser, type TestBrowser } from "../../../test/browser.ts";
import { extractLines, generatePdf } from "../../../test/fixtures/pdf.ts";
import { sendPurchaseForm } from "../../../test/purchases/send-purchase-form.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { isPosted, type ServiceCode } from "../../catalogue/services.ts";
import { listKindsTo } from "../../emails/order-emails.server.ts";
import { postExtract } from "../../fulfilment/post-extract.server.ts";
import { uploadExtract } from "../../fulfilment/upload-extract.server.ts";
import { type DemoMail, readDemoMail } from "../../mail/read-demo-mails.server.ts";
import type { Order } from "../../orders/order.ts";
import { createTrackingCookies } from "./tracking-access.server.ts";

// What a customer reads from the payment to the delivery, for one extract, for several of one service and for several services.

let shop: TestShop;
let now = new Date("2026-11-23T09:00:00Z");
beforeAll(async () => {
	shop = await createTestShop({ now: () => now, variables: { ISSUER: "manual" } });
});
afterAll(() => shop?.close());

const readMain = (html: string) =>
	(/<main.*<\/main>/s.exec(html)?.[0] ?? "")
		.replace(/<(script|style)\b.*?<\/\1>/gs, "")
		.replace(/<!-- -->/g, "")
		.replace(/<\/(p|li|dt|dd|h\d|div|a|button|label|summary)>/g, "\n")
		.replace(/<[^>]+>/g, " ")
		.replaceAll("&#x27;", "'")
		.replaceAll("&amp;", "&")
		.replaceAll("&quot;", '"');

/** One sentence a line, without what differs from run to run. */
function normalise(text: string, numbers: readonly string[]): string {
	let known = text.replace(/[ \t\u00a0\u202f]+/g, " ").replace(/\s*\n\s*/g, "\n");
	for (const [index, number] of numbers.entries()) known = known.replaceAll(number, `KB-${index + 1}`);
	return known
		.replace(/http:\/\/127\.0\.0\.1:\d+/g, "")
		.replace(/(\/(?:acces|documents|reprendre|ensemble|surveillance|verifier|version)\/)[\w.-]{20,}/g, "$1…")
		.replace(/PDF, \d+ ko/g, "PDF, … ko")
		.trim();
}

/** The e-mails to the customer of a purchase, once this many have left. */
const listMails = ({ purchase_id }: Pick<Order, "purchase_id">, count: number): Promise<DemoMail[]> =>
	vi.waitFor(
		async () => {
			const rows = await shop.shop.db
				.selectFrom("mails")
				.innerJoin("orders", "orders.id", "mails.order_id")
				.select(["mails.id", "mails.kind", "mails.sent_at"])
				.where("purchase_id", "=", purchase_id)
				.where("mails.kind", "not in", listKindsTo("operator"))
				.orderBy("mails.kind")
				.orderBy("purchase_line")
				.execute();
			expect(rows.filter(({ sent_at }) => sent_at !== null)).toHaveLength(count);
			return Promise.all(rows.map(({ id }) => readDemoMail(join(shop.shop.environment.dataDir, "mails"), id)));
		},
		{ timeout: scaledTimeout(20_000), interval: 25 },
	);

const customer = {
	...{ email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", acceptTerms: "on" },
	...{ billTo: "other", address: "1 rue de la Paix", postalCode: "75002", city: "Paris", deliveryEmail: "client@example.fr" },
	...{ deliveryAddress: "1 quai de la Corse", deliveryPostalCode: "75004", deliveryCity: "Paris" },
};
const companies = ["552032534", "356000000", "423435544"];

/** Sends the form for these services, a company for each. @returns the URL of the payment page. */
async function sendForm(browser: TestBrowser, services: readonly ServiceCode[]): Promise<string> {
	const [service = "", siren = ""] = [services[0], companies[0]];
	if (services.length === 1) return (await browser.postForm("/commande", { ...customer, service, siren })).headers.get("location") ?? "";
	const ofLines = Object.fromEntries(services.map((code, index) => [`service-${index + 1}`, code]));
	return sendPurchaseForm(browser, companies.slice(0, services.length).join("\n"), { ...customer, service, ...ofLines });
}

const counts: [string, ServiceCode[]][] = [
	["un extrait", ["standard"]],
	["trois extraits d’un service", ["standard", "standard", "standard"]],
	["trois extraits de trois services", ["standard", "express", "postal"]],
];

test("each text says what is true of the number of extracts", async () => {
	const texts: string[] = [];
	for (const [heading, services] of counts) {
		now = new Date("2026-11-23T09:00:00Z");
		const browser = createBrowser(shop);
		const payment = await sendForm(browser, services);
		texts.push(normalise(`=== ${heading}, paiement\n${readMain(await (await browser.ask(payment)).text())}`, []));
		texts.push(normalise(`=== ${heading}, paiement dans un autre navigateur\n${readMain(await (await shop.ask(payment)).text())}`, []));
		const placed = await shop.placePurchase(services, `${services.join("-")}@example.fr`);
		const numbers = placed.orders.map(({ order_number }) => order_number);
		const add = (where: string, text: string) => texts.push(normalise(`=== ${heading}, ${where}\n${text}`, numbers));
		const first = placed.orders[0] as Order;
		const cookie = createTrackingCookies(shop.shop, first, "purchase")
			.getSetCookie()
			.map((set) => set.split(";")[0])
			.join("; ");
		const path = services.length > 1 ? `/suivi/${first.order_number}/ensemble` : `/suivi/${first.order_number}`;
		const read = async (address: string) => readMain(await (await shop.ask(address, { headers: { cookie } })).text());
		add("avant de payer", await read(await shop.getResumePath(placed.payUrl)));
		await shop.payByCard(placed.payUrl);
		for (const { id } of placed.orders) await shop.untilOrderIs("processing", id);
		await listMails(first, 1);
		add("payée", await read(path));
		for (const [index, { id, product_code }] of placed.orders.entries()) {
			const bytes = generatePdf({ lines: [...extractLines({ dated: "à jour au 23 novembre 2026 à 9 h" }), `${first.id} ${index}`] });
			expect(await uploadExtract(shop.shop, { orderId: id, bytes })).toMatchObject({ ok: true });
			if (isPosted(product_code))
				expect(await postExtract(shop.shop, { orderId: id, trackingNumber: "6A01234567890" })).toMatchObject({ ok: true });
		}
		for (const { id } of placed.orders) await shop.untilOrderIs("completed", id);
		const mails = await listMails(first, 1 + new Set(services).size);
		add("livrée", await read(path));
		for (const { subject, text } of mails) add(`e-mail « ${subject} »`, text.split(/^-- ?$/m)[0] ?? "");
	}
	await expect(`${texts.join("\n\n")}\n`).toMatchFileSnapshot("texts-by-count.txt");
});
