import type { Database } from "../../server/database/database.ts";
import { areJobsProcessed } from "../../server/jobs.ts";
import type { Runtime } from "../../server/runtime.ts";
import { searchCompanies } from "../companies/search/search-companies.server.ts";
import { type Part, partNames } from "./part.ts";
import { writeReadiness } from "./status.store.server.ts";

/** A partner that can be asked whether it works. */
interface Partner {
	ready: () => Promise<boolean>;
}

export type Asked = Pick<Runtime, "db" | "readDb" | "now"> & { storage: Partner; mailer: Partner; provider: Partner };

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
} as const satisfies Record<Part, (asked: Asked) => Promise<boolean>>;

const lastAsked = new WeakMap<Database, { answer: Promise<ProbeResult>; at: number; done: boolean }>();

/**
 * Asks every part whether it works; whoever asks meanwhile gets the same answer, so that asking often is not passed on to the partners.
 * @param remembered milliseconds for which an answer already given will do.
 */
export function probeParts(asked: Asked, remembered = 0): Promise<ProbeResult> {
	const at = asked.now();
	const last = lastAsked.get(asked.db);
	if (last && (!last.done || Math.abs(at.getTime() - last.at) < remembered)) return last.answer;
	const answer = askAll(asked, at);
	const asking = { answer, at: at.getTime(), done: false };
	lastAsked.set(asked.db, asking);
	return answer.finally(() => {
		asking.done = true;
	});
}

async function askAll(asked: Asked, at: Date): Promise<ProbeResult> {
	const answers = await Promise.all(partNames.map(async (part) => [part, await ask(() => questions[part](asked))] as const));
	return { at, parts: Object.fromEntries(answers) as Record<Part, Probe> };
}

/** A part that fails, or hangs, is down. */
async function ask(isReady: () => Promise<boolean>): Promise<Probe> {
	const began = performance.now();
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<false>((tell) => {
		timer = setTimeout(() => tell(false), patience);
	});
	const ready = Promise.resolve()
		.then(isReady)
		.catch(() => false);
	const ok = await Promise.race([ready, late]);
	clearTimeout(timer);
	return { ok, ms: Math.round(performance.now() - began) };
}
