import type pg from "pg";
import type * as Bundle from "../../app/bundle.ts";
import { isFrenchHoliday } from "../../app/catalogue/holidays.ts";
import { parseOpeningHours } from "../../app/catalogue/opening-hours.ts";
import { creditRefund, invoiceOrder } from "../../app/fulfilment/invoice-order.server.ts";
import type { Issuer } from "../../app/fulfilment/issuer.ts";
import { creditRefundJob, invoiceOrderJob } from "../../app/fulfilment/jobs.ts";
import type { Shop } from "../../app/shop.ts";
import { openDatabase } from "../../server/database/database.ts";
import { parseEnvironment } from "../../server/environment/environment.ts";
import { createLog } from "../../server/observability/log.ts";
import { createMetrics } from "../../server/observability/metrics.ts";
import { rateLimits } from "../../server/rate-limits.ts";
import { createSigner } from "../../server/signing.ts";
import { openBooks } from "./books.ts";
import { openQueue } from "./queue.ts";

export const eventSecret = "whsec_of_the_histories";

/** Where the extract of an order stands; an order that is not in it waits. */
type Desk = Map<string, "ready" | "not-found">;

export type HistoryShop = Awaited<ReturnType<typeof openHistoryShop>>;

/**
 * A shop for histories: the verbs and the PostgreSQL of the real one; around them a provider, an issuer, a storage, a letter
 * box and a clock that are in the hands of the history.
 * @param connection a migrated database of its own.
 */
export async function openHistoryShop(connection: pg.ClientConfig) {
	const bundle: typeof Bundle = await import("../../build/server/index.js" as string);
	const parsed = parseEnvironment({ APP_SECRET: "a secret of the histories that is long enough to sign" });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	const clock = { at: new Date("2026-11-23T08:00:00Z").getTime() }; // a Monday, 9 h in Paris
	const now = () => new Date(clock.at);
	const log = createLog("silent");
	const { db, pool } = openDatabase({ ...connection, max: 4 }, log);
	const queue = await openQueue(db, now);
	const books = openBooks({ now, secret: eventSecret });
	const desk: Desk = new Map();
	const files = new Map<string, Uint8Array>();
	const sent: string[] = [];

	const shop: Shop = {
		...{ environment: parsed.environment, db, readDb: db, replica: undefined, jobs: queue.jobs, log, now, provider: books.provider },
		changes: { subscribe: () => () => {}, stop: async () => {} },
		signer: createSigner(parsed.environment.secrets),
		limits: rateLimits(pool),
		metrics: createMetrics({ ofProcess: false }),
		tracer: undefined,
		streams: { take: () => () => {} },
		draining: new AbortController().signal,
		closing: new AbortController().signal,
		calendar: { ...parseOpeningHours(parsed.environment.openingHours), isHoliday: isFrenchHoliday },
		issuer: issuerAt(desk, now),
		storage: {
			name: "memory",
			async put(bytes) {
				const path = crypto.randomUUID();
				files.set(path, bytes);
				return { path, sha256: path, bytes: bytes.length };
			},
			async get(path) {
				const file = files.get(path);
				if (!file) throw new Error("no such file");
				return file;
			},
			remove: async (path) => void files.delete(path),
			putObject: async (name, bytes) => void files.set(name, bytes),
			findObject: async (name) => files.get(name) ?? null,
			async *list(prefix = "", after = "") {
				const paths = [...files.keys()].filter((path) => path.startsWith(prefix) && path > after).sort();
				yield* paths.map((path) => ({ path, at: now() }));
			},
			sweep: async () => 0,
			ready: async () => true,
		},
		mailer: {
			name: "memory",
			async send({ id }) {
				sent.push(id);
				return { ok: true };
			},
			ready: async () => true,
		},
		prober: { probe: () => Promise.reject(new Error("no part is probed in a history")) },
	};
	await bundle.startWorkers(shop);
	// ten thousand PDFs are a bench of their own
	const without = { ...shop, makePdf: async () => new Uint8Array([37]) };
	await queue.jobs.work(invoiceOrderJob, 1, ({ orderId }) => invoiceOrder(without, orderId));
	await queue.jobs.work(creditRefundJob, 1, ({ refundId }) => creditRefund(without, refundId));

	return {
		...{ shop, queue, books, desk, sent },
		/** Time passes, in milliseconds. */
		pass(milliseconds: number): void {
			clock.at += milliseconds;
		},
		/** Six weeks on, with a provider that knows nothing: what was before is no part of the next history. */
		async startAfresh(): Promise<void> {
			await queue.forgetAll();
			// nothing of what was before is woken again, also where it broke off
			await db
				.updateTable("orders")
				.set({ status: "failed", paid_at: null, set_aside_at: null })
				.where("paid_at", "is not", null)
				.execute();
			await db.updateTable("orders").set({ status: "failed", set_aside_at: null }).where("status", "=", "pending").execute();
			await db.updateTable("refunds").set({ status: "refused" }).where("status", "<>", "refused").execute();
			await db.updateTable("mails").set({ sent_at: now() }).where("sent_at", "is", null).execute();
			await db.updateTable("payment_sessions").set({ status: "expired" }).where("status", "=", "open").execute();
			const week = 7 * 86_400_000;
			clock.at = Math.ceil((clock.at - Date.UTC(2026, 10, 23, 8)) / week + 6) * week + Date.UTC(2026, 10, 23, 8);
			books.clear();
			desk.clear();
			files.clear();
			sent.length = 0;
		},
		close: () => db.destroy(),
	};
}

function issuerAt(desk: Desk, now: () => Date): Issuer {
	return {
		name: "desk",
		request: async () => ({ state: "accepted" }),
		async result({ orderId }) {
			const found = desk.get(orderId);
			if (found === "ready") return { state: "ready", pdf: new Uint8Array([37]), issuedAt: now() };
			return { state: found ?? "pending" };
		},
		post: async () => ({ state: "posted", trackingNumber: "1A00000000000" }),
	};
}
