import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { vi } from "vitest";
import type { Database, Trx } from "../../server/database.ts";
import { parseEnvironment } from "../../server/environment.ts";
import { openLog } from "../../server/log.ts";
import { openRuntime } from "../../server/open-runtime.ts";
import { testDatabase } from "../../server/test-database.ts";
import { services } from "../catalogue/services.ts";
import { diskStorage } from "../documents/disk-storage.server.ts";
import type { DocumentType } from "../documents/documents.store.server.ts";
import { keepDocument } from "../documents/keep-document.server.ts";
import { carryOutRefundJob, fulfilOrderJob, sendOrderMailJob } from "./jobs.ts";
import type { Order } from "./order.ts";
import { findOrder, lockOrder } from "./orders.store.server.ts";

export type OrdersUnderTest = Awaited<ReturnType<typeof openOrders>>;

/** What the verbs of orders lean on, with a clock that a test moves. Nobody does the jobs: a test calls their verbs. */
export async function openOrders() {
	let at = new Date("2026-11-23T09:00:00Z"); // 10 h in Paris
	const lines: Record<string, unknown>[] = [];
	const folder = mkdtempSync(join(tmpdir(), "orders-"));
	const database = await testDatabase();
	const parsed = parseEnvironment({ APP_SECRET: "a secret of the tests that is long enough to sign" });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	const kinds = [fulfilOrderJob, sendOrderMailJob, carryOutRefundJob] as never[];
	const opened = await openRuntime(parsed.environment, database.connection, kinds, {
		supervise: false,
		now: () => at,
		log: openLog("info", { write: (line) => lines.push(JSON.parse(line)) }),
	});
	const { db } = opened.runtime;
	const storage = diskStorage(folder);

	/** An express order that is being served, but for what a test changes. */
	async function newOrder(change: Partial<Order> = {}): Promise<Order> {
		const id = randomUUID();
		const service = change.product_code ?? "express";
		const unpaid = change.status === "pending" || change.failure_reason === "expired";
		await db
			.insertInto("orders")
			.values({
				...{ id, order_number: `KB-${id.slice(0, 4)}-${id.slice(4, 8)}`.toUpperCase(), status: "processing", product_code: service },
				...{ price_cents: services[service].price, siren: "552032534", company_name: "DANONE" },
				...{ customer_email: `${id}@example.fr`, first_name: "Ada", last_name: "Lovelace" },
				...{ address: "1 rue de la Paix", postal_code: "75002", city: "Paris", request_hash: "", created_at: at },
				...{ paid_at: unpaid ? null : at, promised_at: unpaid ? null : new Date(at.getTime() + 7_200_000) },
				...change,
			})
			.execute();
		return orderOf(id);
	}

	async function orderOf(id: string): Promise<Order> {
		const order = await findOrder(db, id);
		if (order === null) throw new Error("the order is gone");
		return order;
	}

	const within = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);

	let files = 0;
	async function newDocument({ id }: Order, type: DocumentType = "kbis") {
		const stored = await storage.put(new TextEncoder().encode(`%PDF-1.7 ${++files}`));
		return within((trx) => keepDocument(trx, { orderId: id, type, issuedAt: at, stored, now: at }));
	}

	/** What was paid for an order. */
	async function newPayment({ id, price_cents }: Order): Promise<string> {
		const payment = `pi_test_${id}`;
		const row = { id: payment, order_id: id, session_id: `cs_test_${id}`, amount_cents: price_cents, currency: "eur", role: "order" };
		await db
			.insertInto("payments")
			.values({ ...row, created_at: at })
			.execute();
		return payment;
	}

	/**
	 * Something that wants an order while another transaction holds it, which then changes it. That it waits is certain; one that
	 * does not wait sees the order as it was.
	 */
	async function whileItIsHeld<T>({ id }: Order, act: () => Promise<T>, change: (trx: Trx, order: Order) => Promise<unknown>): Promise<T> {
		let acting: Promise<T> | undefined;
		await within(async (trx) => {
			const order = await lockOrder(trx, id);
			if (order === null) throw new Error("the order is gone");
			acting = act();
			await untilItWaits(db, acting);
			await change(trx, order);
		});
		return acting as Promise<T>;
	}

	return {
		...opened.runtime,
		storage,
		/** Until the transaction ends, nobody writes a mail down: who tries waits with its own transaction open. */
		lockMails: (trx: Trx) => sql`lock table mails in share mode`.execute(trx),
		/** What the log says, a record each. */
		lines,
		moveTo(instant: Date | string) {
			at = new Date(instant);
		},
		filesKept: () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length,
		...{ newOrder, orderOf, newDocument, newPayment, within, whileItIsHeld },
		mailsOf: ({ id }: Order) =>
			db.selectFrom("mails").selectAll().where("order_id", "=", id).orderBy("created_at").orderBy("kind").execute(),
		documentsOf: ({ id }: Order) => db.selectFrom("documents").selectAll().where("order_id", "=", id).execute(),
		refundsOf: ({ id }: Order) => db.selectFrom("refunds").selectAll().where("order_id", "=", id).execute(),
		async historyOf({ id }: Order) {
			const query = db.selectFrom("order_events").selectAll().where("order_id", "=", id).orderBy("id");
			return (await query.execute()).map(({ event_type }) => event_type);
		},
		async jobsOf(name: string, data: Record<string, string | null>) {
			const query = sql<{
				start_after: Date;
			}>`select start_after from jobs.job where name = ${name} and data @> ${JSON.stringify(data)}::jsonb`;
			return (await query.execute(db)).rows;
		},
		async close() {
			await opened.close(1000);
			await database.close();
			rmSync(folder, { recursive: true });
		},
	};
}

/** Until this many statements wait for a lock, or what should wait is over. */
export async function untilItWaits(db: Database, acting: Promise<unknown>, count = 1): Promise<void> {
	let over = false;
	const end = () => {
		over = true;
	};
	acting.then(end, end);
	const waiting = sql<{ n: number }>`
		select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
	await vi.waitFor(
		async () => {
			if (!over && ((await waiting.execute(db)).rows[0]?.n ?? 0) < count) throw new Error("nothing waits");
		},
		{ timeout: 20_000, interval: 10 },
	);
}
