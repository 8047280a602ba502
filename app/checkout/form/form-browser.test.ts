import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createBrowser, type TestBrowser } from "../../../test/browser.ts";
import { getRedirect, listLineFields, sendPurchaseForm } from "../../../test/purchases/send-purchase-form.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { endFormCookies } from "./form-browser.server.ts";
import { findStoredForm } from "./order-forms.server.ts";

/** What was typed is shown in the browser that typed it, and nowhere else (docs/rules.md, R215). */
let shop: TestShop;
let now = new Date("2026-11-23T09:00:00Z");
beforeAll(async () => {
	shop = await createTestShop({ now: () => now, variables: { ISSUER: "manual" } });
});
afterAll(() => shop?.close());

const several = "/commande/plusieurs";
const danone = "552032534";
const poste = "356000000";

/** Each text is in no page that does not show this field. */
const person = {
	...{ email: "adele@canari.example", firstName: "Adélaïde", lastName: "Canari", phone: "06 98 76 54 32" },
	...{ billTo: "other", company: "Volière et Fils", billingSiren: "732829320", billingVat: "FR44732829320" },
	...{ address: "7 rue du Perchoir", postalCode: "35770", city: "Vern-sur-Seiche" },
};
const recipient = {
	...{ deliveryName: "Maître Moineau", deliveryComplement: "Escalier des Mésanges" },
	...{ deliveryAddress: "9 impasse du Nichoir", deliveryPostalCode: "29860", deliveryCity: "Plabennec" },
};
const second = { deliveryEmail: "second@serin.example" };
const terms = { acceptTerms: "on" };

/** Stored forms, each with the texts that its own browser sees in the form and on the payment page. */
const forms: Record<string, { store: (browser: TestBrowser) => Promise<string>; typed: Record<string, string>; shown: string[] }> = {
	"one extract": {
		store: (browser) => sendForm(browser, { ...person, ...second, siren: danone, service: "express" }),
		typed: { ...person, ...second },
		shown: ["DANONE", "KBIS Express"],
	},
	"one letter": {
		store: (browser) => sendForm(browser, { ...person, ...recipient, siren: danone, service: "postal" }),
		typed: { ...person, ...recipient },
		shown: ["DANONE", "KBIS Postal"],
	},
	"several extracts": {
		store: (browser) => sendList(browser, { ...person, ...second, service: "express" }),
		typed: { ...person, ...second },
		shown: ["DANONE", "LA POSTE", "dossier 7"],
	},
	"several extracts and letters": {
		store: (browser) => sendList(browser, { ...person, ...second, ...recipient, service: "express", "service-2": "postal" }),
		typed: { ...person, ...second, ...recipient },
		shown: ["DANONE", "LA POSTE", "dossier 7"],
	},
};

/** Sends the form of one order. @returns the URL of its payment. */
const sendForm = async (browser: TestBrowser, fields: Record<string, string>, path = "/commande") =>
	getRedirect(await browser.postForm(path, { ...fields, ...terms }));

/** Sends the list of two companies, then their form. @returns the URL of the payment. */
const sendList = (browser: TestBrowser, fields: Record<string, string>) =>
	sendPurchaseForm(browser, `${danone} ; dossier 7\n${poste}`, { ...fields, ...terms });

const read = async (answer: Response) =>
	(await answer.text()).replaceAll("<!-- -->", "").replaceAll("\u00a0", " ").replaceAll("&#x27;", "'");

/** Without the data beside a page, for the browser's script. */
const toVisible = (html: string) => html.replaceAll(/<script[^>]*>.*?<\/script>/gs, "");

/** A page and its data, which the framework requests. */
const toPages = (url: string) => [url, url.replace("?", ".data?")];
const toFormUrl = (payment: string, name: string) => payment.replace("/paiement", name.startsWith("several") ? several : "/commande");
const getToken = (url: string) => url.split("commande=")[1] ?? "";
const getStored = async (url: string) => (await findStoredForm(shop.shop, getToken(url))) ?? expect.fail("nothing is stored");

/** How a page may write a typed text: numbers are grouped, and the second choice of the invoice says nothing. */
const listShown = ({ billTo: _, ...typed }: Record<string, string>): string[] => Object.values(typed);
const isShown = (html: string, text: string) => html.replaceAll(/[\s\u202f]|\\u00a0/g, "").includes(text.replaceAll(/\s/g, ""));
const findShown = (html: string, typed: Record<string, string>) => listShown(typed).filter((text) => isShown(html, text));

const sentence = "Ces informations ont été saisies dans un autre navigateur, ou ce navigateur refuse les cookies.";

let visitors: Record<string, () => Promise<TestBrowser>>;
let own: TestBrowser;
beforeEach(() => {
	own = createBrowser(shop);
	const withCookie = (cookie: string): TestBrowser => {
		const ask: TestBrowser["ask"] = (path, init = {}) => shop.ask(path, { ...init, headers: { ...(init.headers as object), cookie } });
		return { ask, postForm: (path, fields) => ask(path, { method: "POST", body: new URLSearchParams(fields) }) };
	};
	const inAnHour = Math.floor(now.getTime() / 1000) + 3600;
	visitors = {
		"without a cookie": async () => createBrowser(shop),
		"with the cookie of another browser": async () => {
			const other = createBrowser(shop);
			await sendForm(other, { ...person, siren: danone, service: "express", email: "other@example.fr" });
			return other;
		},
		"with an altered cookie": async () => withCookie("saisie=abc.def"),
		"with a cookie that is signed for something else": async () => withCookie(`saisie=${shop.shop.signer.sign("track", `x.${inAnHour}`)}`),
	};
});
const strangers = [
	"without a cookie",
	"with the cookie of another browser",
	"with an altered cookie",
	"with a cookie that is signed for something else",
];

describe.each(Object.entries(forms))("the form of %s", (name, { store, typed, shown }) => {
	test("shows all in the browser that typed it, on its page, at its payment and in their data", async () => {
		const payment = await store(own);
		for (const page of [...toPages(toFormUrl(payment, name)), ...toPages(payment)]) {
			const answer = await own.ask(page);
			const html = await read(answer);
			expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
			// the payment page has no telephone
			const { phone: _, ...paid } = typed;
			expect(findShown(html, typed), page).toEqual(expect.arrayContaining(listShown(page.startsWith("/paiement") ? paid : typed)));
			expect(html).not.toContain(sentence);
		}
	});

	test.each(strangers)("names %s what is ordered, says why the rest is missing, and can be paid", async (visitor) => {
		const payment = await store(own);
		const browser = (await visitors[visitor]?.()) ?? expect.fail();
		for (const page of [...toPages(toFormUrl(payment, name)), ...toPages(payment)]) {
			const answer = await browser.ask(page);
			const html = await read(answer);
			expect([answer.status, page, findShown(html, typed)]).toEqual([200, page, []]);
			for (const part of [...shown, sentence]) expect(html, page).toContain(part);
		}
		const html = await read(await browser.ask(payment));
		const [key = "", amount = ""] = ["key", "amount"].map((field) => new RegExp(`name="${field}" value="([^"]*)"`).exec(html)?.[1]);
		const paid = await browser.postForm(payment, { key, amount });
		expect([paid.status, paid.headers.getSetCookie()]).toEqual([303, []]);
		const confirmation = (paid.headers.get("location") ?? "").slice(shop.url.length).replace("/bac-a-sable/", "/confirmation/");
		const after = await browser.ask(confirmation);
		expect([after.status, findShown(await read(after), typed)]).toEqual([200, []]);
		// what was typed is ordered, and its own browser may pay and see it
		const order = await shop.shop.db
			.selectFrom("orders")
			.selectAll()
			.orderBy("created_at", "desc")
			.orderBy("purchase_line")
			.executeTakeFirstOrThrow();
		expect(order).toMatchObject({ customer_email: typed.email, last_name: typed.lastName, city: typed.city });
		const byOwner = await own.postForm(payment, { key, amount });
		expect(byOwner.headers.get("location")).toBe(paid.headers.get("location"));
		expect(byOwner.headers.getSetCookie()).toContainEqual(expect.stringContaining(`Path=${confirmation};`));
	});

	test("gives nothing away where the provider is down", async () => {
		const payment = await store(own);
		const html = await read(await shop.ask(payment));
		const [key = "", amount = ""] = ["key", "amount"].map((field) => new RegExp(`name="${field}" value="([^"]*)"`).exec(html)?.[1]);
		vi.spyOn(shop.shop.provider, "createSession").mockResolvedValueOnce({ ok: false, code: "unavailable" });
		const refused = await shop.postForm(payment, { key, amount });
		expect([refused.status, refused.headers.getSetCookie(), findShown(await read(refused), typed)]).toEqual([502, [], []]);
		vi.spyOn(shop.shop.provider, "createSession").mockResolvedValueOnce({ ok: false, code: "unavailable" });
		const again = await own.postForm(payment, { key, amount });
		expect([again.status, again.headers.getSetCookie().length > 0]).toEqual([502, true]);
	});

	test.each(strangers)("is not changed %s: what is sent becomes another form", async (visitor) => {
		const payment = await store(own);
		const before = await getStored(payment);
		const browser = (await visitors[visitor]?.()) ?? expect.fail();
		const url = toFormUrl(payment, name);
		const fields = { ...person, email: "thief@example.fr", service: "express", siren: danone, ...terms };
		const lines = { ...listLineFields(await read(await browser.ask(url))), intent: "update" };
		const isSeveral = name.startsWith("several");
		for (const change of isSeveral ? [lines, { ...lines, intent: "remove:1" }, { ...lines, intent: "find-billing-company" }] : [])
			await browser.postForm(url, { ...fields, ...change });
		const sent = await getRedirect(await browser.postForm(url, isSeveral ? { ...fields, ...lines, intent: "" } : fields));
		expect(getToken(sent)).not.toBe(getToken(payment));
		expect(await getStored(payment)).toEqual(before);
		expect((await getStored(sent)).fields.email).toBe("thief@example.fr");
	});
});

test("the cookie goes to the forms and to the payment alone, and lives as long as the last form", async () => {
	const answer = await shop.postForm("/commande", { ...person, ...terms, siren: danone, service: "express" });
	const cookies = answer.headers.getSetCookie();
	expect(cookies.map((cookie) => cookie.replace(/=[\w.-]+/, "=…"))).toEqual(
		["/commande", "/commande.data", "/paiement", "/paiement.data"].map(
			(path) => `saisie=…; Max-Age=86400; Path=${path}; HttpOnly; SameSite=Lax`,
		),
	);
	const [cookie = ""] = cookies[0]?.split(";") ?? [];
	const payment = await getRedirect(answer);
	expect(payment).not.toContain("canari");
	const ask = (sent: string) => shop.ask(payment, { headers: { cookie: sent } });
	// a neighbouring host may set another beside it
	for (const sent of [cookie, `saisie=planted.by-a-neighbour; ${cookie}`, `${cookie}; saisie=planted.by-a-neighbour`])
		expect(await read(await ask(sent))).toContain(person.email);
	// the form lives on, and the cookie was renewed: the first one has ended
	now = new Date(now.getTime() + 12 * 3_600_000);
	const changed = await shop.postForm(
		`/commande?commande=${getToken(payment)}`,
		{ ...person, ...terms, siren: danone, service: "express" },
		{ cookie },
	);
	expect(changed.headers.get("location")).toBe(payment);
	now = new Date(now.getTime() + 12 * 3_600_000 - 1);
	expect(await read(await ask(cookie))).toContain(person.email);
	now = new Date(now.getTime() + 1);
	expect(await read(await ask(cookie))).not.toContain(person.email);
	expect(await read(await ask(changed.headers.getSetCookie()[0]?.split(";")[0] ?? ""))).toContain(person.email);
});

test("the cookie ends wherever it was set", () => {
	expect(endFormCookies(shop.shop)).toEqual(
		["/commande", "/commande.data", "/paiement", "/paiement.data"].map(
			(path) => `saisie=; Max-Age=0; Path=${path}; HttpOnly; SameSite=Lax`,
		),
	);
});

test("a token with the code of another browser, or of another length, is nobody’s", async () => {
	const payment = await sendForm(own, { ...person, siren: danone, service: "express" });
	const { fields } = await getStored(payment);
	const bytes = Buffer.from(getToken(payment), "base64url");
	expect(bytes).toHaveLength(48);
	for (const changed of [
		bytes.subarray(0, 47),
		Buffer.concat([bytes, Buffer.alloc(3)]),
		bytes.map((byte, index) => (index === 47 ? byte ^ 1 : byte)),
	]) {
		const token = Buffer.from(changed).toString("base64url");
		const sent = await sendForm(own, { ...person, firstName: "Autre", siren: danone, service: "express" }, `/commande?commande=${token}`);
		expect([getToken(payment), token]).not.toContain(getToken(sent));
	}
	expect((await getStored(payment)).fields).toEqual(fields);
});

test("several forms of one browser are all its own, and a changed one keeps its address", async () => {
	const first = await sendForm(own, { ...person, siren: danone, service: "express" });
	const other = await sendList(own, { ...person, service: "express" });
	for (const payment of [first, other]) expect(await read(await own.ask(payment))).toContain(person.email);
	const changed = await sendForm(own, { ...person, siren: poste, service: "express" }, first.replace("/paiement", "/commande"));
	expect(changed).toBe(first);
});

describe("a browser that refuses cookies", () => {
	/** Sends no cookie, whatever was set. */
	const ask = (path: string, init: RequestInit = {}) => shop.ask(path, init);
	const customer = { ...person, service: "express", ...terms };

	test("orders several extracts: its buttons answer with all that was typed, and nothing is said of another browser", async () => {
		const url = await getRedirect(await shop.postForm(several, { entreprises: `${danone} ; dossier 7\n${poste}` }));
		const list = await read(await ask(url));
		expect(list).not.toContain(sentence);
		let lines = listLineFields(list);
		const typed = { ...customer, email: "ada@gmial.com" };
		for (const intent of ["update", "remove:2", "find-billing-company", "correct-email:email"]) {
			const answer = await shop.postForm(url, { ...typed, ...lines, intent });
			const html = await read(answer);
			expect([intent, answer.status, answer.headers.getSetCookie(), html.includes(sentence)]).toEqual([intent, 200, [], false]);
			for (const text of ["Canari", "7 rue du Perchoir"]) expect(html, intent).toContain(`value="${text}"`);
			lines = listLineFields(html);
			expect([intent, lines.lignes]).toEqual([intent, intent === "update" ? "2" : "1"]);
		}
		const payment = await getRedirect(await shop.postForm(url, { ...customer, ...lines }));
		const html = await read(await ask(payment));
		for (const part of [
			"Extrait et facture envoyés à l’adresse e-mail indiquée dans la commande",
			"la personne ou la société indiquée dans la commande",
			"dossier 7",
			sentence,
		])
			expect(html).toContain(part);
		expect(html).toContain("Finaliser ma commande - 59€");
	});

	test("is asked again for what it typed when it comes back, and finds what is said of a letter", async () => {
		const payment = await sendForm(createBrowser(shop), { ...person, ...recipient, siren: danone, service: "postal" });
		const html = await read(await ask(payment));
		for (const part of ["Facture et numéro de suivi envoyés à l’adresse e-mail", "Courrier posté à", "l’adresse indiquée dans la commande"])
			expect(html).toContain(part);
		const form = await read(await ask(payment.replace("/paiement", "/commande")));
		expect(form).toContain("Pour modifier la commande, saisissez-les de nouveau.");
		for (const field of ["email", "firstName", "lastName", "phone"]) expect(form).toMatch(new RegExp(`name="${field}"[^>]*value=""`));
		// fields that are left empty are asked for, and what is stored stays
		const empty = await shop.postForm(payment.replace("/paiement", "/commande"), { siren: danone, service: "postal", ...terms });
		expect([empty.status, toVisible(await read(empty)).includes(sentence)]).toEqual([400, false]);
		expect((await getStored(payment)).fields).toMatchObject({ email: person.email });
	});
});

test("a browser that is known, but not for this form, finds again what it typed", async () => {
	const url = (await sendList(own, { ...person, service: "express" })).replace("/paiement", several);
	const other = createBrowser(shop);
	await sendForm(other, { ...person, siren: danone, service: "express" });
	const lines = listLineFields(await read(await other.ask(url)));
	const stored = await getRedirect(await other.postForm(url, { ...lines, lastName: "Rossignol", intent: "update" }));
	expect(stored).not.toBe(url);
	expect(await read(await other.ask(stored))).toContain('value="Rossignol"');
	expect(await read(await own.ask(url))).not.toContain("Rossignol");
});
