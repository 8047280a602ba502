import { createHash } from "node:crypto";
import { sql } from "kysely";
import type pg from "pg";
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "./database.ts";

/** Whether a point was left; when none was, in how many seconds there is one again. */
export type TakenPoint = { ok: true } | { ok: false; retryAfter: number };

/** Counts events per subject in the database, so that all web processes share the count. Subjects are stored as hashes. */
export interface RateLimit {
	/** Takes a point of the subject in one atomic step: of a burst, no more get through than there are points. */
	take(subject: string): Promise<TakenPoint>;
}

/** The limit of a name: so many points per subject in so many seconds, counted from the first one taken. */
export type OpenRateLimit = (name: string, points: number, seconds: number) => RateLimit;

export function rateLimits(pool: pg.Pool): OpenRateLimit {
	return (name, points, seconds) => {
		const limiter = new RateLimiterPostgres({
			storeClient: pool,
			storeType: "pool",
			tableName: "rate_limits",
			tableCreated: true,
			// the nightly purge deletes what has expired
			clearExpiredByTimeout: false,
			keyPrefix: name,
			points,
			duration: seconds,
		});
		return { take: (subject) => takePoint(limiter, hashSubject(subject)) };
	};
}

/** Takes a point of a key; what is thrown is a fault of the store, not a refusal. */
export async function takePoint(limiter: RateLimiterAbstract, key: string): Promise<TakenPoint> {
	try {
		await limiter.consume(key);
		return { ok: true };
	} catch (refusal) {
		if (!(refusal instanceof RateLimiterRes)) throw refusal;
		return { ok: false, retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
	}
}

/**
 * Takes a point of each limit, one after the other, until one has none left.
 * @param limits in the order of whom they protect from whom: a client that is refused takes nothing from a mailbox.
 */
export async function takeEach(limits: readonly { limit: RateLimit; subject: string }[]): Promise<TakenPoint> {
	for (const { limit, subject } of limits) {
		const taken = await limit.take(subject);
		if (!taken.ok) return taken;
	}
	return { ok: true };
}

/** A subject as it is stored: nobody reads an address or a mailbox out of the table. */
export function hashSubject(subject: string): string {
	return createHash("sha256").update(subject).digest("base64url").slice(0, 22);
}

/** Deletes the counts whose time is over. @returns how many. */
export async function forgetRateLimits(db: Database, now: Date): Promise<number> {
	const { numAffectedRows } = await sql`delete from rate_limits where expire < ${now.getTime()}`.execute(db);
	return Number(numAffectedRows ?? 0n);
}
