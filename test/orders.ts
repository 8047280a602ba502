import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql, type Updateable } from "kysely";
import type pg from "pg";
import { vi } from "vitest";
import { isFrenchHoliday } from "../app/catalogue/holidays.ts";
import { parseOpeningHours } from "../app/catalogue/opening-hours.ts";
import { type ServiceCode, services } from "../app/catalogue/services.ts";
import { summarisePdf } from "../app/fulfilment/extracts/summarise-pdf.server.ts";
import { jobKinds } from "../app/job-kinds.ts";
import { diskStorage } from "../app/orders/documents/disk-storage.server.ts";
import type { DocumentType } from "../app/orders/documents/documents.store.server.ts";
import { insertDocument as insertDocumentRow } from "../app/orders/documents/insert-document.server.ts";
import { type Order, sumPrices } from "../app/orders/order.ts";
import { generateOrderNumber } from "../app/orders/order-number.server.ts";
import { findOrder, lockOrder } from "../app/orders/orders.store.server.ts";
import type { RecordedPayment, Refund } from "../app/orders/refunds/refunds.store.server.ts";
import type { Database, Trx } from "../server/database/database.ts";
import type { Orders } from "../server/database/database-types.gen.ts";
import { parseEnvironment } from "../server/environment/environment.ts";
import { type JobKinds, type Jobs, startJobs } from "../server/jobs.ts";
import { createLog } from "../server/observability/log.ts";
import { rateLimits } from "../server/rate-limits.ts";
import { createSigner } from "../server/signing.ts";
import { createTestDatabase } from "./database.ts";
import { scaledTimeout } from "./time-limits.ts";

/** Columns of an order; amounts and numbers may be written plainly. */
export type OrderValues = Partial<Omit<Order, "price_cents" | "siren" | "order_number">> &
	Updateable<Pick<Orders, "price_cents" | "siren" | "order_number">>;

/** Inserts an express order that waits for its payment, at the catalogue's price, except for the given columns. */
export async function insertOrder(db: Database, values: OrderValues & { created_at: Date }): Promise<Order> {
	const id = values.id ?? randomUUID();
	return db
		.insertInto("orders")
		.values({
			...{ id, purchase_id: id, order_number: generateOrderNumber(), status: "pending", product_code: "express", request_hash: "" },
			...{ siren: "552032534", company_name: "DANONE", price_cents: services[values.product_code ?? "express"].price },
			...{ customer_email: `${id}@example.fr`, first_name: "Ada", last_name: "Lovelace" },
			...values,
		})
		.returningAll()
		.executeTakeFirstOrThrow();
}

/** Inserts the payment of an order's whole price, except for the given columns. */
export async function insertPayment(
	db: Database,
	{ id: order_id, price_cents: amount_cents }: Pick<Order, "id" | "price_cents">,
	values: Partial<RecordedPayment> & { created_at: Date },
): Promise<RecordedPayment> {
	const id = `pi_${randomUUID()}`;
	return db
		.insertInto("payments")
		.values({ id, order_id, session_id: `cs_${id}`, amount_cents, currency: "eur", role: "order", ...values })
		.returningAll()
		.executeTakeFirstOrThrow();
}

interface Options {
	/** The initial time. */
	startsAt: string;
	/** Environment variables that differ from the demo's. */
	variables?: Record<string, string>;
	/** Replaces the shop's queue. */
	openJobs?: (shop: { db: Database; now: () => Date }) => Promise<Jobs>;
}

export type OrderFixture = Awaited<ReturnType<typeof createOrderFixture>>;

/** Orders on a separate database: the test moves the clock and inserts orders in any state; no job runs. */
export async function createOrderFixture({ startsAt, variables, openJobs }: Options) {
	const folder = mkdtempSync(join(tmpdir(), "orders-"));
	const lines: Record<string, unknown>[] = [];
	const log = createLog("info", { write: (line) => lines.push(JSON.parse(line)) });
	const { db, pool, connection, close } = await createTestDatabase(log);
	const parsed = parseEnvironment({ APP_SECRET: "a secret of the tests that is long enough to sign", ...variables });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	const { environment } = parsed;
	const start = new Date(startsAt);
	const clock = { now: start };
	const now = () => clock.now;
	const jobs = await (openJobs?.({ db, now }) ?? startShopJobs(connection));
	const storage = diskStorage(folder);
	const openingHours = { ...parseOpeningHours(environment.openingHours), isHoliday: isFrenchHoliday };
	const inTransaction = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);

	/** Inserts an order that was paid and is being processed, except for the given columns, with its payment. */
	async function insertPaidOrder(values: OrderValues = {}): Promise<{ order: Order; payment: RecordedPayment }> {
		const paid = { status: "processing", paid_at: now(), promised_at: new Date(now().getTime() + 7_200_000) } as const;
		const order = await insertOrder(db, { created_at: now(), ...paid, ...values });
		return { order, payment: await insertPayment(db, order, { created_at: now() }) };
	}

	/**
	 * Inserts a purchase of several orders, paid and being processed except for the given columns, with its payment.
	 * @param productCodes the service of each order.
	 */
	async function insertPaidPurchase(
		productCodes: readonly ServiceCode[],
		values: OrderValues = {},
	): Promise<{ orders: [Order, ...Order[]]; payment: RecordedPayment }> {
		const paid = { created_at: now(), status: "processing", paid_at: now(), promised_at: new Date(now().getTime() + 7_200_000) } as const;
		const purchase_id = randomUUID();
		const orders: Order[] = [];
		for (const [index, product_code] of productCodes.entries()) {
			const line = { ...(index === 0 && { id: purchase_id }), purchase_id, purchase_line: index + 1, product_code };
			orders.push(await insertOrder(db, { ...paid, customer_email: `${purchase_id}@example.fr`, ...values, ...line }));
		}
		const [first, ...others] = orders;
		if (first === undefined) throw new Error("a purchase has at least one order");
		const payment = await insertPayment(db, { id: purchase_id, price_cents: sumPrices(orders) }, { created_at: now() });
		return { orders: [first, ...others], payment };
	}

	/** Inserts a refund of a whole payment that succeeded at once, except for the given columns. */
	async function insertRefund(
		{ id: payment_id, order_id, amount_cents }: RecordedPayment,
		values: Partial<Omit<Refund, "amount_cents">> & { amount_cents?: number } = {},
	): Promise<Refund> {
		const usual = {
			payment_id,
			order_id,
			amount_cents,
			reason: "operator",
			status: "succeeded",
			requested_at: start,
			settled_at: start,
		} as const;
		const query = db.insertInto("refunds").values({ id: randomUUID(), ...usual, ...values });
		return query.returningAll().executeTakeFirstOrThrow();
	}

	/** Stores a new file as a document of an order; each differs. */
	async function insertDocument({ id }: { id: string }, type: DocumentType = "kbis", at = now()) {
		const stored = await storage.put(new TextEncoder().encode(`%PDF-1.7 ${randomUUID()}`));
		return inTransaction((trx) => insertDocumentRow(trx, { orderId: id, type, issuedAt: at, stored, now: at }));
	}

	async function getOrder(id: string): Promise<Order> {
		const order = await findOrder(db, id);
		if (order === null) throw new Error(`there is no order ${id}`);
		return order;
	}

	const getMails = ({ id }: { id: string }) =>
		db.selectFrom("mails").selectAll().where("order_id", "=", id).orderBy("created_at").orderBy("kind").execute();

	const getEvents = ({ id }: { id: string }) =>
		db.selectFrom("order_events").select(["event_type", "payload", "created_at"]).where("order_id", "=", id).orderBy("id").execute();

	/** The jobs of one kind whose data contain this id. */
	async function getJobs(name: keyof JobKinds, id: string) {
		const { rows } = await sql<{ data: object; start_after: Date }>`
			select data, start_after from jobs.job where name = ${name} and strpos(data::text, ${id}) > 0 order by created_on`.execute(db);
		return rows;
	}

	/**
	 * Starts `work` while another transaction holds the order's lock. `before` runs in that transaction before `work`, `after`
	 * once `work` waits for a lock or has ended; then the transaction commits.
	 */
	async function whileLocked<T>(
		{ id }: { id: string },
		{ before, after }: { before?: (trx: Trx, order: Order) => Promise<unknown>; after?: (trx: Trx, order: Order) => Promise<unknown> },
		work: () => Promise<T>,
	): Promise<T> {
		let started: Promise<T> | undefined;
		await inTransaction(async (trx) => {
			const order = await lockOrder(trx, id);
			if (order === null) throw new Error(`there is no order ${id}`);
			await before?.(trx, order);
			started = work();
			await waitForLock(db, started);
			await after?.(trx, order);
		});
		return started as Promise<T>;
	}

	return {
		...{
			inspectPdf: summarisePdf,
			db,
			connection,
			environment,
			log,
			jobs,
			signer: createSigner(environment.secrets),
			limits: rateLimits(pool, createSigner(environment.secrets)),
			storage,
			openingHours,
		},
		/** The storage's folder. */
		folder,
		/** The log's records. */
		lines,
		...{ clock, now, start },
		after: (milliseconds: number) => new Date(start.getTime() + milliseconds),
		inTransaction,
		insertOrder: (values: OrderValues = {}) => insertOrder(db, { created_at: now(), ...values }),
		insertPayment: (order: Order, values: Partial<RecordedPayment> = {}) => insertPayment(db, order, { created_at: now(), ...values }),
		...{ insertPaidOrder, insertPaidPurchase, insertRefund, insertDocument, getOrder, getMails, getEvents, getJobs, whileLocked },
		getMailKinds: async (order: { id: string }) => (await getMails(order)).map(({ kind }) => kind),
		getEventTypes: async (order: { id: string }) => (await getEvents(order)).map(({ event_type }) => event_type),
		getRefunds: ({ id }: { id: string }) =>
			db.selectFrom("refunds").selectAll().where("order_id", "=", id).orderBy("requested_at").execute(),
		getDocuments: ({ id }: { id: string }) => db.selectFrom("documents").selectAll().where("order_id", "=", id).execute(),
		countFiles: () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length,
		async close() {
			await jobs.stop(1000);
			await close();
			rmSync(folder, { recursive: true });
		},
	};
}

/** The shop's own queue, in a process that runs no jobs. */
function startShopJobs(connection: pg.ClientConfig): Promise<Jobs> {
	return startJobs(connection, jobKinds, createLog("silent"), { supervise: false });
}

/** Waits until `count` statements wait for a lock, or until `work` has ended. */
export async function waitForLock(db: Database, work: Promise<unknown>, count = 1): Promise<void> {
	let ended = false;
	const end = () => {
		ended = true;
	};
	work.then(end, end);
	const waiting = sql<{ n: number }>`
		select count(*)::integer as n from pg_stat_activity
		where datname = current_database() and wait_event_type = 'Lock' and backend_type = 'client backend'`;
	await vi.waitFor(
		async () => {
			if (!ended && ((await waiting.execute(db)).rows[0]?.n ?? 0) < count) throw new Error("nothing waits for a lock");
		},
		{ timeout: scaledTimeout(20_000), interval: 10 },
	);
}
