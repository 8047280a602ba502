import { seededRandom } from "../../test/random.ts";
import { createKnownThings } from "./known-things.ts";
import { canary, injectedHeader, type RandomRequest, randomRequest } from "./random-request.ts";
import { type RawAnswer, sendRaw } from "./send-raw.ts";

const concurrent = 16;

export interface RequestsReport {
	/** How often each status was answered; 0 without an answer. */
	statuses: Map<number, number>;
	/** What went wrong, with the request that repeats it. */
	faults: string[];
	seconds: number;
}

/** Sends random requests to a shop. None may cause a fault, and no answer may contain what the sender injected. */
export async function checkRequests(
	url: string,
	{ requests, seed, progress }: { requests: number; seed: number; progress: (text: string) => void },
): Promise<RequestsReport> {
	const known = await createKnownThings(url);
	const port = Number(new URL(url).port);
	const started = performance.now();
	const statuses = new Map<number, number>();
	const faults: string[] = [];
	let next = 0;
	const send = async () => {
		while (next < requests) {
			const number = next++;
			// each request depends only on the seed and its own number, so that one can be repeated alone
			const request = randomRequest(seededRandom(seed * 1_000_003 + number), known);
			const answer = await sendRaw(port, request.bytes, request.cut);
			statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
			const fault = findFault(request, answer);
			if (fault) faults.push(`${fault}: request ${number} of seed ${seed}\n    ${JSON.stringify(request.bytes.toString().slice(0, 600))}`);
			if (number % 5000 === 4999) progress(`${number + 1} requests`);
		}
	};
	await Promise.all(Array.from({ length: concurrent }, send));
	const seconds = (performance.now() - started) / 1000;
	const health = await fetch(`${url}/healthz`).catch(() => null);
	if (health?.status !== 200) faults.push("the shop no longer answers");
	return { statuses, faults, seconds };
}

function findFault({ cut }: RandomRequest, { status, head, body }: RawAnswer): string | undefined {
	if (status >= 500) return `status ${status}`;
	if (status === 0 && !cut) return "no answer";
	if (new RegExp(`^${injectedHeader}:`, "im").test(head)) return "an injected header";
	// only HTML is read as markup: JSON and page data have nosniff
	if (/^content-type: text\/html/im.test(head) && body.includes(canary)) return "injected markup";
	if (/\n\s+at \S+ \(|node_modules|file:\/\/\//.test(body)) return "a stack trace";
	return undefined;
}
