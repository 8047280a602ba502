import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, vi } from "vitest";
import type { Trx } from "../../server/database.ts";
import { type JobKind, startJobs } from "../../server/jobs.ts";
import { openLog } from "../../server/log.ts";
import { testDatabase } from "../../server/test-database.ts";
import { services } from "../catalogue/services.ts";
import { diskStorage } from "../documents/disk-storage.server.ts";
import type { DocumentType } from "../documents/documents.store.server.ts";
import { keepDocument } from "../documents/keep-document.server.ts";
import { sendConfirmationJob } from "../newsletter/jobs.ts";
import * as orderJobs from "./jobs.ts";
import type { Order } from "./order.ts";
import { newOrderNumber } from "./order-number.server.ts";
import { findOrder, lockOrder } from "./orders.store.server.ts";
import { findPayment, findRefund, insertPayment, type KnownPayment, type PaymentRole, type Refund } from "./refunds.store.server.ts";

export type OrdersUnderTest = Awaited<ReturnType<typeof openOrders>>;

/** Orders in any state that a test asks for, a clock that it moves, and a queue whose jobs nobody does. */
export async function openOrders() {
	const { db, connection, close } = await testDatabase();
	const folder = mkdtempSync(join(tmpdir(), "orders-"));
	const log = openLog("silent");
	const jobs = await startJobs(connection, [...Object.values(orderJobs), sendConfirmationJob] as JobKind<never>[], log, {
		supervise: false,
	});
	const start = new Date("2026-11-20T10:00:00Z"); // a Friday, in opening hours
	const clock = { now: start };
	const runtime = { db, jobs, log, now: () => clock.now, storage: diskStorage(folder) };
	const inTransaction = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);

	/** A pending express order, but for what differs. */
	async function order(set: Partial<Order> = {}): Promise<Order> {
		const id = randomUUID();
		await db
			.insertInto("orders")
			.values({
				...{ id, order_number: newOrderNumber(), status: "pending", product_code: "express" },
				...{ siren: "552032534", company_name: "DANONE", request_hash: "", created_at: start },
				...{ customer_email: "ada@example.fr", first_name: "Ada", last_name: "Lovelace" },
				price_cents: services[set.product_code ?? "express"].price,
				...set,
			})
			.execute();
		return orderRow(id);
	}
	const orderRow = async (id: string) => (await findOrder(db, id)) as Order;

	/** The payment of an order's price, but for what differs. */
	async function payment(order: Order, set: { role?: PaymentRole; amount?: number; now?: Date } = {}): Promise<KnownPayment> {
		const id = `pi_${randomUUID()}`;
		const usual = { id, orderId: order.id, sessionId: `cs_${id}`, amount: order.price_cents, currency: "eur", role: "order" } as const;
		await inTransaction((trx) => insertPayment(trx, { ...usual, now: start, ...set }));
		return (await findPayment(db, id)) as KnownPayment;
	}

	/** An order that was paid, with its payment; it waits for its extract, but for what differs. */
	async function paidOrder(set: Partial<Order> = {}): Promise<{ order: Order; paid: KnownPayment }> {
		const made = await order({ status: "processing", paid_at: start, ...set });
		return { order: made, paid: await payment(made) };
	}

	/** A refund that succeeded at once, but for what differs. */
	async function refund(
		{ id: payment_id, order_id, amount_cents }: KnownPayment,
		set: Partial<Omit<Refund, "amount_cents">> & { amount_cents?: number } = {},
	): Promise<Refund> {
		const usual = { payment_id, order_id, amount_cents, reason: "operator", status: "succeeded", requested_at: start, settled_at: start };
		const row = { id: randomUUID(), ...usual, ...set };
		await db.insertInto("refunds").values(row).execute();
		return (await findRefund(db, row.id)) as Refund;
	}

	/** A stored document; each has bytes like no other. */
	async function document({ id }: { id: string }, type: DocumentType, now = start) {
		const stored = await runtime.storage.put(new TextEncoder().encode(`%PDF-1.7 ${randomUUID()}`));
		return inTransaction((trx) => keepDocument(trx, { orderId: id, type, issuedAt: now, stored, now }));
	}

	/** What the queue was sent of one kind about an order, a refund or a mail. */
	async function jobsOf({ name }: { name: string }, id: string) {
		const { rows } = await sql<{ data: object; start_after: Date }>`
			select data, start_after from jobs.job where name = ${name} and strpos(data::text, ${id}) > 0 order by created_on`.execute(db);
		return rows;
	}

	/**
	 * Begins `work` while another transaction holds the order and has made its change, which is committed once `work` waits for it, or
	 * did not care to.
	 * @param last what is changed once `work` waits.
	 */
	async function overtaken<T>(
		{ id }: { id: string },
		change: (trx: Trx) => Promise<unknown>,
		work: () => Promise<T>,
		last: (trx: Trx) => Promise<unknown> = async () => {},
	): Promise<T> {
		let begun: Promise<T> | undefined;
		await inTransaction(async (trx) => {
			await lockOrder(trx, id);
			await change(trx);
			let ended = false;
			begun = work().finally(() => {
				ended = true;
			});
			begun.catch(() => {});
			await vi.waitFor(
				async () => {
					const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
					expect(ended || (await waiting.execute(db)).rows.length > 0).toBe(true);
				},
				{ timeout: 20_000, interval: 10 },
			);
			await last(trx);
		});
		return begun as Promise<T>;
	}

	return {
		...{
			runtime,
			db,
			connection,
			jobs,
			clock,
			start,
			inTransaction,
			order,
			orderRow,
			payment,
			paidOrder,
			refund,
			document,
			jobsOf,
			overtaken,
		},
		after: (milliseconds: number) => new Date(start.getTime() + milliseconds),
		kindsOfMails: async ({ id }: { id: string }) =>
			(await db.selectFrom("mails").select("kind").where("order_id", "=", id).execute()).map(({ kind }) => kind).sort(),
		eventsOf: ({ id }: { id: string }) =>
			db.selectFrom("order_events").select(["event_type", "payload", "created_at"]).where("order_id", "=", id).orderBy("id").execute(),
		refundsOf: ({ id }: { id: string }) =>
			db.selectFrom("refunds").selectAll().where("order_id", "=", id).orderBy("requested_at").execute(),
		async close() {
			await jobs.stop(1000);
			await close();
			rmSync(folder, { recursive: true });
		},
	};
}
