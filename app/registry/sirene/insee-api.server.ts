import { z } from "zod";
import { toError } from "../../../server/types/errors.ts";
import { mostRequests, waitBefore } from "./request-rate.ts";

/** Where INSEE's API Sirene answers, and the key that it wants. */
export interface InseeAccess {
	/** Without a trailing slash. */
	base: string;
	key: string;
}

/** Time, for tests to make it up. All in milliseconds. */
export interface Pace {
	now(): number;
	sleep(ms: number): Promise<void>;
	/** How long an answer may take. */
	timeout: number;
}

/** Why INSEE's API cannot be read any further, as a sentence. */
export class InseeStopped extends Error {}

/** Reads pages of an answer, as many as there are. Throws InseeStopped. */
export type ReadPages = <Row>(
	what: "unitesLegales" | "etablissements",
	question: { q: string; champs?: string; date?: string },
	row: z.ZodType<Row>,
) => AsyncGenerator<{ rows: Row[]; total: number }>;

const pageSize = 1000;
/** Pauses before a request is made again, in milliseconds. */
const pauses = [2_000, 5_000, 15_000, 30_000, 60_000];
const minute = 60_000;
/** Who is asked to wait longer had better come back later. */
const longestWait = 15 * minute;

const paths = { unitesLegales: "siren", etablissements: "siret" };
const header = z.object({ total: z.int().min(0), curseur: z.string(), curseurSuivant: z.string() });
const nothingFound = z.object({ header: z.object({ statut: z.literal(404) }) });

/**
 * Opens INSEE's API Sirene 3.11. At most 30 requests leave in any minute, those that are made again among them.
 * A page is a GET of /siren or /siret with the cursor of the page before it; the last page names itself as the next one.
 * Source: https://www.sirene.fr/static-resources/documentation/sommaire_311.html
 */
export function openInsee({ base, key }: InseeAccess, pace: Pace): ReadPages {
	let sent: number[] = [];

	async function ask(url: string): Promise<Answer> {
		for (let wait = waitBefore(sent, pace.now()); wait > 0; wait = waitBefore(sent, pace.now())) await pace.sleep(wait);
		sent = [...sent, pace.now()].slice(-mostRequests);
		try {
			const response = await fetch(url, {
				headers: { "X-INSEE-Api-Key-Integration": key, accept: "application/json" },
				redirect: "manual", // the key goes nowhere else
				signal: AbortSignal.timeout(pace.timeout),
			});
			return { status: response.status, text: await response.text(), retryAfter: response.headers.get("retry-after") };
		} catch (error) {
			return { failed: why(error) };
		}
	}

	/** @returns an answer that is there, or that says that there is none. */
	async function insist(url: string): Promise<{ status: number; text: string }> {
		for (let attempt = 0; ; attempt++) {
			const answer = await ask(url);
			if ("status" in answer && answer.status !== 429 && answer.status < 500) return answer;
			const failure = "failed" in answer ? answer.failed : `it answered ${answer.status}`;
			const pause = pauses[attempt];
			if (pause === undefined) throw new InseeStopped(`INSEE's API did not answer, after ${attempt + 1} attempts: ${failure}.`);
			await pace.sleep("status" in answer && answer.status === 429 ? askedToWait(answer.retryAfter, pace.now()) : pause);
		}
	}

	return async function* readPages<Row>(
		what: keyof typeof paths,
		question: { q: string; champs?: string; date?: string },
		row: z.ZodType<Row>,
	): AsyncGenerator<{ rows: Row[]; total: number }> {
		const page = z.object({ header, [what]: z.array(row) });
		let received = 0;
		for (let cursor = "*"; ; ) {
			const asked = new URLSearchParams({ ...question, nombre: String(pageSize), curseur: cursor });
			const { status, text } = await insist(`${base}/${paths[what]}?${asked}`);
			const answer = parseJson(text);
			if (status === 401 || status === 403) {
				throw new InseeStopped(`INSEE refuses the key of INSEE_API_KEY (${status}): is it right, and subscribed to the API Sirene?`);
			}
			if (status === 404 && nothingFound.safeParse(answer).success) return;
			if (status !== 200) throw new InseeStopped(`INSEE's API answered ${status} at ${base}/${paths[what]}: ${text.slice(0, 200)}`);
			const parsed = page.safeParse(answer);
			if (!parsed.success) throw unexpected(what, parsed.error.issues[0]);
			const { total, curseur, curseurSuivant } = parsed.data.header as z.infer<typeof header>;
			const rows = parsed.data[what] as Row[];
			received += rows.length;
			yield { rows, total };
			// a page more would only say that there is none
			if (received >= total) return;
			if (curseurSuivant === curseur) throw new InseeStopped(`INSEE's API announced ${total} ${what} and gave ${received}.`);
			cursor = curseurSuivant;
		}
	};
}

type Answer = { status: number; text: string; retryAfter: string | null } | { failed: string };

function unexpected(what: string, issue: z.core.$ZodIssue | undefined): InseeStopped {
	const where = issue?.path.join(".") || what;
	return new InseeStopped(`INSEE's API answered something unexpected: ${where}: ${issue?.message}.`);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function why(error: unknown): string {
	if (error instanceof DOMException && error.name === "TimeoutError") return "it took too long";
	const { message, cause } = toError(error);
	return cause instanceof Error ? cause.message || message : message;
}

/** @param retryAfter seconds or a date, as the header has it. */
function askedToWait(retryAfter: string | null, now: number): number {
	const asked = retryAfter === null ? Number.NaN : /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
	if (asked > longestWait) throw new InseeStopped(`INSEE's API asks to wait for ${Math.ceil(asked / minute)} minutes: begin again then.`);
	return asked >= 0 ? asked : minute;
}
