import { z } from "zod";
import { PartnerError } from "../../../../server/partners/partner-error.ts";
import {
	defaultWaitMs,
	describeLongWait,
	describeRequestError,
	maxWaitMs,
	parseWait,
} from "../../../../server/partners/request-retries.ts";

/** The clock, which tests replace. All values are in milliseconds. */
export interface BulletinClock {
	now(): number;
	sleep(ms: number): Promise<void>;
	/** For the beginning of an answer, and for each next part of it. */
	timeout: number;
}

/** The API did not answer completely; it may when it is asked again. */
export class BulletinUnanswered extends Error {
	/** Milliseconds that the API asks to wait; null where it says nothing. */
	readonly waitMs: number | null;

	constructor(message: string, waitMs: number | null = null) {
		super(message);
		this.waitMs = waitMs;
	}
}

export interface BulletinReader {
	/** The number of notices published on a day, yyyy-mm-dd. */
	countNotices(day: string): Promise<number>;
	/** All notices of a day, as JSON lines. */
	openNotices(day: string): Promise<AsyncIterable<Buffer>>;
}

const count = z.object({ total_count: z.int().min(0) });

/**
 * Creates a reader of the bulletin's open data (explore v2.1, no key). Exports have no limit of rows, unlike /records.
 * Source: https://bodacc-datadila.opendatasoft.com, https://help.opendatasoft.com/apis/ods-explore-v2/
 * Its functions throw PartnerError and BulletinUnanswered, also while an answer is read.
 * @param base without a trailing slash.
 */
export function createBulletinReader(base: string, { now, timeout }: Omit<BulletinClock, "sleep">): BulletinReader {
	async function ask(path: string, day: string, parameters: Record<string, string> = {}) {
		const where = `dateparution>=date'${day}' and dateparution<=date'${day}'`;
		const aborted = new AbortController();
		const late = () => aborted.abort(new DOMException("it took too long", "TimeoutError"));
		let timer = setTimeout(late, timeout);
		const stop = () => clearTimeout(timer);
		const response = await fetch(`${base}/${path}?${new URLSearchParams({ where, ...parameters })}`, {
			headers: { accept: "application/json" },
			redirect: "manual",
			signal: aborted.signal,
		}).catch((error: unknown) => {
			stop();
			throw new BulletinUnanswered(describeRequestError(error));
		});
		if (response.status !== 200 || !/json/.test(response.headers.get("content-type") ?? "")) {
			stop();
			await response.body?.cancel().catch(() => {});
			throw refuse(response, path);
		}
		async function* chunks(): AsyncGenerator<Buffer> {
			try {
				for await (const chunk of response.body ?? []) {
					clearTimeout(timer);
					yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
					timer = setTimeout(late, timeout);
				}
			} catch (error) {
				throw new BulletinUnanswered(describeRequestError(error));
			} finally {
				stop();
			}
		}
		return chunks();
	}

	function refuse({ status, headers }: Response, path: string): Error {
		if (status === 200)
			return new PartnerError(`The bulletin's API answered ${headers.get("content-type")} in place of notices (${path}).`);
		if (status !== 429 && status < 500) return new PartnerError(`The bulletin's API answered ${status} (${path}).`);
		const waitMs = parseWait(headers.get("retry-after"), now()) ?? readReset(headers.get("x-ratelimit-reset"), now());
		if (waitMs !== null && waitMs > maxWaitMs) return new PartnerError(describeLongWait("The bulletin's API", waitMs));
		return new BulletinUnanswered(`it answered ${status}`, status === 429 ? (waitMs ?? defaultWaitMs) : waitMs);
	}

	return {
		async countNotices(day) {
			const parts: Buffer[] = [];
			for await (const part of await ask("records", day, { limit: "1", select: "id" })) parts.push(part);
			const parsed = count.safeParse(parseJson(Buffer.concat(parts).toString()));
			if (!parsed.success) throw new PartnerError("The bulletin's API answered something unexpected: no total_count (records).");
			return parsed.data.total_count;
		},
		openNotices: (day) => ask("exports/jsonl", day),
	};
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Opendatasoft gives the instant of the next quota, as a date or in seconds since 1970; others give seconds from now. */
function readReset(header: string | null, now: number): number | null {
	const seconds = Number(header);
	return seconds > 1e9 ? Math.max(0, seconds * 1000 - now) : parseWait(header, now);
}
