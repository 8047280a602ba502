import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestShop, paymentRequest, type TestShop } from "../../test/shop.ts";
import { orderFields } from "../checkout/form/order-form.ts";
import { alertsUrl } from "../companies/alerts/links.server.ts";

/** Forbidden characters in every field of every form and API are refused or dropped; they cause no error and are never stored. */

let shop: TestShop;
let log: string[] = [];
let placed: Awaited<ReturnType<TestShop["placeOrder"]>>;
let delivered: typeof placed;
let cookie = "";
let resume = "";
let alerts = "";
let key = 0;
beforeAll(async () => {
	shop = await createTestShop({ variables: { LOG_LEVEL: "debug", ORDER_LIMITS: "off" }, onLog: (line) => log.push(line) });
	placed = await shop.placeOrder();
	resume = await shop.getResumePath(placed.payUrl);
	delivered = await shop.completeOrder({ customer: { email: "grace@example.fr" } });
	const entered = await shop.postForm("/suivi-commande", { email: "grace@example.fr", orderId: delivered.number });
	const follower = { id: crypto.randomUUID(), email: person.email, created_at: shop.shop.now() };
	await shop.shop.db.insertInto("company_followers").values(follower).execute();
	alerts = new URL(alertsUrl(shop.shop, follower.id)).pathname;
	cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
});
beforeEach(() => {
	log = [];
});
afterAll(() => shop?.close());

/** URL-encoded. */
const signs = {
	NUL: "%00",
	"an escape sequence": "%1B%5D0%3Bpwned%07",
	"a control character of C1": "%C2%9B2J",
	"a direction override": "%E2%80%AE",
	"a lone surrogate": "%ED%A0%80",
	"bytes that are not UTF-8": "%FF%FE%C3",
} as const;

const person = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.fr" };
const order = { ...person, service: "express", siren: "552032534", acceptTerms: "on", billTo: "other" };
const refused = "Ce champ contient des caractères qui ne sont pas acceptés";

interface Form {
	path: () => string;
	/** Valid values for the form. */
	fields?: Record<string, string>;
	/** Other fields that the form reads. */
	otherFields?: readonly string[];
	/** Fields with an error message on the page. */
	checkedFields?: readonly string[];
}

const forms: Record<string, Form> = {
	contact: {
		path: () => "/contact",
		fields: { nom: "Ada", email: person.email, message: "Bonjour" },
		otherFields: ["website"],
		checkedFields: ["nom", "message"],
	},
	support: {
		path: () => "/support",
		fields: { ...person, phone: "06 12 34 56 78", subject: "Autre", message: "Bonjour" },
		otherFields: ["website"],
		checkedFields: ["firstName", "lastName", "phone", "subject", "message"],
	},
	newsletter: { path: () => "/lettre-information", fields: { email: person.email }, otherFields: ["website"] },
	"an alert about a company": {
		path: () => "/entreprise/552032534/alerte",
		fields: { email: person.email, frequency: "weekly", topic: "sales" },
		otherFields: ["website"],
	},
	"a lost link to alerts": { path: () => "/alertes", fields: { email: person.email }, otherFields: ["website"] },
	"alerts of a mailbox": { path: () => alerts, fields: { do: "follow", siren: "356000000", alert: "x", topic: "sales" } },
	subscription: { path: () => "/abonnement", fields: { email: person.email }, otherFields: ["website"] },
	tracking: { path: () => "/suivi-commande", fields: { email: person.email, orderId: "KB-2222-2222" } },
	"a refund": {
		path: () => `/suivi/${delivered.number}`,
		fields: { intent: "ask-refund", message: "Illisible" },
		checkedFields: ["message"],
	},
	"a corrected invoice": {
		path: () => `/suivi/${delivered.number}/facture`,
		fields: { name: "Ada Lovelace", company: "ANALYSE", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" },
		otherFields: ["billingSiren", "billingVat", "invoice"],
		checkedFields: ["name", "company", "billingSiren", "billingVat", "address", "postalCode", "city"],
	},
	withdrawal: { path: () => "/retractation", fields: { email: person.email, orderId: "KB-2222-2222" }, otherFields: ["declaration"] },
	order: {
		path: () => "/commande",
		fields: order,
		otherFields: [...orderFields, "intent", "companyQuery"],
		checkedFields: ["firstName", "company", "city"],
	},
	"order of a company": { path: () => "/commande/552032534", fields: order, otherFields: orderFields },
	"search of a company": { path: () => "/commande", fields: { intent: "find-company", companyQuery: "danone" } },
	payment: {
		path: () => `/paiement?${new URLSearchParams(order)}`,
		fields: { amount: "5900" },
		otherFields: ["key", "acceptTerms", "waiveWithdrawal"],
	},
	sandbox: { path: () => new URL(placed.payUrl).pathname, fields: { intent: "pay", card: "4000 0000 0000 0002" } },
	resume: { path: () => resume, fields: { x: "1" } },
	"end of the newsletter": { path: () => "/lettre-information/desinscription/x", fields: { "List-Unsubscribe": "One-Click" } },
	"end of the watch of an extract": { path: () => "/suivi/surveillance/x", fields: { "List-Unsubscribe": "One-Click" } },
};

const encoded = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

async function expectNoError(answer: Response, what: string): Promise<string> {
	const text = await answer.text();
	expect(answer.status, `${what}: ${answer.status}`).toBeLessThan(500);
	// an order on hold logs an alert to the operator
	expect(log.filter((line) => JSON.parse(line).level >= 50 && !line.includes("an order needs the operator"))).toEqual([]);
	return text;
}

describe.each(Object.entries(signs))("%s", (_name, sign) => {
	test.each(Object.entries(forms))("in the form: %s", async (_form, { path, fields = {}, otherFields = [], checkedFields = [] }) => {
		for (const field of new Set([...Object.keys(fields), ...otherFields])) {
			const { [field]: text = "a", ...others } = fields;
			const body = `${encoded(others)}&${field}=${encodeURIComponent(text)}${sign}b`;
			const answer = await shop.ask(path(), {
				method: "POST",
				body,
				headers: { "content-type": "application/x-www-form-urlencoded", cookie },
			});
			const page = await expectNoError(answer, field);
			if (!checkedFields.includes(field)) continue;
			expect([field, answer.status]).toEqual([field, 400]);
			expect(page, field).toContain(refused);
		}
	});

	test("in queries", async () => {
		const queries = [
			"/recherche?q=",
			"/recherche?departement=",
			"/api/entreprises?q=",
			"/api/entreprises/suggestions?q=",
			"/commande?firstName=",
		];
		const more = [
			"/api/adresse/search?q=",
			"/retractation?recu=",
			"/ai-je-besoin-d-un-kbis?demande=",
			`/paiement?${encoded(order)}&company=`,
		];
		for (const query of [...queries, ...more]) await expectNoError(await shop.ask(`${query}a${sign}b`), query);
	});

	test("in paths", async () => {
		const paths = ["/entreprise/", "/commande/", "/confirmation/", "/bac-a-sable/", "/suivi/", "/documents/", "/verifier/", "/apercu/"];
		for (const path of [...paths, "/paiement/reprendre/", "/lettre-information/confirmer/", "/api/entreprises/"])
			await expectNoError(await shop.ask(`${path}a${sign}b`), path);
	});

	test("in a multipart form", async () => {
		const value = Buffer.from(sign.replaceAll("%", ""), "hex");
		const parts = Object.keys(forms.contact?.fields ?? {}).flatMap((field) => [
			Buffer.from(`--x\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n`),
			value,
			Buffer.from("\r\n"),
		]);
		const body = Buffer.concat([...parts, Buffer.from("--x--\r\n")]);
		const answer = await shop.ask("/contact", { method: "POST", body, headers: { "content-type": "multipart/form-data; boundary=x" } });
		expect(await expectNoError(answer, "multipart")).toContain(refused);
	});
});

describe.each(["\0", "\u001b]0;pwned\u0007", "\u202e", "\ud800", "\ufffd"].map((sign) => [JSON.stringify(sign), sign]))(
	"JSON with %s",
	(_name, sign) => {
		const valid = paymentRequest({ consents: { terms: true, waiveWithdrawal: false, textVersion: "2026" } });
		const request = { ...valid, customerData: { ...valid.customerData, deliveryEmail: "ada@example.fr" } };
		const fields = Object.entries(request).flatMap(([part, values]) =>
			Object.keys(values as object).map((field) => [part, field] as const),
		);

		test.each(fields)("create-payment: %s.%s", async (part, field) => {
			const values = request[part as keyof typeof request] as Record<string, unknown>;
			const answer = await shop.postJson("/api/create-payment", { ...request, [part]: { ...values, [field]: `${values[field]}${sign}` } });
			await expectNoError(answer, field);
			if (field !== "companyName") expect(answer.status).toBe(400); // which is the register's
		});

		test.each(["email", "orderId"])("suivi: %s", async (field) => {
			const answer = await shop.postJson("/api/suivi", { email: "ada@example.fr", orderId: placed.number, [field]: `a${sign}` });
			expect(answer.status).toBe(404);
			await expectNoError(answer, field);
		});
	},
);

test.each(["é", "\u009f", "a".repeat(201)])("an invalid idempotency key is refused: %j", async (odd) => {
	const answer = await shop.postJson("/api/create-payment", paymentRequest(), { "idempotency-key": `${odd}${key++}` });
	expect([answer.status, await answer.json()]).toEqual([400, { error: expect.stringContaining("Idempotency-Key") }]);
});

test("none of these characters was stored", async () => {
	const { rows: tables } = await sql<{ name: string }>`
		select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'sandbox') and tablename not like 'compan%'
	`.execute(shop.shop.db);
	expect(tables.length).toBeGreaterThan(15);
	for (const { name } of tables) {
		const { rows } = await sql`select t::text from ${sql.raw(name)} t
			where t::text ~ ${"[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffd]"}`.execute(shop.shop.db);
		expect(rows, name).toEqual([]);
	}
});
