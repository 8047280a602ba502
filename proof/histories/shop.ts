import type pg from "pg";
import { createStatisticsReader } from "../../app/books/statistics/read-statistics.server.ts";
import type * as Bundle from "../../app/bundle.ts";
import { isFrenchHoliday } from "../../app/catalogue/holidays.ts";
import { parseOpeningHours } from "../../app/catalogue/opening-hours.ts";
import { describeSales } from "../../app/catalogue/settings/sales.ts";
import { defaultSettings } from "../../app/catalogue/settings/shop-settings.ts";
import { gatherTextVariables } from "../../app/content/variables.ts";
import { createPasswordQueue } from "../../app/desk/operators/password-queue.ts";
import { creditRefund, invoiceOrder } from "../../app/fulfilment/invoice-order.server.ts";
import type { Issuer } from "../../app/fulfilment/issuers/issuer.ts";
import type { Shop } from "../../app/shop.ts";
import { type Database, openDatabase } from "../../server/database/database.ts";
import { parseEnvironment } from "../../server/environment/environment.ts";
import { createLog } from "../../server/observability/log.ts";
import { createMetrics } from "../../server/observability/metrics.ts";
import { rateLimits } from "../../server/rate-limits.ts";
import { createSigner } from "../../server/signing.ts";
import { createBooks } from "./books.ts";
import { createQueue } from "./queue.ts";

/** 9 h in Paris. */
const monday = Date.UTC(2026, 10, 23, 8);
const week = 7 * 86_400_000;

export const eventSecret = "whsec_of_the_histories";

/** The result of the extract of an order; pending when it is missing. */
type Desk = Map<string, "ready" | "not-found">;

export type HistoryShop = Awaited<ReturnType<typeof openHistoryShop>>;

/**
 * A shop for histories: the real use cases on a real PostgreSQL, with a provider, an issuer, a storage, a mailer and a clock that the
 * history controls.
 * @param connection a migrated database that nothing else uses.
 */
export async function openHistoryShop(connection: pg.ClientConfig) {
	const bundle: typeof Bundle = await import("../../build/server/index.js" as string);
	const parsed = parseEnvironment({ APP_SECRET: "a secret of the histories that is long enough to sign" });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	const clock = { at: monday };
	const now = () => new Date(clock.at);
	const log = createLog("silent");
	const { db, pool } = openDatabase({ ...connection, max: 4 }, log);
	const queue = await createQueue(db, now);
	const books = createBooks({ now, secret: eventSecret });
	const desk: Desk = new Map();
	const files = new Map<string, Uint8Array>();
	const sent: string[] = [];

	const openingHours = { ...parseOpeningHours(parsed.environment.openingHours), isHoliday: isFrenchHoliday };
	const shop: Shop = {
		...{ environment: parsed.environment, db, readDb: db, replica: undefined, jobs: queue.jobs, log, now, provider: books.provider },
		changes: { subscribe: () => () => {}, stop: async () => {} },
		signer: createSigner(parsed.environment.secrets),
		limits: rateLimits(pool, createSigner(parsed.environment.secrets)),
		metrics: createMetrics({ withProcessMetrics: false }),
		tracer: undefined,
		streams: { reserve: () => () => {} },
		draining: new AbortController().signal,
		closing: new AbortController().signal,
		openingHours,
		connection,
		readWatch: async () => false,
		readSales: async () => describeSales(defaultSettings, { full: {}, slots: [] }, openingHours, now()),
		issuer: createIssuer(desk, now),
		storage: createStorage(files, now),
		inspectPdf: () => Promise.reject(new Error("no file is uploaded in a history")),
		mailer: createMailer(sent),
		pusher: { publicKey: null, send: async () => "failed" },
		operatorAuth: () => Promise.reject(new Error("nobody signs in in a history")),
		customerAuth: () => Promise.reject(new Error("nobody signs in in a history")),
		passwordQueue: createPasswordQueue(),
		readHealth: async () => null,
		prober: {
			probe: () => Promise.reject(new Error("no part is probed in a history")),
			readClock: async () => null,
		},
		statistics: createStatisticsReader({ db, now, log, openingHours }),
		textVariables: gatherTextVariables(parsed.environment, books.provider.texts),
		recordTerms: async () => "0".repeat(64),
	};
	await bundle.startWorkers(shop);
	// a constant in place of PDFs, which would take most of the time
	const withoutPdf = { ...shop, makePdf: async () => new Uint8Array([37]) };
	await queue.jobs.work("invoice-order", ({ orderId }) => invoiceOrder(withoutPdf, orderId));
	await queue.jobs.work("credit-refund", ({ refundId }) => creditRefund(withoutPdf, refundId));

	return {
		...{ shop, queue, books, desk, sent },
		advanceClock(milliseconds: number): void {
			clock.at += milliseconds;
		},
		/** Moves the clock six weeks on and empties everything around the shop: no history affects the next one. */
		async reset(): Promise<void> {
			await queue.deleteAll();
			await endEverything(db, now());
			clock.at = Math.ceil((clock.at - monday) / week + 6) * week + monday;
			books.clear();
			desk.clear();
			files.clear();
			sent.length = 0;
		},
		close: () => db.destroy(),
	};
}

function createIssuer(desk: Desk, now: () => Date): Issuer {
	return {
		name: "desk",
		request: async () => ({ state: "requested" }),
		async result({ orderId }) {
			const found = desk.get(orderId);
			if (found === "ready") return { state: "ready", pdf: new Uint8Array([37]), issuedAt: now() };
			return { state: found ?? "pending" };
		},
		post: async () => ({ state: "posted", trackingNumber: "1A00000000000" }),
	};
}

/** Ends everything that a history left, so that no regular job finds it again. */
async function endEverything(db: Database, now: Date): Promise<void> {
	await db.updateTable("orders").set({ status: "failed", paid_at: null, set_aside_at: null }).where("paid_at", "is not", null).execute();
	await db.updateTable("orders").set({ status: "failed", set_aside_at: null }).where("status", "=", "pending").execute();
	await db.updateTable("refunds").set({ status: "refused" }).where("status", "<>", "refused").execute();
	await db.updateTable("mails").set({ sent_at: now }).where("sent_at", "is", null).execute();
	await db.updateTable("payment_sessions").set({ status: "expired" }).where("status", "=", "open").execute();
}

function createMailer(sent: string[]): Shop["mailer"] {
	return {
		name: "memory",
		async send({ id }) {
			sent.push(id);
			return { ok: true };
		},
		ready: async () => true,
	};
}

function createStorage(files: Map<string, Uint8Array>, now: () => Date): Shop["storage"] {
	return {
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
	};
}
