import type { Database } from "../../../server/database/database.ts";
import { areJobsProcessed } from "../../../server/jobs.ts";
import type { Runtime } from "../../../server/runtime.ts";
import { typedFromEntries } from "../../../server/types/objects.ts";
import { searchCompanies } from "../../companies/search/search-companies.server.ts";
import type { PaymentProvider } from "../../payments/provider.ts";
import { type Part, partNames, toProbeTime } from "./part.ts";
import { insertProbes, writeReadiness } from "./status.store.server.ts";

/** A partner whose availability can be tested. */
interface Partner<Answer = boolean> {
	ready(): Promise<Answer>;
	/** Milliseconds for which a result may be reused, because each call costs a request. */
	readyTtlMs?: number;
}

export type ProbedShop = Pick<Runtime, "db" | "readDb" | "now"> & {
	storage: Partner;
	mailer: Partner;
	provider: Partner<PaymentReadiness>;
};

type PaymentReadiness = Awaited<ReturnType<PaymentProvider["ready"]>>;

export interface Probe {
	ok: boolean;
	/** Of the payment provider only, and when it answered: milliseconds, as of `PaymentProvider.ready`. */
	clockAhead?: number | null;
	/** Milliseconds until the result or the timeout. */
	ms: number;
}

export interface ProbeResult {
	/** The instant of the probes. */
	at: Date;
	parts: Record<Part, Probe>;
}

const probeTimeoutMs = 2000;

/** A search term that every company base finds. */
const knownTerm = "paris";

const probes = {
	database: async ({ db }) => {
		await writeReadiness(db);
		return true;
	},
	search: async ({ readDb }) => {
		const search = { query: knownTerm, departement: null, formes: [], secteur: null, page: 1 };
		return (await searchCompanies(readDb, search)).results.length > 0;
	},
	payment: ({ provider }) => provider.ready(),
	jobs: ({ db }) => areJobsProcessed(db),
	storage: ({ storage }) => storage.ready(),
	mail: ({ mailer }) => mailer.ready(),
} as const satisfies Record<Part, (shop: ProbedShop) => Promise<boolean | PaymentReadiness>>;

/** Probes the parts of a shop. */
export interface PartProber {
	/**
	 * Probes every part; concurrent callers share the result.
	 * @param ttlMs milliseconds for which an earlier result may be reused.
	 */
	probe(ttlMs?: number): Promise<ProbeResult>;
	/**
	 * By how many milliseconds the clock of this process is ahead of the payment provider's; null: unknown.
	 * @param ttlMs milliseconds for which an earlier answer of the provider may be reused.
	 */
	readClock(ttlMs: number): Promise<number | null>;
}

export function createPartProber(shop: ProbedShop): PartProber {
	const probePart = typedFromEntries(partNames.map((part) => [part, shareResult(() => runProbe(part, shop), shop.now)] as const));
	const ttls: Partial<Record<Part, number>> = {
		payment: shop.provider.readyTtlMs,
		storage: shop.storage.readyTtlMs,
		mail: shop.mailer.readyTtlMs,
	};
	const probeAll = async (): Promise<ProbeResult> => {
		const at = shop.now();
		const entries = await Promise.all(partNames.map(async (part) => [part, await probePart[part](ttls[part] ?? 0)] as const));
		return { at, parts: typedFromEntries(entries) };
	};
	const probe = shareResult(probeAll, shop.now);
	return {
		probe: (ttlMs = 0) => probe(ttlMs),
		readClock: async (ttlMs) => (await probePart.payment(ttlMs)).clockAhead ?? null,
	};
}

/** @returns a function that shares a running call, and calls again once the last result is older than its argument in milliseconds. */
function shareResult<Result>(call: () => Promise<Result>, now: () => Date): (ttlMs: number) => Promise<Result> {
	let last: { result: Promise<Result>; at: number; settled: boolean } | undefined;
	return (ttlMs) => {
		const at = now().getTime();
		// the absolute value: a clock that was set back does not extend a result
		if (last && (!last.settled || Math.abs(at - last.at) < ttlMs)) return last.result;
		const current = { result: call(), at, settled: false };
		last = current;
		return current.result.finally(() => {
			current.settled = true;
		});
	};
}

/** A part that fails or times out is down. */
async function runProbe(part: Part, shop: ProbedShop): Promise<Probe> {
	const startedAt = performance.now();
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<false>((resolve) => {
		timer = setTimeout(() => resolve(false), probeTimeoutMs);
	});
	const ready = Promise.resolve()
		.then<boolean | PaymentReadiness>(() => probes[part](shop))
		.catch(() => false);
	const answer = await Promise.race([ready, timeout]);
	clearTimeout(timer);
	const ms = Math.round(performance.now() - startedAt);
	return typeof answer === "boolean" ? { ok: answer, ms } : { ok: answer.ok, ms, clockAhead: answer.ok ? answer.clockAhead : null };
}

/** Probes every part and records the results, once for each due instant. */
export async function measureParts({ db, prober }: { db: Database; prober: PartProber }): Promise<void> {
	const { at, parts } = await prober.probe();
	await insertProbes(db, toProbeTime(at), parts);
}
