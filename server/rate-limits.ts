import { createHash } from "node:crypto";
import { sql } from "kysely";
import type pg from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "./database.ts";

/** Counts events per subject in the database, so that all web processes share the count. Subjects are kept as hashes. */
export interface RateLimit {
	/** Whether the subject has used up its points. */
	isExceeded(subject: string): Promise<boolean>;
	count(subject: string): Promise<void>;
}

export type OpenRateLimit = (name: string, points: number, seconds: number) => RateLimit;

export function rateLimits(pool: pg.Pool): OpenRateLimit {
	return (name, points, seconds) => {
		const limiter = new RateLimiterPostgres({
			storeClient: pool,
			storeType: "pool",
			tableName: "rate_limits",
			tableCreated: true,
			keyPrefix: name,
			points,
			duration: seconds,
		});
		const hash = (subject: string) => createHash("sha256").update(subject).digest("base64url").slice(0, 22);
		return {
			async isExceeded(subject) {
				const state = await limiter.get(hash(subject));
				return state !== null && state.consumedPoints >= points;
			},
			async count(subject) {
				await limiter.consume(hash(subject)).catch((refusal) => {
					if (!(refusal instanceof RateLimiterRes)) throw refusal;
				});
			},
		};
	};
}

/** Forgets the counts whose time is over. @returns how many. */
export async function forgetRateLimits(db: Database, now: Date): Promise<number> {
	const { numAffectedRows } = await sql`delete from rate_limits where expire < ${now.getTime()}`.execute(db);
	return Number(numAffectedRows ?? 0n);
}
