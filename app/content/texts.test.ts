import { expect, test } from "vitest";
import { parseEnvironment } from "../../server/environment/environment.ts";
import type { ShopIdentity } from "../../server/environment/shop-identity.ts";
import { cents, formatEuros, splitVat } from "../catalogue/money.ts";
import { serviceCodes, services } from "../catalogue/services.ts";
import { subscription } from "../catalogue/subscription.ts";
import { subscriptionTexts } from "../contact/subscription-texts.ts";
import { newsletterTexts } from "../newsletter/newsletter-texts.ts";
import { fillIn, type Text, wordsOf } from "./text.ts";
import { texts } from "./texts.ts";
import { gatherTextVariables } from "./variables.ts";

const given = {
	SHOP_NAME: "Extraits du Marais",
	SHOP_LEGAL_ENTITY: "Marais Formalités SARL au capital de 10 000 euros",
	SHOP_ADDRESS: "8 rue des Tests, 75004 Paris",
	SHOP_SIREN: "123 456 782",
	SHOP_RCS: "RCS Paris",
	SHOP_VAT: "FR05 123456782",
	SHOP_PHONE: "01 99 12 34 56",
	SHOP_EMAIL: "bonjour@marais.example",
	SHOP_SUPPORT_HOURS: "du lundi au samedi, 9h-19h",
	SHOP_MEDIATOR: "Médiation du Marais, 2 rue des Tests, mediation.example",
	SHOP_HOST: "Hébergement du Marais, 3 rue des Tests, 75004 Paris, 01 99 65 43 21",
	SHOP_PUBLISHER: "Ada Martin, gérante",
	OFFICIAL_PRICE_CENTS: "333",
};
const parsed = parseEnvironment(given);
if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
const { environment } = parsed;
const facts = gatherTextVariables(environment);

const pages = { ...texts, newsletterTexts, subscriptionTexts };
const text = (address: string): Text => {
	const found = texts[address];
	if (found === undefined) throw new Error(`no text at ${address}`);
	return found;
};

/** Every string of a text, in reading order. */
function stringsOf(content: unknown): string[] {
	if (typeof content === "string") return [content];
	if (content === null) return [];
	return Object.values(content as object).flatMap(stringsOf);
}
const read = (content: unknown) => stringsOf(content).join("\n");
const filled = (content: unknown) => read(fillIn(content, facts));
const plainSpaces = (text: string) => text.replaceAll("\u00a0", " ");

test.each(["/cgv", "/politique-confidentialite", "/politique-rgpd", "/mentions-legales"])("%s names who is behind the shop", (address) => {
	const named: (keyof ShopIdentity)[] = ["legalEntity", "address", "siren", "phone", "email", "supportHours"];
	for (const field of named) expect(plainSpaces(filled(text(address)))).toContain(environment.shop[field]);
});

test("the terms name the mediator and the VAT number, the rights page the host", () => {
	expect(filled(text("/cgv"))).toContain(environment.shop.mediator);
	expect(filled(text("/cgv"))).toContain(environment.shop.vat);
	expect(filled(text("/politique-rgpd"))).toContain(environment.shop.host);
});

test("the legal notices say what the law wants of an editor and of its host", () => {
	const notices = plainSpaces(filled(text("/mentions-legales")));
	for (const field of ["rcs", "vat", "publisher", "host", "mediator"] as const) expect(notices).toContain(environment.shop[field]);
});

test("each of the two pages on personal data leads to the other, and to cookies and security", () => {
	for (const [page, ...targets] of [
		["/politique-confidentialite", "/politique-rgpd", "/cookies", "/securite"],
		["/politique-rgpd", "/politique-confidentialite"],
	] as const)
		for (const target of targets) expect(read(text(page))).toContain(`](${target}`);
});

test("the terms give every service its price, with and without VAT", () => {
	for (const code of serviceCodes) {
		const { name, price } = services[code];
		expect(filled(text("/cgv"))).toContain(name);
		expect(filled(text("/cgv"))).toContain(formatEuros(price));
		expect(filled(text("/cgv"))).toContain(formatEuros(splitVat(price).ht));
	}
});

test("no amount is printed that the catalogue, the environment or the law does not know", () => {
	const postal = services.postal;
	const known = [
		...serviceCodes.flatMap((code) => [services[code].price, ...Object.values(splitVat(services[code].price))]),
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

test.each(Object.entries<Text | typeof newsletterTexts | typeof subscriptionTexts>(pages))(
	"%s has only values that exist, and anchors that lead somewhere",
	(_, text) => {
		const shown = filled(text);
		expect(shown).not.toMatch(/[{}]/);
		const anchors = "sections" in text ? text.sections.map(({ anchor }: { anchor: string }) => anchor) : [];
		expect(new Set(anchors).size).toBe(anchors.length);
		for (const [, target] of shown.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(target);
	},
);

test.each(Object.entries(pages))("%s shows none of its own notation: strong words hold no link", (_, text) => {
	for (const shown of stringsOf(fillIn(text, facts))) expect(wordsOf(shown)).not.toMatch(/\*\*|\]\(/);
});

test("a link from one text to a part of another leads there", () => {
	for (const [, address = "", anchor] of read(pages).matchAll(/\]\((\/[\w/-]+)#([\w-]+)\)/g))
		expect(texts[address]?.sections.map((section) => section.anchor) ?? [], address).toContain(anchor);
});

test.each(Object.entries(texts))(
	"%s has a title, a description of its own and real content",
	(address, { title, description, introduction, sections }) => {
		expect(filled(description).length, address).toBeGreaterThan(50);
		const others = Object.entries(texts).filter(([other]) => other !== address);
		for (const [, other] of others) expect([other.title, other.description]).not.toContain(title);
		for (const [, other] of others) expect(other.description).not.toBe(description);
		expect(read([introduction, sections]).length).toBeGreaterThan(600);
	},
);

test("the pages of the services name their own price, and every text’s parent is a page", () => {
	for (const code of serviceCodes) expect(filled(text(`/services/kbis-${code}`))).toContain(formatEuros(services[code].price));
	for (const { parent } of Object.values(texts)) if (parent !== null) expect(Object.keys(texts)).toContain(parent);
});

test.each(Object.entries<Text | typeof newsletterTexts | typeof subscriptionTexts>(pages))(
	"%s is set as French is: unbroken spaces, curly apostrophes",
	(_, text) => {
		const shown = filled(text);
		expect(shown).not.toMatch(/ [:;?!€%»]|« /);
		expect(shown).not.toContain("'");
	},
);

test("encryption is claimed only where pages are encrypted, and greffe's extracts only where they are sold", () => {
	const { baseUrl, production, issuer } = environment;
	const security = (over: Partial<typeof environment>) => read(fillIn(text("/securite"), gatherTextVariables({ ...environment, ...over })));
	expect({ baseUrl, production, issuer }).toMatchObject({ production: false, issuer: "specimen", baseUrl: "http://localhost:3000" });
	expect(security({})).toContain("sans chiffrement");
	expect(security({})).not.toContain("servies en HTTPS");
	expect(security({})).toContain("n’a pas de sauvegarde");
	expect(security({})).toContain("spécimens sans valeur");
	const real = security({ baseUrl: "https://www.example.fr", production: true, issuer: "manual" });
	expect(real).toContain("servies en HTTPS");
	expect(real).not.toContain("sans chiffrement");
	expect(real).not.toContain("spécimen");
});

test("without Stripe's key, the pages say that nothing is charged; with it, they name Stripe", () => {
	expect(filled(text("/politique-rgpd"))).toContain("qui n’encaisse rien");
	const stripe = { secretKey: "sk_test_123", webhookSecret: "whsec_123", apiBase: undefined, live: false };
	expect(read(fillIn(text("/politique-rgpd"), gatherTextVariables({ ...environment, stripe })))).toContain("Stripe");
});
