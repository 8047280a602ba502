import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import type { Sales } from "../../catalogue/settings/sales.ts";
import { answerForm } from "./answer-form.server.ts";
import { findDoubtfulEmail } from "./form-buttons.server.ts";
import { findStoredForm } from "./order-forms.server.ts";
import { readOrderValues } from "./read-order-values.ts";

/** The steps from a company's page to the payment, without JavaScript. Sentences are agreed texts (docs/rules.md, R52). */

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
});
afterAll(() => shop?.close());

const association = "775688732";
const person = { email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" };
const place = { billTo: "other", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" };
const order = { siren: "552032534", service: "express", ...person };
const toQuery = (fields: Record<string, string>) => new URLSearchParams(fields);

async function leadsTo(path: string) {
	const { status, headers } = await shop.ask(path);
	return [status, headers.get("location")];
}

describe("a company's page", () => {
	test("leads to the order form with a chosen service, and otherwise shows an error", async () => {
		expect(await leadsTo("/entreprise/552032534?choisir=1&service=postal")).toEqual([302, "/commande/552032534?service=postal"]);
		for (const query of ["choisir=1", "choisir=1&service=gratuit"]) {
			expect(await leadsTo(`/entreprise/552032534?${query}`), query).toEqual([302, "/entreprise/552032534?choisir=service#service"]);
		}
		expect(await (await shop.ask("/entreprise/552032534?choisir=service")).text()).toContain("Choisissez un service pour continuer.");
		for (const query of ["", "?service=postal", "?choisir=0&service=postal"]) {
			const page = await (await shop.ask(`/entreprise/552032534${query}`)).text();
			expect(page, query).not.toContain("Choisissez un service pour continuer.");
			expect(/<input[^>]*checked=""[^>]*value="postal"/.test(page), query).toBe(query !== "");
		}
	});

	test("without an extract leads nowhere", async () => {
		const answer = await shop.ask(`/entreprise/${association}?choisir=1&service=postal`);
		expect(answer.status).toBe(200);
		expect(await answer.text()).not.toContain("Continuer vers la commande");
	});

	test.each([
		["552032534", "Entreprise active", true],
		["005420039", "Entreprise cessée", false],
		["880878145", "Entreprise radiée", false],
	])("of %s says « %s » once, and recommends a service: %s", async (siren, status, recommends) => {
		const page = await (await shop.ask(`/entreprise/${siren}`)).text();
		expect(page.split(`${status}<`)).toHaveLength(2);
		expect(page.includes("Recommandé")).toBe(recommends);
		expect(page.includes("L’extrait le mentionnera.")).toBe(!recommends);
	});

	test("has one URL, however its SIREN is written", async () => {
		expect(await leadsTo("/entreprise/552%20032%20534")).toEqual([301, "/entreprise/552032534"]);
	});
});

describe("the order form", () => {
	test("of a company requires an existing service and a company with an extract", async () => {
		for (const query of ["", "?service=gratuit", "?service=toString"])
			expect(await leadsTo(`/commande/552032534${query}`), query).toEqual([302, "/"]);
		for (const siren of [association, "999999999", "abc"])
			expect(await leadsTo(`/commande/${siren}?service=express`)).toEqual([302, `/entreprise/${siren}`]);
		expect((await shop.ask("/commande/552032534?service=express")).status).toBe(200);
	});

	test.each(["/commande", "/commande/552032534?service=express", "/commande/plusieurs", "/tarifs"])(
		"%s of a demo says that the payment is simulated, and names no card",
		async (path) => {
			const page = await (await shop.ask(path)).text();
			expect(page).toContain("paiement simulé, aucune carte réelle n’est débitée.");
			expect(page).toContain("en France seulement.");
			expect(page).not.toMatch(/Visa|Apple Pay/);
		},
	);

	test.each([
		["express", "Elle figure sur la facture et les e-mails."],
		["postal", "Elle figure sur la facture, les e-mails et le courrier."],
	])("of %s says once why it asks for what it asks", async (service, reference) => {
		const page = (await (await shop.ask(`/commande/552032534?service=${service}`)).text()).split("window.__reactRouterContext")[0] ?? "";
		const hints = [...page.matchAll(/<p id="[^"]*-hint"[^>]*>([^<]*)</g)].map(([, hint]) => hint?.replaceAll("\u00a0", " "));
		expect(hints).toContain(`Celle de votre dossier. ${reference}`);
		expect(hints).toContain("Pour vous joindre en cas de question sur votre commande.");
		expect(hints.filter((hint) => hint?.includes("38 caractères par ligne"))).toHaveLength(1);
		expect(new Set(hints).size).toBe(hints.length);
	});

	test("without a company suggests express, and reads the values of a link", async () => {
		const chosen = async (path: string) => /<input[^>]*checked=""[^>]*value="(\w+)"/.exec(await (await shop.ask(path)).text())?.[1];
		expect(await chosen("/commande")).toBe("express");
		expect(await chosen("/commande?service=postal")).toBe("postal");
		expect(await chosen("/commande?service=gratuit")).toBe("express");
	});

	test("leads to the payment with all values; the company is that of the URL", async () => {
		const answer = await shop.postForm("/commande/552032534", {
			...order,
			...place,
			siren: association,
			acceptTerms: "on",
			newsletter: "on",
		});
		expect(answer.status).toBe(303);
		const { pathname, searchParams } = new URL(answer.headers.get("location") ?? "", shop.url);
		expect(pathname).toBe("/paiement");
		const stored = await findStoredForm(shop.shop, searchParams.get("commande") ?? "");
		const { siren, ...values } = { ...order, ...place, acceptTerms: "on", newsletter: "on" };
		expect(stored).toMatchObject({ fields: values, lines: [{ company: siren, reference: "", service: "", siren }] });
		// a box that is not ticked stays so
		const plain = await shop.postForm("/commande", { ...order, ...place, acceptTerms: "on" });
		const plainToken = new URL(plain.headers.get("location") ?? "", shop.url).searchParams.get("commande") ?? "";
		expect((await findStoredForm(shop.shop, plainToken))?.fields).not.toHaveProperty("newsletter");
	});

	test.each<[string, Record<string, string>, string]>([
		["no company", { siren: "" }, "Vous devez sélectionner une entreprise"],
		["an unknown company", { siren: "999999999" }, "Entreprise introuvable"],
		["a company without an extract", { siren: association }, "data.inpi.fr"],
		["the terms not accepted", { acceptTerms: "" }, "Vous devez accepter les conditions générales"],
		["no first name", { firstName: " " }, "Le prénom est requis"],
		["a postal code of four digits", { postalCode: "7500" }, "Code postal invalide (5 chiffres)"],
	])("%s: shows the error, and keeps the values", async (_what, change, sentence) => {
		const answer = await shop.postForm("/commande", { ...order, ...place, acceptTerms: "on", lastName: "Byron", ...change });
		expect(answer.status).toBe(400);
		const page = await answer.text();
		expect(page).toContain(sentence);
		expect(page).toContain('value="Byron"');
	});

	test("searches for or changes the company without checking other fields, and keeps their values", async () => {
		const found = await shop.postForm("/commande", { intent: "find-company", companyQuery: "danone", lastName: "Byron" });
		expect([found.status, found.headers.get("location")]).toEqual([200, null]);
		const list = await found.text();
		for (const part of ["552032534", 'value="Byron"']) expect(list).toContain(part);
		expect(list).not.toContain("Le prénom est requis");

		const changed = await shop.postForm("/commande", { intent: "change-company", ...order, lastName: "Byron" });
		expect(changed.status).toBe(200);
		const page = await changed.text();
		expect(page).toContain('value="Byron"');
		expect(page).not.toContain("59 RUE LA FAYETTE");
	});
});

describe("the customer's reference of one extract (docs/rules.md, R238)", () => {
	const filledIn = { ...order, ...place, acceptTerms: "on", "reference-1": " dossier\u00a0 2026-114 " };
	const getReference = (html: string) => /<input[^>]*name="reference-1"[^>]*value="([^"]*)"/.exec(html)?.[1];

	test.each(["/commande", "/commande/552032534?service=express"])("%s: is stored with its line, and shown again", async (path) => {
		const sent = await shop.postForm(path, filledIn);
		const token = new URL(sent.headers.get("location") ?? "", shop.url).searchParams.get("commande") ?? "";
		expect((await findStoredForm(shop.shop, token))?.lines).toEqual([
			{ company: "552032534", siren: "552032534", service: "", reference: "dossier 2026-114" },
		]);
		for (const page of [`/commande?commande=${token}`, `/commande/552032534?commande=${token}`, `/paiement?commande=${token}`])
			expect([page, (await (await shop.ask(page)).text()).includes("dossier 2026-114")]).toEqual([page, true]);
	});

	test("stays while the company is searched for, and when a field is wrong", async () => {
		const changes: Record<string, string>[] = [
			{ intent: "find-company", companyQuery: "danone", siren: "" },
			{ intent: "find-company", companyQuery: "552032534", siren: "" },
			{ intent: "change-company" },
			{ email: "" },
			{ siren: "" },
		];
		for (const change of changes)
			expect(getReference(await (await shop.postForm("/commande", { ...filledIn, ...change })).text())).toBe("dossier 2026-114");
	});

	test("is folded without one", async () => {
		const html = await (await shop.ask("/commande")).text();
		expect(html).toMatch(/<details class[^>]*><summary(?:(?!<\/summary>).)*Ajouter votre référence \(dossier, bon de commande\)/);
		expect(getReference(html)).toBe("");
	});

	test("has at most 100 characters", async () => {
		const long = "x".repeat(101);
		const answer = await shop.postForm("/commande", { ...filledIn, "reference-1": long });
		const html = await answer.text();
		expect([answer.status, getReference(html)]).toEqual([400, long]);
		for (const part of ['href="#reference-1"', 'id="reference-1-error"', "Cette référence est trop longue\u00a0: 100 caractères au plus."])
			expect(html).toContain(part);
		expect(html).not.toContain("introuvable");
		const whole = await shop.postForm("/commande", { ...filledIn, "reference-1": "x".repeat(100) });
		expect(whole.status).toBe(303);
	});

	test("becomes that of the first line of a list", async () => {
		const added = await shop.postForm("/commande", { ...filledIn, intent: "several" });
		expect(getReference(await (await shop.ask(added.headers.get("location") ?? "")).text())).toBe("dossier 2026-114");
	});
});

describe("what the server answers to the form", () => {
	const filledIn = { ...order, ...place, acceptTerms: "on" };
	const { siren: _, ...contact } = filledIn;
	const answer = async (fields: Record<string, string>, { siren, sales }: { siren?: string; sales?: Partial<Sales> } = {}) => {
		const form = new FormData();
		for (const [name, text] of Object.entries(fields)) form.set(name, text);
		const usual = await shop.shop.readSales();
		const source = { request: new Request(shop.url), token: null, client: "a client", siren };
		const answered = await answerForm({ ...shop.shop, readSales: async () => ({ ...usual, ...sales }) }, form, source);
		if (answered.ok) return { ok: true, form: await findStoredForm(shop.shop, answered.url.split("=")[1] ?? "") };
		const { lines, refusal, ...state } = answered.page;
		return { ok: false, status: answered.status, refusal, state: { ...state, company: lines[0]?.company ?? null } };
	};

	test.each<[string, Record<string, string>, string, string | null]>([
		["no company", { siren: "" }, "Vous devez sélectionner une entreprise", null],
		["a company that is not in the register", { siren: "999999999" }, "Entreprise introuvable", null],
		[
			"a company without an extract",
			{ siren: association },
			"Cet organisme n’a pas d’extrait Kbis. Son extrait RNE est gratuit sur data.inpi.fr.",
			association,
		],
	])("%s is an error, in the form and in the URL", async (_, fields, sentence, shown) => {
		const expected = { ok: false, status: 400, state: { errors: { siren: sentence }, company: shown && { siren: shown } } };
		expect(await answer({ ...filledIn, ...fields })).toMatchObject(expected);
		expect(await answer({ ...filledIn, ...fields, siren: "552032534" }, { siren: fields.siren ?? "" })).toMatchObject(expected);
		expect(await answer({ ...filledIn, siren: fields.siren ?? "" }, { siren: "552032534" })).toMatchObject({
			ok: true,
			form: { fields: contact, lines: [{ siren: "552032534" }] },
		});
	});

	test("only a closed service is an error, which another one ends; a closed shop refuses the whole form", async () => {
		const paused = { closed: { express: null }, reasons: { express: "paused" as const } };
		const sentence = "Le KBIS Express n’est pas proposé pour le moment.";
		expect(await answer(filledIn, { sales: paused })).toMatchObject({
			...{ ok: false, status: 400 },
			state: { errors: { service: `${sentence} Choisissez un autre service.` }, company: { siren: "552032534" } },
		});
		expect(await answer({ ...filledIn, service: "standard" }, { sales: paused })).toMatchObject({ ok: true });
		// the list of all services is closed: there is no other to choose
		const shut = { closed: { standard: null, express: null, postal: null }, reasons: paused.reasons };
		expect(await answer(filledIn, { sales: shut })).toMatchObject({
			...{ ok: false, status: 409, refusal: sentence },
			state: { errors: {}, company: { siren: "552032534" } },
		});
		expect(await answer({ ...filledIn, lastName: "" }, { sales: shut })).toMatchObject({
			status: 400,
			state: { errors: { lastName: "Le nom est requis" } },
		});
		expect(await answer({ ...filledIn, service: "" }, { sales: shut })).toMatchObject({ status: 400 });
	});

	test("a mistyped address keeps the company and all other values", async () => {
		const typed = { ...filledIn, email: "ada@gmial.com" };
		expect(await answer(typed)).toMatchObject({
			...{ ok: false, status: 200 },
			state: { errors: {}, values: typed, company: { siren: "552032534" }, doubtful: "email", suggestions: { email: "ada@gmail.com" } },
		});
	});

	test("each address that was not confirmed is questioned, one after the other", () => {
		const both = { ...readOrderValues(new FormData()), email: "ada@gmial.com", deliveryEmail: "grace@hotmial.fr" };
		const ask = (...checked: string[]) => findDoubtfulEmail(both, checked);
		expect([ask(), ask("ada@gmial.com"), ask("grace@hotmial.fr"), ask(both.email, both.deliveryEmail)]).toEqual([
			...["email", "deliveryEmail", "email"],
			null,
		]);
	});

	test.each<[string, Record<string, string>, object]>([
		["a company without an extract, found alone, is not chosen", { intent: "find-company", companyQuery: association }, { company: null }],
		["a company that is found alone is chosen", { intent: "find-company", companyQuery: "552032534" }, { company: { siren: "552032534" } }],
		["an empty search finds nothing", { intent: "find-company" }, { found: { text: "", companies: [] }, company: null }],
		[
			"a long search is cut",
			{ intent: "find-company", companyQuery: "z".repeat(201) },
			{ found: { text: "z".repeat(200), companies: [] } },
		],
		["an invoice to nobody known", { intent: "bill:999999999" }, { company: { siren: "552032534" }, values: filledIn }],
		["an invoice to something else", { intent: "bill" }, { company: { siren: "552032534" }, values: filledIn }],
		["an unknown button", { intent: "other" }, { company: { siren: "552032534" }, values: filledIn, errors: {} }],
	])("%s", async (_, fields, state) => {
		expect(await answer({ ...filledIn, ...fields })).toMatchObject({ ok: false, status: 200, state });
	});

	test("an unknown company is none, whatever button is pressed", async () => {
		for (const intent of ["other", "correct-email:email", "find-billing-company", "bill:552032534"])
			expect(await answer({ ...filledIn, siren: "999999999", intent }), intent).toMatchObject({ status: 200, state: { company: null } });
	});
});

describe("the payment step", () => {
	test.each<[string, Record<string, string>]>([
		["no SIREN", { siren: "" }],
		["a SIREN of eight digits", { siren: "55203253" }],
		["no service", { service: "" }],
		["a service that does not exist", { service: "gratuit" }],
		["no e-mail", { email: "" }],
		["an e-mail that is none", { email: "ada" }],
		["no first name", { firstName: "" }],
		["a name that cannot be printed", { firstName: "A\u202eb" }],
		["no last name", { lastName: "" }],
	])("redirects home: %s", async (_what, change) => {
		expect(await leadsTo(`/paiement?${toQuery({ ...order, ...change })}`)).toEqual([302, "/"]);
	});

	test("leads to the field of an address that nobody can mend but its customer", async () => {
		const [status, url] = await leadsTo(`/paiement?${toQuery({ ...order, email: `${"a".repeat(65)}@example.fr` })}`);
		expect([status, url]).toEqual([302, expect.stringMatching(/^\/commande\?.*&refus=email$/)]);
	});

	test("requires no more than that, and shows the boxes if the query has no consents", async () => {
		const page = await (await shop.ask(`/paiement?${toQuery(order)}`)).text();
		expect(page).toContain('name="acceptTerms"');
		expect(page).toContain("DANONE");
		const brought = await (await shop.ask(`/paiement?${toQuery({ ...order, acceptTerms: "on", companyName: "UNE AUTRE" })}`)).text();
		expect(brought).not.toContain('name="acceptTerms"');
		expect(brought).not.toContain("UNE AUTRE");
		expect(await leadsTo(`/paiement?${toQuery({ ...order, siren: "999999999" })}`)).toEqual([404, null]);
	});

	test("uses the query's consents; the boxes of the payment page count only where they are shown", async () => {
		const pay = async (query: Record<string, string>, fields: Record<string, string>) => {
			const answer = await shop.postForm(`/paiement?${toQuery({ ...order, ...query })}`, {
				amount: "5900",
				key: crypto.randomUUID(),
				...fields,
			});
			expect(answer.status).toBe(303);
			const session = (answer.headers.get("location") ?? "").split("/").at(-1) ?? "";
			const row = await shop.shop.db
				.selectFrom("payment_sessions")
				.innerJoin("orders", "orders.id", "order_id")
				.select(["terms_accepted_at", "withdrawal_waived_at"])
				.where("payment_sessions.id", "=", session)
				.executeTakeFirstOrThrow();
			return [row.terms_accepted_at !== null, row.withdrawal_waived_at !== null];
		};
		expect(await pay({ acceptTerms: "on" }, { waiveWithdrawal: "on" })).toEqual([true, false]);
		expect(await pay({ acceptTerms: "on", waiveWithdrawal: "on" }, {})).toEqual([true, true]);
		expect(await pay({}, { acceptTerms: "on", waiveWithdrawal: "on" })).toEqual([true, true]);
	});
});

describe("the confirmation", () => {
	test.each([
		["/confirmation", 400, "ID de session manquant"],
		["/confirmation/cs_test_nobody", 404, "Impossible de récupérer les détails de votre commande"],
	])("%s: %i, « %s »", async (path, status, sentence) => {
		const answer = await shop.ask(path);
		expect(answer.status).toBe(status);
		const page = await answer.text();
		for (const expected of ["Commande introuvable", sentence]) expect(page).toContain(expected);
	});

	test("of an order that cannot be read shows an error with status 500", async () => {
		const { sessionId } = await shop.placeOrder();
		const { readDb, db } = shop.shop;
		shop.shop.log.level = "silent";
		try {
			shop.shop.now = () => {
				throw new Error("the clock is broken");
			};
			const answer = await shop.ask(`/confirmation/${sessionId}`);
			expect(answer.status).toBe(500);
			expect(await answer.text()).toContain("Erreur lors du chargement de la commande");
		} finally {
			Object.assign(shop.shop, { readDb, db, now: () => new Date() });
			shop.shop.log.level = "error";
		}
	});
});
