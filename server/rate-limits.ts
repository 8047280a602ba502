import { createHmac } from "node:crypto";
import { sql } from "kysely";
import type pg from "pg";
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database, Trx } from "./database/database.ts";
import type { Signer } from "./signing.ts";

/** `retryAfter`: seconds until the next free point. */
export type LimitResult = { ok: true } | { ok: false; retryAfter: number };

/** Counts events per subject in the database, so that all web processes share the count. Subjects are stored as keyed hashes. */
export interface RateLimit {
	/** Takes a point of the subject atomically, so that a burst never exceeds the limit. */
	take(subject: Subject): Promise<LimitResult>;
}

/** A client, a mailbox or a thing, or several of them that are counted together. */
export type Subject = string | readonly string[];

/** A count of which takeTogether takes points. */
export interface Point<Name extends string = string> {
	name: Name;
	subject: Subject;
	/** The most points in a period. */
	most: number;
	/** Additional points when all counts before this one were zero. */
	spare?: number;
	/** The points to take, by default one. More than `most` counts as `most`. */
	cost?: number;
}

/** Creates a limit: a number of points per subject and period in seconds, which starts with the first point. */
export type CreateRateLimit = (name: string, points: number, seconds: number) => RateLimit;

/** The counts need the shop's signer: the key of their hashes is derived from its first secret. With another one all counts begin anew. */
type KeyContext = { signer: Pick<Signer, "derive"> };

export function rateLimits(pool: pg.Pool, signer: Pick<Signer, "derive">): CreateRateLimit {
	return (name, points, seconds) => {
		const limiter = new RateLimiterPostgres({
			storeClient: pool,
			storeType: "pool",
			tableName: "rate_limits",
			tableCreated: true,
			// the nightly purge deletes expired counts
			clearExpiredByTimeout: false,
			keyPrefix: name,
			points,
			duration: seconds,
		});
		return { take: (subject) => takePoint(limiter, toHash({ signer }, subject)) };
	};
}

/**
 * Hashes a subject with a secret, so that a table contains no IP and no e-mail address. Without the secret, who reads the table could try
 * all IPv4 addresses against it, and any e-mail address.
 */
export const hashSubject = (secret: string, subject: string): string =>
	createHmac("sha256", secret).update(subject).digest("base64url").slice(0, 22);

/** One hash for each part, so that the counts of a part are found (deleteCounts). */
function toHash({ signer }: KeyContext, subject: Subject): string {
	const secret = signer.derive("rate limits");
	return [subject]
		.flat()
		.map((part) => hashSubject(secret, part))
		.join(".");
}

const toKey = (context: KeyContext, { name, subject }: Point) => `${name}:${toHash(context, subject)}`;

/** Takes a point of a key. @throws after a fault of the store; a refusal does not throw. */
export async function takePoint(limiter: RateLimiterAbstract, key: string): Promise<LimitResult> {
	try {
		await limiter.consume(key);
		return { ok: true };
	} catch (refusal) {
		if (!(refusal instanceof RateLimiterRes)) throw refusal;
		return { ok: false, retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
	}
}

/**
 * Takes a point of each limit, one after the other, until one is exhausted.
 * @param limits the client's limit first, so that a refused client takes no point of a mailbox.
 */
export async function takeEach(limits: readonly { limit: RateLimit; subject: Subject }[]): Promise<LimitResult> {
	for (const { limit, subject } of limits) {
		const taken = await limit.take(subject);
		if (!taken.ok) return taken;
	}
	return { ok: true };
}

/**
 * Takes points of each count or of none, in the caller's transaction: they stay locked until its end, and a rollback returns them.
 * rate-limiter-flexible takes one count at a time, outside of transactions; the table is the same.
 * @param points always in the same order of names, to prevent deadlocks.
 */
export async function takeTogether<Name extends string>(
	context: KeyContext,
	trx: Trx,
	points: readonly Point<Name>[],
	{ seconds, now }: { seconds: number; now: Date },
): Promise<{ ok: true } | { ok: false; name: Name; retryAfter: number }> {
	const at = now.getTime();
	const { rows } = await sql<{ refused_place: number; refused_until: string }>`
		select * from take_points(${points.map((point) => toKey(context, point))}::text[], ${points.map(({ most }) => most)}::integer[],
			${points.map(({ spare = 0 }) => spare)}::integer[], ${points.map(({ cost = 1 }) => cost)}::integer[],
			${at}::bigint, ${at + seconds * 1000}::bigint)`.execute(trx);
	const [refused] = rows;
	if (refused === undefined) return { ok: true };
	const { name } = points[refused.refused_place - 1] as Point<Name>;
	return { ok: false, name, retryAfter: Math.ceil((Number(refused.refused_until) - at) / 1000) };
}

/** Gives back what `takeTogether` took. */
export async function giveBack(context: KeyContext, trx: Trx, points: readonly Point[]): Promise<void> {
	for (const point of points) {
		const taken = Math.min(point.cost ?? 1, point.most);
		await sql`update rate_limits set points = points - ${taken} where key = ${toKey(context, point)}`.execute(trx);
	}
}

/** Deletes every count of a subject, also those that it shares with others. @returns how many. */
export async function deleteCounts(context: KeyContext, db: Database | Trx, subject: string): Promise<number> {
	const { numAffectedRows } = await sql`
		delete from rate_limits where ${toHash(context, subject)} = any(string_to_array(split_part(key, ':', 2), '.'))`.execute(db);
	return Number(numAffectedRows ?? 0n);
}

/** Deletes expired counts. @returns the number of deleted rows. */
export async function deleteExpiredLimits(db: Database, now: Date): Promise<number> {
	const { numAffectedRows } = await sql`
		delete from rate_limits where key in (select key from rate_limits where expire < ${now.getTime()} for update skip locked)`.execute(db);
	return Number(numAffectedRows ?? 0n);
}
