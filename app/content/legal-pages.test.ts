import { expect, test } from "vitest";
import { parseEnvironment, type ShopIdentity } from "../../server/environment.ts";
import { cents, formatEuros, splitVat } from "../catalogue/money.ts";
import { serviceCodes, services } from "../catalogue/services.ts";
import { subscription } from "../catalogue/subscription.ts";
import { dataProtection } from "./data-protection.ts";
import { factsOf } from "./facts.ts";
import { fillIn, type LegalText } from "./legal-text.ts";
import { newsletterPage } from "./newsletter.ts";
import { privacyPolicy } from "./privacy-policy.ts";
import { subscriptionPage } from "./subscription.ts";
import { termsOfSale } from "./terms-of-sale.ts";

const given = {
	SHOP_NAME: "Extraits du Marais",
	SHOP_LEGAL_ENTITY: "Marais Formalités SARL au capital de 10 000 euros",
	SHOP_ADDRESS: "8 rue des Tests, 75004 Paris",
	SHOP_SIREN: "123 456 782",
	SHOP_VAT: "FR05 123456782",
	SHOP_PHONE: "01 99 12 34 56",
	SHOP_EMAIL: "bonjour@marais.example",
	SHOP_SUPPORT_HOURS: "du lundi au samedi, 9h-19h",
	SHOP_MEDIATOR: "Médiation du Marais, 2 rue des Tests, mediation.example",
	SHOP_HOST: "Hébergement du Marais, 3 rue des Tests",
	OFFICIAL_PRICE_CENTS: "333",
};
const parsed = parseEnvironment(given);
if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
const { environment } = parsed;
const facts = factsOf(environment);

const legalPages = { termsOfSale, privacyPolicy, dataProtection } satisfies Record<string, LegalText>;
const pages = { ...legalPages, newsletterPage, subscriptionPage };

/** Every string of a text, in reading order. */
function stringsOf(content: unknown): string[] {
	if (typeof content === "string") return [content];
	return Object.values(content as object).flatMap(stringsOf);
}
const read = (content: unknown) => stringsOf(content).join("\n");
const filled = (content: unknown) => read(fillIn(content, facts));
const plainSpaces = (text: string) => text.replaceAll("\u00a0", " ");

test.each(Object.entries(legalPages))("%s names who is behind the shop", (_, text) => {
	const named: (keyof ShopIdentity)[] = ["legalEntity", "address", "siren", "phone", "email", "supportHours"];
	for (const field of named) expect(plainSpaces(filled(text))).toContain(environment.shop[field]);
});

test("the terms name the mediator and the VAT number, the rights page the host", () => {
	expect(filled(termsOfSale)).toContain(environment.shop.mediator);
	expect(filled(termsOfSale)).toContain(environment.shop.vat);
	expect(filled(dataProtection)).toContain(environment.shop.host);
});

test("the terms give every service its price, with and without VAT", () => {
	for (const code of serviceCodes) {
		const { name, price } = services[code];
		expect(filled(termsOfSale)).toContain(name);
		expect(filled(termsOfSale)).toContain(formatEuros(price));
		expect(filled(termsOfSale)).toContain(formatEuros(splitVat(price).ht));
	}
});

test("no amount is printed that the catalogue, the environment or the law does not know", () => {
	const postal = services.postal;
	const known = [
		...serviceCodes.flatMap((code) => [services[code].price, splitVat(services[code].price).ht]),
		postal.basePrice,
		postal.postalSupplement,
		cents(environment.officialPrice.cents),
		subscription.firstPrice,
		subscription.monthlyPrice,
	].map((amount) => plainSpaces(formatEuros(amount)));
	for (const [name, text] of Object.entries(pages)) {
		const printed = plainSpaces(filled(text)).match(/[\d ]*\d(,\d+)? €/g) ?? [];
		for (const amount of printed) expect([...known, "40 €"], `${name} prints ${amount}`).toContain(amount.trim());
	}
});

test.each(Object.entries(pages))("%s has only values that exist, and anchors that lead somewhere", (_, text) => {
	const shown = filled(text);
	expect(shown).not.toMatch(/[{}]/);
	const anchors = "sections" in text ? text.sections.map(({ anchor }) => anchor) : [];
	expect(new Set(anchors).size).toBe(anchors.length);
	for (const [, target] of shown.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(target);
});

test("a link from one page to a part of another leads there", () => {
	const anchors = dataProtection.sections.map(({ anchor }) => anchor);
	for (const [, target] of read(pages).matchAll(/\{rightsUrl\}#([\w-]+)/g)) expect(anchors).toContain(target);
});

test.each(Object.entries(pages))("%s is set as French is: unbroken spaces, curly apostrophes", (_, text) => {
	const shown = filled(text);
	expect(shown).not.toMatch(/ [:;?!€%»]|« /);
	expect(shown).not.toContain("'");
});

test("without Stripe's key, the pages say that nothing is charged; with it, they name Stripe", () => {
	expect(filled(dataProtection)).toContain("qui n’encaisse rien");
	const stripe = { secretKey: "sk_test_123", webhookSecret: "whsec_123", apiBase: undefined, live: false };
	expect(read(fillIn(dataProtection, factsOf({ ...environment, stripe })))).toContain("Stripe");
});
