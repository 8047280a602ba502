import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseEnvironment } from "../../server/environment/environment.ts";
import type { ShopIdentity } from "../../server/environment/shop-identity.ts";
import { listStrings, listUrls } from "../../test/texts.ts";
import { cents, formatEuros, splitVat } from "../catalogue/money.ts";
import { archivedContractCents } from "../catalogue/retention.ts";
import { serviceCodes, services } from "../catalogue/services.ts";
import { subscription } from "../catalogue/subscription.ts";
import { companyConcerns } from "../customer/contact/contact-message.ts";
import { sandboxTexts } from "../payments/sandbox/sandbox-texts.ts";
import { stripeTexts } from "../payments/stripe/stripe-provider.server.ts";
import { partLabels } from "../web/status/part.ts";
import { orderQuestions } from "./faq.ts";
import { fillIn } from "./fill-in.ts";
import { getParagraph, getSection, isContentPage } from "./text.ts";
import { getBreadcrumb, getText, readFile, texts } from "./texts.ts";
import { gatherTextVariables } from "./variables.ts";

const settings = {
	SHOP_NAME: "Extraits du Marais",
	SHOP_LEGAL_ENTITY: "Marais Formalités SARL au capital de 10 000 euros",
	SHOP_ADDRESS: "8 rue des Tests, 75004 Paris",
	SHOP_SIREN: "123 456 782",
	SHOP_RCS: "RCS Paris",
	SHOP_VAT: "FR11 123456782",
	SHOP_PHONE: "01 99 12 34 56",
	SHOP_EMAIL: "bonjour@marais.example",
	SHOP_SUPPORT_HOURS: "du lundi au samedi, 9h-19h",
	SHOP_MEDIATOR: "Médiation du Marais, 2 rue des Tests, mediation.example",
	SHOP_HOST: "Hébergement du Marais, 3 rue des Tests, 75004 Paris, 01 99 65 43 21",
	SHOP_PUBLISHER: "Ada Martin, gérante",
	OFFICIAL_PRICE_CENTS: "333",
};
const parsed = parseEnvironment(settings);
if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
const { environment } = parsed;
const variables = gatherTextVariables(environment, sandboxTexts);

const joinStrings = (content: unknown) => listStrings(content).join("\n");
const fillAndJoin = (content: unknown) => joinStrings(fillIn(content, variables));
const replaceNoBreakSpaces = (text: string) => text.replaceAll("\u00a0", " ");

test.each(["/cgv", "/politique-confidentialite", "/politique-rgpd", "/mentions-legales"])("%s identifies the seller", (address) => {
	const text = replaceNoBreakSpaces(fillAndJoin(getText(address)));
	const fields: (keyof ShopIdentity)[] = ["legalEntity", "address", "siren", "phone", "email"];
	for (const field of fields) expect(text).toContain(environment.shop[field]);
	expect(text).toContain("du lundi au samedi, de 9 h à 19 h");
});

test("the terms have the mediator and the VAT number, the rights page the host", () => {
	expect(fillAndJoin(getText("/cgv"))).toContain(environment.shop.mediator);
	expect(fillAndJoin(getText("/cgv"))).toContain(environment.shop.vat);
	expect(fillAndJoin(getText("/politique-rgpd"))).toContain(environment.shop.host);
});

test("the legal notices identify the publisher and the host, as the law requires", () => {
	const notices = replaceNoBreakSpaces(fillAndJoin(getText("/mentions-legales")));
	for (const field of ["rcs", "vat", "publisher", "host", "mediator"] as const) expect(notices).toContain(environment.shop[field]);
});

test("the page about cookies names each entry of the browser's storage that the code uses", () => {
	const source = globSync("app/**/*.{ts,tsx}", { exclude: (name) => name.includes(".test.") })
		.map((path) => readFileSync(path, "utf8"))
		.join("\n");
	const used = new Set([...source.matchAll(/(?:local|session)Storage\.\w+Item\(("[^"]+"|\w+)/g)].map(([, key]) => key));
	const names = [...used].flatMap((key = "") =>
		key.startsWith('"') ? [key.slice(1, -1)] : [...source.matchAll(new RegExp(`const ${key} = "([^"]+)"`, "g"))].map(([, name]) => name),
	);
	expect(names).toEqual(expect.arrayContaining(["kbis-draft", "kbis-coordonnees", "bureau-sans-touches"]));
	const text = listStrings(getText("/cookies").sections).join(" ");
	for (const name of names) expect(text).toContain(name);
});

test("the two pages on personal data link to each other, one also to cookies and security", () => {
	for (const [page, ...targets] of [
		["/politique-confidentialite", "/politique-rgpd", "/cookies", "/securite"],
		["/politique-rgpd", "/politique-confidentialite"],
	] as const)
		for (const target of targets) expect(listUrls(getText(page))).toContainEqual(expect.stringMatching(`^${target}`));
});

test("the terms have the price of every service, with and without VAT", () => {
	for (const code of serviceCodes) {
		const { name, price } = services[code];
		expect(fillAndJoin(getText("/cgv"))).toContain(name);
		expect(fillAndJoin(getText("/cgv"))).toContain(formatEuros(price));
		expect(fillAndJoin(getText("/cgv"))).toContain(formatEuros(splitVat(price).ht));
	}
});

test("texts have only amounts of the catalogue, the environment or the law", () => {
	const postal = services.postal;
	const knownAmounts = [
		...serviceCodes.flatMap((code) => [services[code].price, ...Object.values(splitVat(services[code].price))]),
		postal.basePrice,
		postal.postalSupplement,
		cents(environment.officialPrice.cents),
		subscription.firstPrice,
		subscription.monthlyPrice,
		archivedContractCents,
	].map((amount) => replaceNoBreakSpaces(formatEuros(amount)));
	for (const [name, text] of Object.entries(texts)) {
		const amounts = replaceNoBreakSpaces(fillAndJoin(text)).match(/[\d ]*\d(,\d+)? €/g) ?? [];
		for (const amount of amounts) expect([...knownAmounts, "40 €"], `${name} prints ${amount}`).toContain(amount.trim());
	}
});

test.each(Object.entries(texts))("%s has only known variables and valid anchors", (_, text) => {
	expect(fillAndJoin(text)).not.toMatch(/[{}]/);
	const anchors = text.sections.map(({ anchor }) => anchor);
	expect(new Set(anchors).size).toBe(anchors.length);
	for (const url of listUrls(text)) if (url.startsWith("#")) expect(anchors).toContain(url.slice(1));
});

test.each(Object.entries(texts))("%s shows no Markdown notation", (_, text) => {
	for (const shown of listStrings(fillIn(text, variables))) expect(shown).not.toMatch(/\*\*|\]\(/);
});

test("links to sections of other texts have existing anchors", () => {
	for (const url of listUrls(texts)) {
		const [, address = "", anchor] = /^(\/[\w/-]+)#([\w-]+)$/.exec(url) ?? [];
		if (anchor) expect(texts[address]?.sections.map((section) => section.anchor) ?? [], address).toContain(anchor);
	}
});

test.each(Object.entries(texts))("%s has a unique title, a unique description and enough content", (address, text) => {
	const { title, description, introduction, sections } = text;
	expect(fillAndJoin(description).length, address).toBeGreaterThan(50);
	const others = Object.entries(texts).filter(([other]) => other !== address);
	for (const [, other] of others) expect([other.title, other.description]).not.toContain(title);
	for (const [, other] of others) expect(other.description).not.toBe(description);
	if (isContentPage(text)) expect(joinStrings([introduction, sections]).length).toBeGreaterThan(600);
});

test("service pages have their price, and every parent is a page", () => {
	for (const code of serviceCodes) expect(fillAndJoin(getText(`/services/kbis-${code}`))).toContain(formatEuros(services[code].price));
	for (const { parent } of Object.values(texts)) if (parent !== null) expect(Object.keys(texts)).toContain(parent);
});

test.each(Object.entries(texts))("%s has French typography: no-break spaces, curly apostrophes", (_, text) => {
	const shown = fillAndJoin(text);
	expect(shown).not.toMatch(/ [:;?!€%»]|« /);
	expect(shown).not.toContain("'");
});

test("sections that components find by anchor have the heading that components show", () => {
	for (const [concern, label] of Object.entries(companyConcerns)) expect(getSection(getText("/contact"), concern).heading).toBe(label);
	for (const [part, label] of Object.entries(partLabels)) {
		const section = getSection(getText("/status-systeme"), part);
		expect(section.heading).toBe(label);
		expect(getParagraph(section)).not.toBe("");
	}
});

test("the security page claims encryption only with HTTPS, and official extracts only with a real issuer", () => {
	const { baseUrl, production, issuer } = environment;
	const readSecurityPage = (overrides: Partial<typeof environment>) =>
		joinStrings(fillIn(getText("/securite"), gatherTextVariables({ ...environment, ...overrides }, sandboxTexts)));
	expect({ baseUrl, production, issuer }).toMatchObject({ production: false, issuer: "specimen", baseUrl: "http://localhost:3000" });
	expect(readSecurityPage({ baseUrl: "http://localhost/?https://" })).toContain("sans chiffrement");
	expect(readSecurityPage({})).toContain("sans chiffrement");
	expect(readSecurityPage({})).not.toContain("servies en HTTPS");
	expect(readSecurityPage({})).toContain("n’a pas de sauvegarde");
	expect(readSecurityPage({})).toContain("spécimens sans valeur");
	const real = readSecurityPage({ baseUrl: "https://www.example.fr", production: true, issuer: "manual" });
	expect(real).toContain("servies en HTTPS");
	expect(real).not.toContain("sans chiffrement");
	expect(real).not.toContain("spécimen");
});

test("a fault of a text is told with its file, a missing text with the file that it would have", () => {
	expect(() => readFile("./texts/services/kbis.md", "Bonjour.")).toThrow(
		"app/content/texts/services/kbis.md: a text begins with its title",
	);
	expect(() => getText("/services/rien")).toThrow("there is no app/content/texts/services/rien.md");
});

test.each(serviceCodes)("the title of the page of %s says what it sells, its heading and its place only the name", (code) => {
	const path = `/services/kbis-${code}`;
	const name = `{${code}Name}`;
	expect(getText(path)).toMatchObject({ heading: name, title: expect.stringMatching(/^\{\w+Name\} : extrait Kbis /) });
	expect(getBreadcrumb(path).at(-1)).toEqual({ label: name });
});

test("the breadcrumb of a page links to each page above it", () => {
	expect(getBreadcrumb("/destinataires/banque")).toEqual([
		{ label: "Accueil", href: "/" },
		{ label: getText("/aide").title, href: "/aide" },
		{ label: getText("/destinataires").title, href: "/destinataires" },
		{ label: getText("/destinataires/banque").title },
	]);
	const place = ({ href }: ReturnType<typeof getBreadcrumb>[number]) => href;
	for (const path of Object.keys(texts)) {
		const above = getBreadcrumb(path);
		expect(above.slice(0, -1).map(place)).not.toContain(undefined);
		expect(above.map(place).at(-1)).toBeUndefined();
	}
});

test("the support page answers the questions about an order that exists, the others stand on /faq", () => {
	expect(orderQuestions.map(({ question }) => question)).toEqual([
		"En combien de temps vais-je le recevoir ?",
		"Puis-je annuler ma commande ?",
		"Que se passe-t-il si la commande échoue ?",
		"Comment suivre ma commande ?",
	]);
});

test("the rights page names the payment provider, or states that nothing is charged", () => {
	expect(fillAndJoin(getText("/politique-rgpd"))).toContain("qui n’encaisse rien");
	expect(joinStrings(fillIn(getText("/politique-rgpd"), gatherTextVariables(environment, stripeTexts)))).toContain("Stripe");
});
