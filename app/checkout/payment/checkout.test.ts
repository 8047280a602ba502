import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertCompanies } from "../../../test/fixtures/companies.ts";
import { createTestShop, paymentRequest, type TestShop } from "../../../test/shop.ts";
import { type ServiceCode, serviceCodes, services } from "../../catalogue/services.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
});
afterAll(() => shop?.close());

const association = "007280266"; // legal category 9220: no extract
const create = (body: unknown, headers?: Record<string, string>) => shop.postJson("/api/create-payment", body, headers);
const sendRaw = (body: string) =>
	shop.ask("/api/create-payment", { method: "POST", body, headers: { "content-type": "application/json" } });

/** Expects a refusal in JSON with a sentence, without internal details, and no order. */
async function expectRefusal(ask: () => Promise<Response>, status: number, sentence: unknown = expect.stringMatching(/\S/)) {
	const before = await shop.countOrders();
	const answer = await ask();
	const body = await answer.text();
	expect(body).not.toMatch(/ at |\.ts|\.js|node_modules|Error:/);
	expect({ status: answer.status, body: JSON.parse(body) }).toEqual({ status, body: { error: sentence } });
	expect(answer.headers.get("content-type")).toContain("application/json");
	expect(await shop.countOrders()).toBe(before);
}

describe("an order is placed and can be paid", () => {
	test.each(serviceCodes)("%s", async (service) => {
		const placed = await shop.placeOrder({ service });
		const order = await shop.shop.db.selectFrom("orders").selectAll().where("id", "=", placed.id).executeTakeFirstOrThrow();
		expect(order).toMatchObject({
			status: "pending",
			product_code: service,
			price_cents: services[service].price,
			siren: "552032534",
			company_name: "DANONE",
			customer_email: "ada@example.fr",
			first_name: "Ada",
			last_name: "Lovelace",
			phone: "06 12 34 56 78",
			address: "1 rue de la Paix",
			postal_code: "75002",
			city: "Paris",
			billing_company: null,
			delivery_email: null,
			newsletter: false,
			terms_accepted_at: null,
			withdrawal_waived_at: null,
		});
		expect(await shop.getEventTypes(placed.id)).toEqual(["created"]);
		expect(placed.number).toMatch(/^KB-\w{4}-\w{4}$/);

		const page = await shop.ask(placed.payUrl);
		expect(page.status).toBe(200);
		expect(await page.text()).toContain(services[service].name);
	});

	test("the company's name comes from the register, never from the caller", async () => {
		const placed = await shop.placeOrder({ order: { companyName: "UNE AUTRE SOCIÉTÉ" } });
		const { company_name } = await shop.shop.db
			.selectFrom("orders")
			.select("company_name")
			.where("id", "=", placed.id)
			.executeTakeFirstOrThrow();
		expect(company_name).toBe("DANONE");
	});

	test("an order by e-mail needs no postal address; the caller's other data are stored", async () => {
		const placed = await shop.placeOrder({
			service: "standard",
			order: { siren: " 552 032 534 " },
			customer: {
				...{ phone: null, address: undefined, postalCode: "", city: "", company: "Analyse & Cie" },
				...{ deliveryEmail: "grace@example.fr", newsletter: true },
			},
			consents: { terms: true, waiveWithdrawal: false, textVersion: "2026-11-21" },
		});
		const order = await shop.shop.db.selectFrom("orders").selectAll().where("id", "=", placed.id).executeTakeFirstOrThrow();
		expect(order).toMatchObject({
			...{ siren: "552032534", phone: null, address: null, postal_code: null, city: null },
			...{ billing_company: "Analyse & Cie", delivery_email: "grace@example.fr", newsletter: true },
			...{ terms_accepted_at: order.created_at, withdrawal_waived_at: null, consent_text_version: "2026-11-21" },
		});
	});

	test("a letter may go to another recipient and address than the invoice, which names a company", async () => {
		const company = { company: "Analyse & Cie", billingSiren: "552 032 534", vatNumber: "fr 27 552 032 534" };
		const to = { deliveryName: "Greffe, à l’attention de Grace", deliveryComplement: "Bâtiment B", deliveryAddress: "4 quai de l’Horloge" };
		const customer = { ...company, ...to, deliveryPostalCode: "75 001", deliveryCity: "Paris" };
		const delivery = {
			...{ delivery_name: "Greffe, à l’attention de Grace", delivery_complement: "Bâtiment B", delivery_address: "4 quai de l’Horloge" },
			...{ delivery_postal_code: "75001", delivery_city: "Paris" },
		};
		const billing = { billing_company: "Analyse & Cie", billing_siren: "552032534", billing_vat: "FR27552032534" };
		const find = async (service: "postal" | "express", change: Record<string, string> = {}) =>
			shop.orderRow((await shop.placeOrder({ service, customer: { ...customer, ...change } })).id);
		expect(await find("postal")).toMatchObject({ ...billing, ...delivery, address: "1 rue de la Paix", postal_code: "75002" });
		expect(await find("postal", { address: "", postalCode: "", city: "" })).toMatchObject({
			...{ ...billing, ...delivery, address: "4 quai de l’Horloge", postal_code: "75001", city: "Paris" },
		});
		expect(await find("postal", { billingSiren: "" })).toMatchObject({ billing_siren: "552032534" });
		// a PDF goes nowhere by post
		expect(await find("express")).toMatchObject({ ...billing, delivery_name: null, delivery_address: null, delivery_city: null });
	});

	test.each([
		[{ billingSiren: "552032535", company: "A" }, "SIREN invalide (9 chiffres)"],
		[{ billingSiren: "552032534" }, "Le nom de la société est requis"],
		[{ billingSiren: "552032534", company: "A", address: "", postalCode: "", city: "" }, "L'adresse est requise"],
		[{ billingSiren: "356000000", company: "A", vatNumber: "FR27552032534" }, "Ce numéro de TVA ne correspond pas au SIREN"],
		[{ deliveryAddress: "4 quai de l’Horloge" }, "Le code postal est requis"],
		[{ deliveryAddress: "4 quai de l’Horloge", deliveryPostalCode: "75001" }, "La ville est requise"],
		[{ deliveryCity: "Paris", deliveryPostalCode: "75001" }, "L'adresse est requise"],
		[{ deliveryName: "a".repeat(201) }, "Ce champ accepte 200 caractères au plus"],
		[{ deliveryComplement: "a".repeat(201) }, "Ce champ accepte 200 caractères au plus"],
	])("refuses %o", async (customer, sentence) => {
		await expectRefusal(() => create(paymentRequest({ service: "postal", customer })), 400, sentence);
	});

	test("a customer keeps the right of withdrawal unless they waive it, and gets no newsletter unless they ask for it", async () => {
		const placed = await shop.placeOrder({ consents: { terms: true, waiveWithdrawal: true, textVersion: "2026-11-21" } });
		expect(await shop.orderRow(placed.id)).toMatchObject({ withdrawal_waived_at: expect.any(Date), newsletter: false });
	});

	test("a company whose name the register masks is ordered as « Entreprise »", async () => {
		const masked = { id: 900000203, siren: "900000203", nic: "00011", name: null, masked: true };
		await insertCompanies(shop.shop.db, [masked]);
		const { id } = await shop.placeOrder({ order: { siren: masked.siren } });
		expect(await shop.orderRow(id)).toMatchObject({ siren: masked.siren, company_name: "Entreprise" });
	});

	test("without a key, each request places its own order", async () => {
		const [first, second] = [await shop.placeOrder(), await shop.placeOrder()];
		expect(second.id).not.toBe(first.id);
	});
});

describe("a repeated key never places a second order", () => {
	const withKey = (key: string, body = paymentRequest()) => create(body, { "idempotency-key": key });

	test("the same request returns the same URL again", async () => {
		const before = await shop.countOrders();
		const [first, second] = [await (await withKey("again")).json(), await (await withKey("again")).json()];
		expect(second).toEqual(first);
		expect(await shop.countOrders()).toBe(before + 1);
	});

	test("ten concurrent requests place one order and return one URL", async () => {
		const before = await shop.countOrders();
		const answers = await Promise.all(Array.from({ length: 10 }, () => withKey("ten at once")));
		expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
		const addresses = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { url: string }).url));
		expect(new Set(addresses).size).toBe(1);
		expect(await shop.countOrders()).toBe(before + 1);
	});

	test("another request with a used key is refused", async () => {
		await withKey("reused");
		await expectRefusal(() => withKey("reused", paymentRequest({ service: "standard" })), 409);
		await expectRefusal(() => withKey("reused", paymentRequest({ customer: { email: "grace@example.fr" } })), 409);
	});

	test("of ten different concurrent requests with one key, one places an order and nine are refused", async () => {
		const before = await shop.countOrders();
		const bodies = Array.from({ length: 10 }, (_, index) => paymentRequest({ customer: { email: `client${index}@example.fr` } }));
		const answers = await Promise.all(bodies.map((body) => withKey("first come", body)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
		expect(await shop.countOrders()).toBe(before + 1);
	});

	test("a paid order cannot be paid again", async () => {
		const { url } = (await (await withKey("paid once")).json()) as { url: string };
		await shop.payByCard(url);
		const session = await shop.shop.db.selectFrom("payment_sessions").selectAll().where("url", "=", url).executeTakeFirstOrThrow();
		await shop.untilOrderIs("completed", session.order_id);
		await expectRefusal(() => withKey("paid once"), 400, "Cette commande est déjà réglée.");
	});

	test("an empty key counts as none", async () => {
		const before = await shop.countOrders();
		for (const email of ["ada@example.fr", "grace@example.fr"]) {
			const answer = await withKey("", paymentRequest({ customer: { email } }));
			expect(answer.status).toBe(200);
		}
		expect(await shop.countOrders()).toBe(before + 2);
	});
});

describe("the payment page without JavaScript", () => {
	const customer = { siren: "552032534", service: "express", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" };
	const pay = (fields: Record<string, string>, query: Record<string, string> = customer) =>
		shop.postForm(`/paiement?${new URLSearchParams(query)}`, { amount: "5900", acceptTerms: "on", key: crypto.randomUUID(), ...fields });

	test("leads to the provider's page, and records the consents with version and instant", async () => {
		const answer = await pay({ waiveWithdrawal: "on" });
		expect(answer.status).toBe(303);
		const url = answer.headers.get("location") ?? "";
		const order = await shop.shop.db
			.selectFrom("orders")
			.innerJoin("payment_sessions", "order_id", "orders.id")
			.selectAll("orders")
			.where("url", "=", url)
			.executeTakeFirstOrThrow();
		expect(order).toMatchObject({ terms_accepted_at: order.created_at, withdrawal_waived_at: order.created_at });
		expect(order.consent_text_version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
	});

	test("accepts an order without the second consent, which keeps its right of withdrawal", async () => {
		const url = (await pay({})).headers.get("location") ?? "";
		const { order_id } = await shop.shop.db
			.selectFrom("payment_sessions")
			.select("order_id")
			.where("url", "=", url)
			.executeTakeFirstOrThrow();
		expect(await shop.orderRow(order_id)).toMatchObject({ terms_accepted_at: expect.any(Date), withdrawal_waived_at: null });
	});

	test("places one order when the button is pressed twice", async () => {
		const before = await shop.countOrders();
		const [first, second] = [await pay({ key: "pressed-twice" }), await pay({ key: "pressed-twice" })];
		expect(second.headers.get("location")).toBe(first.headers.get("location"));
		expect(await shop.countOrders()).toBe(before + 1);
	});

	test.each([
		["the terms are not accepted", { acceptTerms: "" }, "Vous devez accepter les conditions générales"],
		["the price differs", { amount: "100" }, "Le montant ne correspond pas au tarif de ce service."],
		["the price is no number", { amount: "cher" }, "Le montant ne correspond pas au tarif de ce service."],
	])("%s: shows the error and places no order", async (_what, fields, sentence) => {
		const before = await shop.countOrders();
		const answer = await pay(fields);
		expect(answer.status).toBe(400);
		expect(await answer.text()).toContain(sentence);
		expect(await shop.countOrders()).toBe(before);
	});

	test("leads home when its service does not exist, and places no order", async () => {
		const before = await shop.countOrders();
		const answer = await pay({}, { ...customer, service: "premium" });
		expect([answer.status, answer.headers.get("location"), await shop.countOrders()]).toEqual([302, "/", before]);
	});

	test.each([[["a\u0000b"]], [["a".repeat(101)]], [[]]])("ignores a malformed or a missing key: %j", async (keys) => {
		const before = await shop.countOrders();
		for (const lastName of ["Lovelace", "Byron"]) {
			const url = `/paiement?${new URLSearchParams({ ...customer, lastName })}`;
			const body = new URLSearchParams([["amount", "5900"], ["acceptTerms", "on"], ...keys.map((key) => ["key", key])]);
			expect((await shop.ask(url, { method: "POST", body })).status).toBe(303);
		}
		expect(await shop.countOrders()).toBe(before + 2);
	});

	test("takes the longest key once", async () => {
		const key = "a".repeat(100);
		expect((await pay({ key })).headers.get("location")).toBe((await pay({ key })).headers.get("location"));
	});

	test("does not let a link choose that the company ordered is invoiced", async () => {
		const answer = await pay({}, { ...customer, billTo: "ordered" });
		const { order_id } = await shop.shop.db
			.selectFrom("payment_sessions")
			.select("order_id")
			.where("url", "=", answer.headers.get("location") ?? "")
			.executeTakeFirstOrThrow();
		expect(await shop.orderRow(order_id)).toMatchObject({ billing_company: null, billing_siren: null });
	});

	test("says whose SIREN stands beside an invoiced name, if it is another company's", async () => {
		const read = async (company: string) => {
			const customer = {
				email: "ada@example.fr",
				firstName: "Ada",
				lastName: "Lovelace",
				address: "1 rue X",
				postalCode: "75001",
				city: "Paris",
			};
			const query = { siren: "552032534", service: "express", ...customer, company, billingSiren: "552032534" };
			return (await shop.ask(`/paiement?${new URLSearchParams(query)}`)).text();
		};
		expect(await read("Durant Plomberie SARL")).toContain("Le SIREN de la facture appartient à DANONE.");
		expect(await read("Danone SA")).not.toContain("Le SIREN de la facture");
	});

	test("leads back from a company that is not in the register, and from a link that lacks a field or whose form has expired", async () => {
		const open = (query: Record<string, string>) => shop.ask(`/paiement?${new URLSearchParams(query)}`);
		const unknown = await open({ ...customer, siren: "900000009" });
		expect(unknown.status).toBe(404);
		const page = await unknown.text();
		for (const part of ["Aucune entreprise trouvée avec le SIREN 900000009", "Modifier ma commande"]) expect(page).toContain(part);
		expect(page).toMatch(/href="\/commande\?[^"]*email=ada%40example\.fr/);
		for (const field of ["siren", "service", "email", "firstName", "lastName"]) {
			const answer = await open({ ...customer, [field]: "" });
			expect([field, answer.status, answer.headers.get("location")]).toEqual([field, 302, "/"]);
		}
		const expired = await open({ commande: "A".repeat(64) });
		expect(expired.status).toBe(410);
		const text = await expired.text();
		for (const part of [
			"Votre saisie a expiré",
			'href="/commande"',
			"Reprendre ma commande",
			'href="/suivi-commande"',
			"Suivre ma commande",
		])
			expect(text).toContain(part);
	});
});

describe("a value that differs from the catalogue or the register is refused", () => {
	test.each<[string, ServiceCode, Record<string, unknown>]>([
		["the marketing price of old", "standard", { amount: 390 }],
		["a cent less", "express", { amount: 5899 }],
		["nothing to pay", "express", { amount: 0 }],
		["a negative amount", "express", { amount: -5900 }],
		["euros for cents", "express", { amount: 59 }],
		["the postal price without its supplement", "postal", { amount: 3900 }],
		["another service's price", "express", { amount: 3900 }],
	])("amount: %s", async (_what, service, order) => {
		await expectRefusal(() => create(paymentRequest({ service, order })), 400, "Le montant ne correspond pas au tarif de ce service.");
	});

	test.each<[ServiceCode, string]>([
		["express", "postal"],
		["postal", "email"],
		["standard", "pigeon"],
		["standard", ""],
	])("%s delivered by « %s »", async (service, deliveryMethod) => {
		await expectRefusal(
			() => create(paymentRequest({ service, order: { deliveryMethod } })),
			400,
			"Le mode de livraison ne correspond pas à ce service.",
		);
	});

	test.each(["premium", "", "Express", "toString", "__proto__"])("service « %s »", async (serviceType) => {
		await expectRefusal(() => create(paymentRequest({ order: { serviceType } })), 400, "Ce service n’existe pas.");
	});

	test.each(["999999999", "55203253", "5520325340", "DANONE", "", "55203253A", "552032534' or '1'='1"])("SIREN « %s »", async (siren) => {
		await expectRefusal(() => create(paymentRequest({ order: { siren } })), 400, "Entreprise introuvable");
	});

	test("an association has no extract, and reads where to get its own document", async () => {
		await expectRefusal(() => create(paymentRequest({ order: { siren: association } })), 400, expect.stringContaining("data.inpi.fr"));
	});
});

describe("each missing or invalid field is refused with its sentence", () => {
	test.each<[string, string, string]>([
		["email", "", "L'adresse email est requise"],
		["email", "   ", "L'adresse email est requise"],
		["email", "ada@example", "Format d'email invalide"],
		["firstName", "", "Le prénom est requis"],
		["lastName", " \t ", "Le nom est requis"],
		["phone", "12", "Format de téléphone invalide\u00a0: dix chiffres, par exemple 06 12 34 56 78"],
		["address", "", "L'adresse est requise"],
		["postalCode", "", "Le code postal est requis"],
		["postalCode", "7500", "Code postal invalide (5 chiffres)"],
		["city", "", "La ville est requise"],
		["deliveryEmail", "grace", "Format d'email invalide"],
		["lastName", "a".repeat(101), "Ce champ accepte 100 caractères au plus"],
		["company", "a".repeat(201), "Ce champ accepte 200 caractères au plus"],
	])("a letter with %s « %s »: %s", async (field, text, sentence) => {
		await expectRefusal(() => create(paymentRequest({ service: "postal", customer: { [field]: text } })), 400, sentence);
	});

	test("an address that is not needed is checked all the same, if it is given", async () => {
		for (const [field, text] of [
			["postalCode", "7500"],
			["address", "a".repeat(201)],
		] as const)
			await expectRefusal(() => create(paymentRequest({ customer: { [field]: text } })), 400);
	});

	test("the terms must be accepted where they are shown", async () => {
		const consents = { terms: false, waiveWithdrawal: true, textVersion: "2026-11-21" };
		await expectRefusal(() => create(paymentRequest({ consents })), 400, "Vous devez accepter les conditions générales");
	});

	test.each(["email", "firstName", "lastName", "phone", "address", "postalCode", "city", "company", "deliveryEmail"])(
		"control characters and markup in %s",
		async (field) => {
			// an address may be pasted with its lines, and becomes one
			const lines = field === "address" ? [] : ["a\r\nBcc: grace@example.fr\r\nb"];
			for (const sign of ["\u0000", "\u001b[31m", "\u2028", "\ud800", "<b>", ...lines])
				await expectRefusal(() => create(paymentRequest({ service: "postal", customer: { [field]: `a${sign}b@example.fr` } })), 400);
		},
	);

	test.each(["siren", "serviceType", "deliveryMethod"])("control characters and markup in %s", async (field) => {
		for (const text of ["\u0000", "552032534\u0000", "express\u0000", "<script>alert(1)</script>"])
			await expectRefusal(() => create(paymentRequest({ order: { [field]: text } })), 400);
	});

	test("control characters and markup in the version of the terms", async () => {
		for (const textVersion of ["2026\u0000", "<b>2026</b>", "a".repeat(1000)])
			await expectRefusal(() => create(paymentRequest({ consents: { terms: true, waiveWithdrawal: true, textVersion } })), 400);
	});
});

describe("a malformed request is refused", () => {
	test.each(["", "{", "null", "true", "12", '"express"', "[]", "[{}]", "{}", "url=1", '{"orderData":null,"customerData":null}'])(
		"%s",
		async (body) => {
			await expectRefusal(() => sendRaw(body), 400);
		},
	);

	test.each<[string, Record<string, unknown>]>([
		["an amount in a text", { orderData: { ...paymentRequest().orderData, amount: "5900" } }],
		["an amount that is no number", { orderData: { ...paymentRequest().orderData, amount: null } }],
		["a list of services", { orderData: { ...paymentRequest().orderData, serviceType: ["express"] } }],
		["a SIREN in a number", { orderData: { ...paymentRequest().orderData, siren: 552032534 } }],
		["an object for an address", { customerData: { ...paymentRequest().customerData, address: { street: "rue de la Paix" } } }],
		["a list for a customer", { customerData: ["ada@example.fr"] }],
		["no customer", { customerData: undefined }],
		["no order", { orderData: undefined }],
		["consents in a text", { consents: "yes" }],
		["a text for a box", { consents: { terms: "on", waiveWithdrawal: "on", textVersion: "2026-11-21" } }],
		["a newsletter in a text", { customerData: { ...paymentRequest().customerData, newsletter: "yes" } }],
	])("%s", async (_what, wrong) => {
		await expectRefusal(() => create({ ...paymentRequest(), ...wrong }), 400);
	});

	test("of ten megabytes", async () => {
		await expectRefusal(() => sendRaw(JSON.stringify(paymentRequest({ customer: { company: "a".repeat(10_000_000) } }))), 413);
	});

	test.each(["GET", "PUT", "PATCH", "DELETE"])("%s", async (method) => {
		const body = method === "GET" ? undefined : JSON.stringify(paymentRequest());
		await expectRefusal(() => shop.ask("/api/create-payment", { method, body }), 405);
	});
});
