import type { RouteConfigEntry } from "@react-router/dev/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PlacedPurchase, placePurchase } from "../../../test/purchases/place-purchase.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { nextOrderIntent } from "../../checkout/form/next-order.tsx";
import { createTrackingUrl } from "../../emails/tracking-urls.server.ts";
import { type AccessKey, type AccessRequest, accessKeys, mayAsk, type TrackingAccess } from "../../orders/access.ts";
import { signKey } from "../../orders/keys.server.ts";
import type { Order } from "../../orders/order.ts";
import { listOrdersOfPurchase } from "../../orders/orders.store.server.ts";
import routes from "../../routes.ts";
import { orderIntents } from "./answer-order-form.server.ts";
import { findIntent } from "./purchase/purchase-lines.tsx";
import { createTrackingCookies } from "./tracking-access.server.ts";

// Every key of an order × every request of every page that shows one (docs/rules.md, R147 and R180).

let shop: TestShop;
/** Delivered, with its invoice. */
let done: PlacedPurchase;
/** Paid, and nothing is delivered. */
let open: PlacedPurchase;
let invoice: string;

beforeAll(async () => {
	shop = await createTestShop();
	const customer = {
		...{ email: mailboxes.owner, firstName: "Zénobie", lastName: "Canari", address: "17 rue du Secret" },
		deliveryEmail: mailboxes.recipient,
	};
	const lines = [
		{ service: "express", reference: "dossier confidentiel" },
		{ service: "express", siren: "542107651", companyName: "ENGIE" },
		{ service: "standard", siren: "780129987", companyName: "RENAULT" },
	] as const;
	[done, open] = [await placePurchase(shop, lines, customer), await placePurchase(shop, lines, customer)];
	await shop.payByCard(done.payUrl);
	for (const { id } of done.orders) await shop.untilOrderIs("completed", id);
	const [first] = done.orders;
	await shop.completeOrder({ customer: { email: mailboxes.stranger } });
	for (const session of sessions) sessionCookies[session] = await openSession(mailboxes[session]);
	await shop.getMails({ id: first.id, number: first.order_number, sessionId: "", payUrl: "" }, "confirmation");
	const { db } = shop.shop;
	invoice = (await db.selectFrom("invoices").select("number").where("order_id", "=", first.id).executeTakeFirstOrThrow()).number;
	const paid = { status: "processing", paid_at: new Date() } as const;
	await db.updateTable("orders").set(paid).where("purchase_id", "=", open.orders[0].id).execute();
});
afterAll(() => shop?.close());

/** Who is signed in to « Mes commandes ». The recipient ordered nothing: their address is that of the second reader of all lines. */
const mailboxes = { owner: "zenobie@cabinet.example", stranger: "mallory@evil.example", recipient: "banque@reader.example" };
type Session = keyof typeof mailboxes;
const sessions = ["owner", "stranger", "recipient"] as const satisfies Session[];
const sessionCookies: Partial<Record<Session, string>> = {};

/** Opens the space of a mailbox, whether or not it has orders: its address may have been that of a customer when it was opened. */
async function openSession(mailbox: string): Promise<string> {
	const { token } = await (await shop.shop.customerAuth()).api.createLink({ body: { mailbox } });
	const opened = await shop.postForm(`/mes-commandes/lien/${token}`, {});
	return opened.headers.getSetCookie()[0]?.split(";")[0] ?? expect.fail("no session");
}

/** How a browser got its access, and to which line. `key`: null when nothing opens it. */
interface Opener {
	key: AccessKey | null;
	cookie: TrackingAccess | "confirmation" | Session | null;
	line: 0 | 1;
}

/** Anyone who is signed in, and nobody: the address of an order opens it to its customer alone, with each of its lines. */
const signedIn: Opener[] = [...sessions, null].flatMap((cookie) =>
	[0, 1].map((line) => ({ key: cookie === "owner" ? "purchase" : null, cookie, line: line as 0 | 1 })),
);

const trackingOpeners: Opener[] = [
	{ key: "purchase", cookie: "purchase", line: 0 },
	{ key: "purchase", cookie: "purchase", line: 1 },
	{ key: "line", cookie: "line", line: 1 },
	{ key: "purchase-link", cookie: "purchase-link", line: 0 },
	{ key: "purchase-link", cookie: "purchase-link", line: 1 },
	{ key: "link", cookie: "link", line: 0 },
	{ key: "link", cookie: "link", line: 1 },
	...signedIn,
];
const confirmationOpeners: Opener[] = [
	{ key: "purchase", cookie: "confirmation", line: 0 },
	{ key: "url", cookie: null, line: 0 },
	{ key: "url", cookie: "stranger", line: 0 },
	{ key: "url", cookie: "recipient", line: 0 },
];

interface Row {
	/** As in app/routes.ts. */
	route: string;
	/** The value of the pressed button; null: the page is read, or its only form is sent. */
	intent?: string;
	method?: "POST";
	asks: AccessRequest;
	/** A purchase on which the request could succeed. */
	of: "done" | "open";
	fields?: Record<string, string>;
	/** The request leads to a page that refuses. */
	leadsOn?: true;
	/** Of the number of a first order only: that of another leads to it. */
	isOfFirst?: true;
	/** Begins the address to which who has no key is led; by default they are asked for number and address. */
	closed?: string;
	/** It has no data of a page. */
	isStream?: true;
}

const post = (route: string, intent: string, asks: AccessRequest, of: Row["of"], fields: Record<string, string> = {}): Row => ({
	...{ route, intent, method: "POST", asks, of },
	fields: { intent, ...fields },
});
const letter = { deliveryAddress: "1 rue X", deliveryPostalCode: "75001", deliveryCity: "Paris" };
const addresses = { email: "mallory@evil.example", recipient: "" };

/** The buttons of all pages of an order. */
const listForms = (route: string): Row[] => [
	post(route, "cancel", "cancel", "open"),
	post(route, "ask-refund", "ask-refund", "done", { message: "Illisible" }),
	post(route, "correct-addresses", "correct-addresses", "open", addresses),
	post(route, "correct-letter", "correct-addresses", "open", letter),
	post(route, "share", "share", "done", { label: "", days: "7", code: "" }),
	post(route, "revoke-share", "share", "done", { share: crypto.randomUUID() }),
	post(route, "withdraw", "withdraw", "open"),
	post(route, "resume", "resume", "open"),
	post(route, nextOrderIntent, "order-again", "done"),
];

const trackingRows: Row[] = [
	{ route: "suivi/:number", asks: "read-order", of: "done" },
	...listForms("suivi/:number"),
	{ route: "suivi/:number/facture", asks: "correct-invoice", of: "done" },
	{
		...{ route: "suivi/:number/facture", method: "POST", asks: "correct-invoice", of: "done" },
		fields: { name: "MALLORY SARL", contact: "", address: "1 rue X", postalCode: "75001", city: "Paris" },
	},
	{ route: "suivi/:number/message", asks: "read-order", of: "done", closed: "/contact?commande=" },
	{ route: "suivi/:number/direct", asks: "read-order", of: "done", isStream: true },
	{ route: "suivi/:number/ensemble", asks: "read-purchase", of: "done" },
	...listForms("suivi/:number/ensemble").map((row): Row => ({ ...row, isOfFirst: true })),
	{
		...{ route: "suivi/:number/ensemble", method: "POST", asks: "read-purchase", of: "done", isOfFirst: true },
		fields: { intent: findIntent, q: "RENAULT" },
	},
	{ route: "suivi/:number/ensemble/direct", asks: "read-purchase", of: "done", isStream: true, isOfFirst: true },
	{ route: "suivi/:number/ensemble/ligne/:line", asks: "read-purchase", of: "done", leadsOn: true },
	{ route: "suivi/:number/commande-groupee", asks: "read-purchase", of: "done", leadsOn: true },
];
const confirmationRows: Row[] = [
	{ route: "confirmation/:sessionId?", asks: "read-order", of: "done" },
	...listForms("confirmation/:sessionId?"),
	{ route: "confirmation/:sessionId/direct", asks: "read-order", of: "done", isStream: true },
];

/** Routes whose address, form or session is the key. The cookies of pages open none of them. */
const doors: Record<string, string> = {
	"suivi-commande": "number and address",
	"api/suivi": "number and address",
	retractation: "number and address",
	"numero-perdu": "the mailbox",
	"suivi/:number/acces/:token": "the link of an e-mail",
	"suivi/:number/ensemble/acces/:token": "the link of an e-mail",
	"suivi/surveillance/:token": "the link of an e-mail",
	"paiement/reprendre/:token": "the link of an e-mail",
	"documents/:token": "the link of a document",
	"documents/ensemble/:token": "the link of an archive",
	"partage/:token": "a shared link",
	"partage/fichier/:key": "a shared link",
	"bac-a-sable/:sessionId": "the payment page of the demo",
	"mes-commandes": "a session of the space",
	"mes-commandes/lien/:token": "the link of an e-mail",
	"mes-commandes/commande/:number": "a session of the space",
	"mes-commandes/factures": "a session of the space",
	"mes-commandes/factures/:file": "a session of the space",
	"mes-commandes/identites": "a session of the space",
	"mes-commandes/connexions": "a session of the space",
};

/** Routes that show nothing of an order. */
const isPublic = (path: string) =>
	/^(bureau|destinataires|recherche|entreprise|commande|paiement$|cgv|verifier|alertes|lettre-information|apercu|services|statistiques|status|api\/(entreprises|adresse|verifier|create-payment|stripe))/.test(
		path,
	) || !/[:*/]/.test(path.replace(/\.\w+$/, ""));

const listPaths = (entries: readonly RouteConfigEntry[]): string[] => entries.flatMap(({ path }) => path ?? []);

test("each route of an order has its rows, and each of their buttons", () => {
	const paths = [...new Set(listPaths(routes))];
	const rows = [...trackingRows, ...confirmationRows];
	const known = new Set([...rows.map(({ route }) => route), ...Object.keys(doors)]);
	expect(paths.filter((path) => !known.has(path) && !isPublic(path) && !path.startsWith(":file") && path !== "*")).toEqual([
		".well-known/security.txt",
	]);
	expect([...known].filter((path) => !paths.includes(path))).toEqual([]);
	const intentsOf = (route: string) => rows.flatMap((row) => (row.route === route && row.intent ? [row.intent] : [])).sort();
	for (const page of ["suivi/:number", "suivi/:number/ensemble", "confirmation/:sessionId?"])
		expect(intentsOf(page), page).toEqual([...orderIntents].sort());
});

/** What a page may show only to some keys: a text that is on no other page. */
const secrets = (): [AccessRequest, string[]][] => [
	["read-addresses", ["Canari", "rue du Secret"]],
	["read-invoice", [invoice]],
	["read-email", ["zenobie@cabinet.example"]],
	["read-reference", ["dossier confidentiel"]],
	["read-purchase", ["RENAULT"]],
	["read-money", ["157,00", 'value="share"']],
];

/** The secrets in a text that this key may not read; null: no key may. */
const listSecrets = (text: string, key: AccessKey | null) =>
	secrets().flatMap(([asks, texts]) => (opens(key, asks) ? [] : texts.filter((secret) => text.includes(secret))));

const pathOf = ({ route }: Row, { line }: Opener, { orders, sessionId }: PlacedPurchase) =>
	`/${route
		.replace(":number", orders[line]?.order_number ?? "")
		.replace(/:sessionId\??/, sessionId)
		.replace(":line", "2")}`;

const isSession = (cookie: Opener["cookie"]): cookie is Session => sessions.some((each) => each === cookie);

async function createCookie({ cookie, line }: Opener, { orders, cookie: confirmation }: PlacedPurchase): Promise<string> {
	if (cookie === null) return "";
	if (isSession(cookie)) return sessionCookies[cookie] ?? "";
	if (cookie === "confirmation") return confirmation;
	const order = (await listOrdersOfPurchase(shop.shop.db, orders[0].id))[line] as Order;
	return createTrackingCookies(shop.shop, order, cookie).getSetCookie()[0]?.split(";")[0] ?? "";
}

async function send(row: Row, opener: Opener, ending: "" | ".data") {
	const purchase = row.of === "done" ? done : open;
	const controller = new AbortController();
	const response = await shop.ask(`${pathOf(row, opener, purchase)}${ending}`, {
		method: row.method ?? "GET",
		headers: { cookie: await createCookie(opener, purchase) },
		...(row.method && { body: new URLSearchParams({ invoice, ...row.fields }) }),
		signal: controller.signal,
	});
	const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
	const text = isStream ? "" : await response.text();
	controller.abort();
	return { status: response.status, location: response.headers.get("location"), cookies: response.headers.getSetCookie(), text };
}

/** Who has no key is asked for number and address. */
const asksForPair = ({ closed = "/suivi/" }: Pick<Row, "closed">, location: string | null, text: string) =>
	location?.startsWith(closed) || text.includes('name="orderId"');

/** Everything that a request could change. */
async function readState(): Promise<string> {
	const { db } = shop.shop;
	return JSON.stringify([
		await db.selectFrom("orders").selectAll().orderBy("id").execute(),
		await db.selectFrom("order_events").select(["id", "event_type"]).where("event_type", "<>", "mail_sent").orderBy("id").execute(),
		await db.selectFrom("invoices").select(["number", "replaces"]).orderBy("number").execute(),
		await db.selectFrom("refunds").select("id").orderBy("id").execute(),
		await db.selectFrom("refund_requests").select("id").orderBy("id").execute(),
		await db.selectFrom("document_shares").select(["id", "revoked_at"]).orderBy("id").execute(),
		await db.selectFrom("payment_sessions").select(["id", "status"]).orderBy("id").execute(),
		await db.selectFrom("order_forms").select("token_hash").orderBy("token_hash").execute(),
	]);
}

const opens = (key: AccessKey | null, asks: AccessRequest) => key !== null && mayAsk(key, asks);

const cases = [
	...trackingRows.flatMap((row) => trackingOpeners.map((opener) => ({ row, opener }))),
	...confirmationRows.flatMap((row) => confirmationOpeners.map((opener) => ({ row, opener }))),
]
	.filter(({ row, opener }) => !(row.isOfFirst && opener.line > 0 && opens(opener.key, "read-purchase")))
	.map(({ row, opener }) => ({
		...{ row, opener, allowed: opens(opener.key, row.asks) && (!row.isOfFirst || opens(opener.key, "read-purchase")) },
		what: `${opener.key ?? "no key"} (${opener.cookie ?? "no cookie"}), line ${opener.line + 1}: ${row.method ?? "GET"} ${row.route} ${row.intent ?? ""}`,
	}));

describe("a request that the key does not allow is refused, and changes nothing", () => {
	test.each(cases.filter(({ allowed }) => !allowed))("$what", async ({ row, opener }) => {
		const before = await readState();
		for (const ending of ["", ".data"] as const) {
			if (row.isStream && ending !== "") continue;
			const { status, location, cookies, text } = await send(row, opener, ending);
			expect(cookies).toEqual([]);
			expect(listSecrets(text, opener.key)).toEqual([]);
			if (row.leadsOn && ending === "") {
				const cookie = await createCookie(opener, done);
				const next = await shop.ask(location ?? "", { headers: { cookie } });
				expect(next.status).toBe(opener.key === null ? 200 : 403);
				expect(listSecrets(await next.text(), opener.key)).toEqual([]);
			} else if (opener.key !== null || row.isStream) expect(status === 403 || row.leadsOn).toBe(true);
			// the data of a page that asks have no field
			else if (ending === "") expect(asksForPair(row, location, text)).toBe(true);
		}
		expect(await readState()).toBe(before);
	});
});

// after the others, because these change the purchases
describe("a request that the key allows is not refused, and its page shows nothing more", () => {
	test.each(cases.filter(({ allowed }) => allowed))("$what", async ({ row, opener }) => {
		for (const ending of ["", ".data"] as const) {
			const { status, text } = await send(row, opener, ending);
			// a correction ends the cookies that were made before
			await shop.shop.db
				.updateTable("orders")
				.set({ customer_email: mailboxes.owner })
				.where("purchase_id", "=", open.orders[0].id)
				.execute();
			expect([403, 404, 500]).not.toContain(row.isStream && ending !== "" ? 200 : status);
			expect(listSecrets(text, opener.key)).toEqual([]);
		}
	});
});

test("the key of a pair is that of the number: the first order's opens the purchase, a later one its line", async () => {
	const email = done.orders[0].customer_email;
	for (const [line, key] of [
		[0, "purchase"],
		[1, "line"],
	] as const) {
		const orderId = done.orders[line]?.order_number ?? "";
		const answer = (await (await shop.postJson("/api/suivi", { email, orderId })).json()) as {
			order: { price_cents: number | null; refunded_cents: number | null };
			documents: { doc_type: string }[];
		};
		expect([answer.order.price_cents, answer.order.refunded_cents]).toEqual(key === "purchase" ? [5900, 0] : [null, null]);
		expect(answer.documents.some(({ doc_type }) => doc_type === "invoice")).toBe(key === "purchase");
	}
});

describe("the cookies of an order's pages and the sessions of others open no door that has its own key", () => {
	test.each(Object.keys(doors).filter((route) => /mes-commandes|:token|:key/.test(route)))("%s", async (route) => {
		// a right token of another door
		const token = route.startsWith("documents/ensemble")
			? (new URL(createTrackingUrl(shop.shop, done.orders[0])).pathname.split("/").at(-1) ?? "")
			: signKey(shop.shop, "files", done.orders[0], { access: "purchase" });
		for (const opener of [...trackingOpeners, ...confirmationOpeners].filter(({ cookie }) => cookie !== "owner")) {
			const path = pathOf({ route, asks: "read-order", of: "done" }, opener, done)
				.replace(/:(token|key)/, token)
				.replace(":file", "2026.zip");
			const response = await shop.ask(path, { headers: { cookie: await createCookie(opener, done) } });
			const text = await response.text();
			expect(response.headers.getSetCookie()).toEqual([]);
			expect(listSecrets(text, null)).toEqual([]);
		}
	});
});

interface SpaceRow {
	what: string;
	path(purchase: PlacedPurchase): string;
	fields?(purchase: PlacedPurchase): Record<string, string>;
	/** Begins the address to which the customer is led. */
	leadsTo: string;
}

const numberOf = ({ orders }: PlacedPurchase, line = 0) => orders[line]?.order_number ?? "";
const orderOf = (purchase: PlacedPurchase, line = 0) => `/mes-commandes/commande/${numberOf(purchase, line)}`;
const spaceRows: SpaceRow[] = [
	{ what: "open an order", path: (purchase) => orderOf(purchase), leadsTo: "/suivi/" },
	{ what: "open a later line", path: (purchase) => orderOf(purchase, 1), leadsTo: "/suivi/" },
	{ what: "open the purchase", path: (purchase) => `${orderOf(purchase)}?ensemble`, leadsTo: "/suivi/" },
	{ what: "« Commander à nouveau »", path: (purchase) => orderOf(purchase), fields: () => ({}), leadsTo: "/commande/552032534?commande=" },
	{ what: "… a later line", path: (purchase) => orderOf(purchase, 1), fields: () => ({}), leadsTo: "/commande/542107651?commande=" },
	{
		what: "… the purchase",
		path: (purchase) => orderOf(purchase),
		fields: () => ({ ensemble: "" }),
		leadsTo: "/commande/plusieurs?commande=",
	},
	{
		what: "« Commander avec ces coordonnées »",
		path: () => "/mes-commandes/identites",
		fields: (purchase) => ({ number: numberOf(purchase) }),
		leadsTo: "/commande?commande=",
	},
];

describe.each(sessions)("in « Mes commandes », the session of the %s", (session) => {
	const isOwner = session === "owner";
	test.each(spaceRows)("$what", async ({ path, fields, leadsTo }) => {
		const before = await readState();
		const cookie = sessionCookies[session] ?? "";
		const body = fields && new URLSearchParams(fields(done));
		const answer = await shop.ask(path(done), { headers: { cookie }, ...(body && { method: "POST", body }) });
		const location = answer.headers.get("location") ?? "";
		// that of the order's page, or of the browser that may read the form
		expect(answer.headers.getSetCookie().length > 0).toBe(isOwner);
		if (!isOwner) expect(location).toMatch(/^\/mes-commandes(\/identites)?$/);
		else expect(location.startsWith(leadsTo)).toBe(true);
		expect((await readState()) === before).toBe(!isOwner || leadsTo === "/suivi/");
		const opened = await (await shop.ask(location, { headers: { cookie } })).text();
		if (!isOwner) expect(listSecrets(opened, null)).toEqual([]);
	});

	test.each(["", "/factures", "/identites", "/connexions"].flatMap((page) => [`/mes-commandes${page}`, `/mes-commandes${page}.data`]))(
		"%s shows what is theirs",
		async (path) => {
			const answer = await shop.ask(path, { headers: { cookie: sessionCookies[session] ?? "" } });
			const text = await answer.text();
			expect([answer.status < 300, text.includes(mailboxes[session])]).toEqual([true, true]);
			if (!isOwner) expect(listSecrets(text, null)).toEqual([]);
			else if (!path.includes("connexions")) expect(listSecrets(text, null)).not.toEqual([]);
		},
	);

	test.each([".csv", "-fec.txt"])("achats%s has their invoices", async (ending) => {
		const year = (await shop.orderRow(done.orders[0].id)).created_at.getFullYear();
		const answer = await shop.ask(`/mes-commandes/factures/achats-${year}${ending}`, {
			headers: { cookie: sessionCookies[session] ?? "" },
		});
		expect([answer.status, (await answer.text()).includes(invoice)]).toEqual([200, isOwner]);
	});
});

test("« Quitter » also ends the session that would open the order again", async () => {
	const page = `/suivi/${numberOf(done)}`;
	const [session, visit] = [await openSession(mailboxes.owner), await createCookie({ key: "purchase", cookie: "purchase", line: 0 }, done)];
	const open = async (cookie: string) => (await shop.ask(page, { headers: { cookie } })).text();
	for (const cookie of [session, visit]) expect(asksForPair({}, null, await open(cookie))).toBe(false);
	const cookie = `${session}; ${visit}`;
	const [, key = ""] = /name="key" value="([^"]+)"/.exec(await open(cookie)) ?? [];
	await shop.postForm(page, { intent: "quit", key }, { cookie });
	for (const each of [session, visit, cookie]) expect(asksForPair({}, null, await open(each))).toBe(true);
});

test("every key may ask something, and every request has a key", () => {
	for (const key of accessKeys)
		expect(["read-order", "resume", "correct-addresses"].some((asks) => mayAsk(key, asks as AccessRequest))).toBe(true);
});
