import { z } from "zod";
import { PartnerError } from "../../../../server/partners/partner-error.ts";
import {
	defaultWaitMs,
	describeLongWait,
	describeRequestError,
	maxWaitMs,
	parseWait,
	retryPausesMs,
} from "../../../../server/partners/request-retries.ts";

/** Requests per minute. Source: portail-api.insee.fr, plan « Accès public » of the API Sirene. */
export const maxRequestsPerMinute = 30;
/** Milliseconds. Slightly more than a minute, because INSEE counts requests when they arrive. */
const windowMs = 61_000;

/**
 * Returns the milliseconds to wait before the next request.
 * @param sentAt the instants of earlier requests in milliseconds, oldest first.
 */
export function getWaitMs(sentAt: readonly number[], now: number): number {
	const oldest = sentAt.at(-maxRequestsPerMinute);
	return sentAt.length < maxRequestsPerMinute || oldest === undefined ? 0 : Math.max(0, oldest + windowMs - now);
}

/** The base URL and the key of INSEE's API Sirene. */
export interface InseeAccess {
	/** Without a trailing slash. */
	base: string;
	key: string;
}

/** The clock, which tests replace. All values are in milliseconds. */
export interface InseeClock {
	now(): number;
	sleep(ms: number): Promise<void>;
	/** For one response. */
	timeout: number;
}

/** Reads all pages of a query. @throws PartnerError. */
export type ReadPages = <Row>(
	resource: "unitesLegales" | "etablissements",
	question: { q: string; champs?: string; date?: string },
	row: z.ZodType<Row>,
) => AsyncGenerator<{ rows: Row[]; total: number }>;

const pageSize = 1000;

const paths = { unitesLegales: "siren", etablissements: "siret" };
const header = z.object({ total: z.int().min(0), curseur: z.string(), curseurSuivant: z.string() });
const emptyResponse = z.object({ header: z.object({ statut: z.literal(404) }) });

/**
 * Creates a reader of INSEE's API Sirene 3.11. It sends at most 30 requests per minute, including repeated ones.
 * Each page is a GET of /siren or /siret with the cursor of the previous page; the last page gives its own cursor.
 * Source: https://www.sirene.fr/static-resources/documentation/sommaire_311.html
 */
export function createInseeReader({ base, key }: InseeAccess, pace: InseeClock): ReadPages {
	let sentAt: number[] = [];

	async function sendRequest(url: string): Promise<InseeResponse> {
		for (let wait = getWaitMs(sentAt, pace.now()); wait > 0; wait = getWaitMs(sentAt, pace.now())) await pace.sleep(wait);
		sentAt = [...sentAt, pace.now()].slice(-maxRequestsPerMinute);
		try {
			const response = await fetch(url, {
				headers: { "X-INSEE-Api-Key-Integration": key, accept: "application/json" },
				redirect: "manual", // a redirect must not receive the key
				signal: AbortSignal.timeout(pace.timeout),
			});
			return { status: response.status, text: await response.text(), retryAfter: response.headers.get("retry-after") };
		} catch (error) {
			return { failed: describeRequestError(error) };
		}
	}

	/** Repeats a request until INSEE answers it. @throws PartnerError after the last attempt. */
	async function requestWithRetries(url: string): Promise<{ status: number; text: string }> {
		for (let attempt = 0; ; attempt++) {
			const answer = await sendRequest(url);
			if ("status" in answer && answer.status !== 429 && answer.status < 500) return answer;
			const failure = "failed" in answer ? answer.failed : `it answered ${answer.status}`;
			const pause = retryPausesMs[attempt];
			if (pause === undefined) throw new PartnerError(`INSEE's API did not answer, after ${attempt + 1} attempts: ${failure}.`);
			await pace.sleep("status" in answer && answer.status === 429 ? readRetryAfter(answer.retryAfter, pace.now()) : pause);
		}
	}

	return async function* readPages<Row>(
		resource: keyof typeof paths,
		question: { q: string; champs?: string; date?: string },
		row: z.ZodType<Row>,
	): AsyncGenerator<{ rows: Row[]; total: number }> {
		const page = z.object({ header }).and(z.object({ [resource]: z.array(row) }));
		let received = 0;
		for (let cursor = "*"; ; ) {
			const requestedMs = new URLSearchParams({ ...question, nombre: String(pageSize), curseur: cursor });
			const { status, text } = await requestWithRetries(`${base}/${paths[resource]}?${requestedMs}`);
			const answer = parseJson(text);
			if (status === 401 || status === 403) {
				throw new PartnerError(`INSEE refuses the key of INSEE_API_KEY (${status}): is it right, and subscribed to the API Sirene?`);
			}
			if (status === 404 && emptyResponse.safeParse(answer).success) return;
			if (status !== 200) throw new PartnerError(`INSEE's API answered ${status} at ${base}/${paths[resource]}: ${text.slice(0, 200)}`);
			const parsed = page.safeParse(answer);
			if (!parsed.success) throw createFormatError(resource, parsed.error.issues[0]);
			const { header: place, [resource]: rows = [] } = parsed.data;
			const { total, curseur, curseurSuivant } = place;
			received += rows.length;
			yield { rows, total };
			// saves the request for an empty page
			if (received >= total) return;
			if (curseurSuivant === curseur) throw new PartnerError(`INSEE's API announced ${total} ${resource} and gave ${received}.`);
			cursor = curseurSuivant;
		}
	};
}

type InseeResponse = { status: number; text: string; retryAfter: string | null } | { failed: string };

function createFormatError(resource: string, issue: z.core.$ZodIssue | undefined): PartnerError {
	const where = issue?.path.join(".") || resource;
	return new PartnerError(`INSEE's API answered something unexpected: ${where}: ${issue?.message}.`);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** @param retryAfter the header: seconds or a date. */
function readRetryAfter(retryAfter: string | null, now: number): number {
	const waitMs = parseWait(retryAfter, now) ?? defaultWaitMs;
	if (waitMs > maxWaitMs) throw new PartnerError(describeLongWait("INSEE's API", waitMs));
	return waitMs;
}
