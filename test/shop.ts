import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type pg from "pg";
import { vi } from "vitest";
import type * as Bundle from "../app/bundle.ts";
import { type ServiceCode, services } from "../app/catalogue/services.ts";
import { checkOutDrafts } from "../app/checkout/payment/start-checkout.server.ts";
import type { OrderEmailKind } from "../app/emails/order-emails.server.ts";
import { summarisePdf } from "../app/fulfilment/extracts/summarise-pdf.server.ts";
import { type DemoMail, readDemoMail } from "../app/mail/read-demo-mails.server.ts";
import type { OrderStatus } from "../app/orders/lifecycle.ts";
import { type Order, sumPrices } from "../app/orders/order.ts";
import { findOrder, listOrdersOfPurchase } from "../app/orders/orders.store.server.ts";
import type { Shop } from "../app/shop.ts";
import { createRuntime } from "../server/create-runtime.ts";
import { type Environment, parseEnvironment } from "../server/environment/environment.ts";
import { type RequestHandler, startHttpServer } from "../server/http-server.ts";
import { createLog } from "../server/observability/log.ts";
import { createTestDatabase } from "./database.ts";
import { draftOrder } from "./fixtures/drafts.ts";
import { testSettings } from "./shop-process.ts";
import { scaledTimeout } from "./time-limits.ts";

interface Options {
	/** Environment variables that differ from the demo's. */
	variables?: Record<string, string>;
	/** A database in place of a copy of the template; it is closed with the shop. */
	database?: { connection: pg.ClientConfig; close: () => Promise<void> };
	/** The shop's clock. */
	now?: () => Date;
	/** Receives the log's lines, which otherwise go to standard output. */
	onLog?: (line: string) => void;
}

interface Schedule {
	/** Of the kind of job. */
	name: string;
	cron: string;
	timezone: string;
}

export type TestShop = Awaited<ReturnType<typeof createTestShop>>;

/** The built shop on a separate database with the sample companies, on a free port, with jobs but no schedules; and the steps of a customer. */
export async function createTestShop({ variables = {}, now, onLog, database: given }: Options = {}) {
	const bundle: typeof Bundle = await import("../build/server/index.js" as string);
	const database = given ?? (await createTestDatabase());
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-shop-"));
	let fetch: RequestHandler = () => new Response("starting", { status: 503 });
	const server = await startHttpServer({ host: "127.0.0.1", port: 0 }, (request, env) => fetch(request, env));
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}`;
	const environment = testEnvironment({ PORT: String(port), BASE_URL: url, DATA_DIR: folder, ...variables });
	// on a busy machine a new connection takes longer, and the shop would say that its database is down
	const connection = { connectionTimeoutMillis: scaledTimeout(5000), ...database.connection };
	const { runtime, close } = await createRuntime(environment, connection, bundle.jobKinds, {
		supervise: true,
		now,
		log: createLog(environment.logLevel, onLog && { write: onLog }),
	});
	const shop: Shop = { ...bundle.createShop(runtime), inspectPdf: summarisePdf };
	await bundle.startWorkers(shop);
	// tests do what is scheduled themselves: at any minute it would come between two steps of theirs
	const { rows: schedules } = await sql<Schedule>`delete from jobs.schedule returning name, cron, timezone`.execute(shop.db);
	fetch = (await bundle.createWeb(shop)).fetch as RequestHandler;
	return {
		shop,
		/** Its URL: `http://127.0.0.1:<port>`. */
		url,
		connection: database.connection,
		/** What it would do by the clock. */
		schedules,
		...createCustomer(shop, url),
		async close() {
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
			await close(1000);
			await database.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** The demo's environment with the test's variables. */
function testEnvironment(variables: Record<string, string>): Environment {
	const secret = "a secret of the tests that is long enough to sign";
	// a test sends the requests of many clients; production requires limits and slow hashes
	const settings = variables.APP_ENV === "production" ? {} : testSettings;
	const parsed = parseEnvironment({ APP_SECRET: secret, LOG_LEVEL: "error", ...settings, ...variables });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	return parsed.environment;
}

interface Choice {
	service?: ServiceCode;
	/** Overrides the customer's default data. */
	customer?: Record<string, unknown>;
	/** Overrides the default order. */
	order?: Record<string, unknown>;
	consents?: { terms: boolean; waiveWithdrawal: boolean; textVersion: string };
}

/** A valid body of POST /api/create-payment with the test's changes. */
export function paymentRequest({ service = "express", customer = {}, order = {}, consents }: Choice = {}) {
	const { price, deliveryMethod } = services[service];
	return {
		orderData: { siren: "552032534", companyName: "DANONE", serviceType: service, amount: price as number, deliveryMethod, ...order },
		customerData: {
			email: "ada@example.fr",
			firstName: "Ada",
			lastName: "Lovelace",
			phone: "06 12 34 56 78",
			address: "1 rue de la Paix",
			postalCode: "75002",
			city: "Paris",
			company: "",
			...customer,
		},
		...(consents && { consents }),
	};
}

interface PlacedOrder {
	id: string;
	number: string;
	sessionId: string;
	payUrl: string;
}

/** `id` and `number` are those of the first order. */
type PlacedPurchase = PlacedOrder & { orders: readonly Order[]; total: number };

function createCustomer(shop: Shop, url: string) {
	/** Requests a path, or a URL of the shop; redirects are not followed. */
	const ask = (address: string, init: RequestInit = {}) => fetch(new URL(address, url), { redirect: "manual", ...init });

	const postJson = (path: string, body: unknown, headers: Record<string, string> = {}) =>
		ask(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } });

	const postForm = (address: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
		ask(address, { method: "POST", body: new URLSearchParams(fields), headers });

	/** Orders through the API. */
	async function placeOrder(choice?: Choice): Promise<PlacedOrder> {
		const answer = await postJson("/api/create-payment", paymentRequest(choice));
		const { url: payUrl, error } = (await answer.json()) as { url?: string; error?: string };
		if (!payUrl) throw new Error(`no order was made: ${error}`);
		const sessionId = payUrl.split("/").at(-1) ?? "";
		const { order_id: id, order_number: number } = await shop.db
			.selectFrom("payment_sessions")
			.innerJoin("orders", "orders.id", "order_id")
			.select(["order_id", "order_number"])
			.where("payment_sessions.id", "=", sessionId)
			.executeTakeFirstOrThrow();
		return { id, number, sessionId, payUrl };
	}

	/** Places a purchase of an order of each service: one through the API, several up to their payment page. */
	async function placePurchase(services: readonly ServiceCode[], email = "ada@example.fr"): Promise<PlacedPurchase> {
		const withOrders = async (placed: PlacedOrder) => {
			const orders = await listOrdersOfPurchase(shop.db, placed.id);
			return { ...placed, orders, total: sumPrices(orders) };
		};
		if (services.length === 1) return withOrders(await placeOrder({ service: services[0], customer: { email } }));
		const drafts = services.map((service) => draftOrder(service, { email }));
		const started = await checkOutDrafts(shop, drafts, { idempotencyKey: crypto.randomUUID(), client: "a client" });
		if (!started.ok) throw new Error(`no purchase was made: ${started.code}`);
		const { url: payUrl, orderId: id } = started;
		return withOrders({ id, number: (await orderRow(id)).order_number, sessionId: payUrl.split("/").at(-1) ?? "", payUrl });
	}

	/** Pays in the sandbox. The next page asks the provider, as paying takes a customer more than two seconds. */
	async function payByCard(payUrl: string, card = "4242 4242 4242 4242"): Promise<Response> {
		const answer = await postForm(payUrl, { intent: "pay", card });
		await letPagesAsk();
		return answer;
	}

	/** Pays at the provider, before any event reaches the shop. The next page asks the provider. */
	async function payInSilence(sessionId: string, change: { amount_total?: number; currency?: string } = {}): Promise<void> {
		await shop.db
			.updateTable("sandbox.sessions")
			.set({ status: "complete", payment_status: "paid", payment_intent: `pi_test_${sessionId}`, paid_at: shop.now(), ...change })
			.where("id", "=", sessionId)
			.execute();
		await letPagesAsk();
	}

	/** Lets pages ask the provider about all sessions at once, as they do two seconds after the last time. Locked in order, for calls at once. */
	const letPagesAsk = () =>
		sql`update payment_sessions set refreshed_at = null where id in (select id from payment_sessions order by id for update)`.execute(
			shop.db,
		);

	/** The URL of the payment page's cancel link. */
	const getResumePath = async (payUrl: string) => /\/paiement\/reprendre\/[\w.-]+/.exec(await (await ask(payUrl)).text())?.[0] ?? "";

	const orderRow = (id: string) => shop.db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

	/** Waits until the shop has moved an order to a state. */
	function untilOrderIs(status: OrderStatus, id: string): Promise<Order> {
		return vi.waitFor(
			async () => {
				const order = await findOrder(shop.db, id);
				if (order?.status !== status) throw new Error(`the order is ${order?.status}, not ${status}`);
				return order;
			},
			{ timeout: scaledTimeout(20_000), interval: 25 },
		);
	}

	/** Orders, pays, and waits until the document and the invoice are sent. */
	async function completeOrder(choice?: Choice): Promise<PlacedOrder> {
		const placed = await placeOrder(choice);
		await payByCard(placed.payUrl);
		await untilOrderIs("completed", placed.id);
		await getMails(placed, "confirmation");
		return placed;
	}

	/** An order's e-mails of one kind, once they are sent. */
	function getMails(order: PlacedOrder, kind: OrderEmailKind): Promise<DemoMail[]> {
		return vi.waitFor(
			async () => {
				const rows = await shop.db.selectFrom("mails").selectAll().where("order_id", "=", order.id).where("kind", "=", kind).execute();
				if (rows.length === 0 || rows.some((row) => row.sent_at === null)) throw new Error(`no e-mail of the kind ${kind} is sent yet`);
				return Promise.all(rows.map(({ id }) => readDemoMail(join(shop.environment.dataDir, "mails"), id)));
			},
			{ timeout: scaledTimeout(20_000), interval: 25 },
		);
	}

	/** The types of an order's events, oldest first; sent e-mails with their kind. */
	async function getEventTypes(orderId: string): Promise<string[]> {
		const events = await shop.db.selectFrom("order_events").selectAll().where("order_id", "=", orderId).orderBy("id").execute();
		return events.map(({ event_type, payload }) =>
			event_type === "mail_sent" ? `mail_sent: ${(payload as { kind: string }).kind}` : event_type,
		);
	}

	const countOrders = async () =>
		Number(
			(
				await shop.db
					.selectFrom("orders")
					.select((eb) => eb.fn.countAll().as("count"))
					.executeTakeFirstOrThrow()
			).count,
		);

	return {
		...{ ask, postJson, postForm, placeOrder, placePurchase, payByCard, payInSilence, letPagesAsk, getResumePath, completeOrder },
		...{ untilOrderIs, orderRow, getMails, getEventTypes, countOrders },
	};
}
