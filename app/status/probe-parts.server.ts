import { areJobsProcessed } from "../../server/jobs.ts";
import type { Runtime } from "../../server/runtime.ts";
import { typedFromEntries } from "../../server/types/objects.ts";
import { searchCompanies } from "../companies/search/search-companies.server.ts";
import { type Part, partNames } from "./part.ts";
import { writeReadiness } from "./status.store.server.ts";

/** A partner that says whether it works. */
interface Partner {
	ready(): Promise<boolean>;
	/** Milliseconds for which an answer is used again, because each question costs a request. */
	readyTtlMs?: number;
}

export type ProbedShop = Pick<Runtime, "db" | "readDb" | "now"> & { storage: Partner; mailer: Partner; provider: Partner };

export interface Probe {
	ok: boolean;
	/** Milliseconds until the answer, or until it was no longer waited for. */
	ms: number;
}

export interface ProbeResult {
	/** When they were asked. */
	at: Date;
	parts: Record<Part, Probe>;
}

/** Milliseconds that a part is given to answer. */
const patience = 2000;

/** A word that any base of companies knows. */
const knownWord = "paris";

const questions = {
	database: async ({ db }) => {
		await writeReadiness(db);
		return true;
	},
	search: async ({ readDb }) => {
		const search = { query: knownWord, departement: null, formes: [], secteur: null, page: 1 };
		return (await searchCompanies(readDb, search)).results.length > 0;
	},
	payment: ({ provider }) => provider.ready(),
	jobs: ({ db }) => areJobsProcessed(db),
	storage: ({ storage }) => storage.ready(),
	mail: ({ mailer }) => mailer.ready(),
} as const satisfies Record<Part, (shop: ProbedShop) => Promise<boolean>>;

/** Asks the parts of one shop whether they work. */
export interface PartProber {
	/**
	 * Asks every part; callers that come meanwhile share the answer.
	 * @param ttlMs milliseconds for which an answer already given is used again.
	 */
	probe(ttlMs?: number): Promise<ProbeResult>;
}

export function createPartProber(shop: ProbedShop): PartProber {
	const ask = typedFromEntries(partNames.map((part) => [part, remember(() => askPart(part, shop), shop.now)] as const));
	const ttls: Partial<Record<Part, number>> = {
		payment: shop.provider.readyTtlMs,
		storage: shop.storage.readyTtlMs,
		mail: shop.mailer.readyTtlMs,
	};
	const askAll = async (): Promise<ProbeResult> => {
		const at = shop.now();
		const answers = await Promise.all(partNames.map(async (part) => [part, await ask[part](ttls[part] ?? 0)] as const));
		return { at, parts: typedFromEntries(answers) };
	};
	const probe = remember(askAll, shop.now);
	return { probe: (ttlMs = 0) => probe(ttlMs) };
}

/** @returns a function that shares a running question, and asks again once the last answer is older than its argument, in milliseconds. */
function remember<Answer>(ask: () => Promise<Answer>, now: () => Date): (ttlMs: number) => Promise<Answer> {
	let last: { answer: Promise<Answer>; at: number; settled: boolean } | undefined;
	return (ttlMs) => {
		const at = now().getTime();
		// a clock that was put back makes no answer last
		if (last && (!last.settled || Math.abs(at - last.at) < ttlMs)) return last.answer;
		const asking = { answer: ask(), at, settled: false };
		last = asking;
		return asking.answer.finally(() => {
			asking.settled = true;
		});
	};
}

/** A part that fails, or hangs, is down. */
async function askPart(part: Part, shop: ProbedShop): Promise<Probe> {
	const began = performance.now();
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<false>((tell) => {
		timer = setTimeout(() => tell(false), patience);
	});
	const ready = Promise.resolve()
		.then(() => questions[part](shop))
		.catch(() => false);
	const ok = await Promise.race([ready, late]);
	clearTimeout(timer);
	return { ok, ms: Math.round(performance.now() - began) };
}
