import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { endAlertUrl, endAllUrl } from "../companies/alerts/links.server.ts";
import { createVisit } from "../customer/tracking/visits/visits.server.ts";
import { confirmationUrl, unsubscribeUrl } from "../emails/newsletter/links.server.ts";
import { signKey } from "../orders/keys.server.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
});
afterAll(() => shop?.close());

describe("a page with personal data is not cached, sends no referrer path, and is not indexed", () => {
	const query = new URLSearchParams({
		siren: "552032534",
		service: "express",
		email: "ada@example.fr",
		firstName: "Ada",
		lastName: "Lovelace",
	});
	let placed: Awaited<ReturnType<TestShop["placeOrder"]>>;
	let resume = "";
	let subscription = { id: "", requested_at: new Date() };
	beforeAll(async () => {
		placed = await shop.placeOrder();
		resume = await shop.getResumePath(placed.payUrl);
		await shop.postForm("/lettre-information", { email: "ada@example.fr" });
		const { db } = shop.shop;
		subscription = await db.selectFrom("newsletter_subscriptions").select(["id", "requested_at"]).executeTakeFirstOrThrow();
	});

	test.each<[string, () => string]>([
		["the order form", () => `/commande?${query}`],
		["the payment", () => `/paiement?${query}`],
		["the resumed payment", () => resume],
		["the sandbox", () => new URL(placed.payUrl).pathname],
		["the confirmation", () => `/confirmation/${placed.sessionId}`],
		["the order's page", () => `/suivi/${placed.number}`],
		[
			"the receipt of a withdrawal",
			() => `/retractation?recu=${signKey(shop.shop, "withdrawal-receipt", placed, { access: "purchase", visit: createVisit() })}`,
		],
		["the confirmation of the newsletter", () => new URL(confirmationUrl(shop.shop, subscription.id, subscription.requested_at)).pathname],
		["the end of the newsletter", () => new URL(unsubscribeUrl(shop.shop, subscription.id)).pathname],
		["the end of an alert about a company", () => new URL(endAlertUrl(shop.shop, subscription.id)).pathname],
		["the end of all alerts", () => new URL(endAllUrl(shop.shop, subscription.id)).pathname],
		["« Mes commandes »", () => "/mes-commandes"],
		["the demo's test page", () => "/test"],
	])("%s", async (_name, path) => {
		const { status, headers } = await shop.ask(path());
		expect({ status, ...Object.fromEntries(headers) }).toMatchObject({
			status: 200,
			"cache-control": "no-store",
			"referrer-policy": "strict-origin",
			"x-robots-tag": "noindex",
		});
		expect(headers.get("etag")).toBeNull();
	});
});
