import { setTimeout as wait } from "node:timers/promises";
import type { InjectedStripeFault } from "../../test/fakes/stripe/requests.ts";
import type { FakeStripe } from "../../test/fakes/stripe/stripe.ts";
import type { Random } from "../../test/random.ts";

/** A process that is killed, or a fault of its database, network, disk or clock. */
export type FaultKind = "web" | "jobs" | "database" | "silent connections" | "full disk" | "clock";

export interface FaultTarget {
	kind: FaultKind;
	/**
	 * Injects the fault, for `pause` milliseconds when it ends by itself.
	 * @returns the milliseconds until everything works again; null when nothing stops.
	 */
	inject(pause: number): Promise<number | null>;
}

export interface InjectedFault {
	kind: FaultKind;
	recoveredAfter: number | null;
}

/** Relative frequency. */
const weights: Record<FaultKind, number> = { web: 4, jobs: 4, database: 2, "silent connections": 2, "full disk": 1, clock: 2 };

/** Injected one at a time: each of them needs a working database. */
const alone: readonly FaultKind[] = ["database", "full disk"];

/**
 * Spreads random faults evenly over the orders: a fault waits until its share of the orders has begun, and later orders wait for the fault.
 * Some processes are killed again before they are ready.
 */
export function planFaults({ faults, orders, random }: { faults: number; orders: number; random: Random }) {
	const share = orders / (faults + 1);
	const done: Promise<InjectedFault>[] = [];
	let begun = 0;

	/** Resolves when the next order may begin. */
	async function gate(): Promise<void> {
		const own = begun++;
		while (done.length < faults && own > (done.length + 2) * share) await wait(50);
	}

	async function injectAll(targets: readonly FaultTarget[]): Promise<InjectedFault[]> {
		const kinds = [...new Set(targets.map(({ kind }) => kind))];
		const weighted = kinds.flatMap((kind) => Array<FaultKind>(weights[kind]).fill(kind));
		for (let number = 0; number < faults; number++) {
			while (begun < Math.min((number + 1) * share, orders)) await wait(50);
			await wait(500 + random.next() * 3000);
			// each kind at least once
			const kind = kinds[number] ?? random.pick(weighted);
			const target = random.pick(targets.filter((one) => one.kind === kind));
			const recovery = target.inject(200 + random.next() * 1800);
			done.push(recovery.then((recoveredAfter) => ({ kind, recoveredAfter })));
			if (alone.includes(kind)) await recovery;
		}
		return Promise.all(done);
	}
	return { gate, injectAll };
}

const providerFaults: readonly Required<InjectedStripeFault>[] = [
	{ path: "POST /v1/checkout/sessions", kind: "timeout-after-success", times: 1 },
	{ path: "POST /v1/checkout/sessions", kind: "timeout-after-success", times: 4 },
	{ path: "POST /v1/checkout/sessions", kind: "500", times: 1 },
	{ path: "POST /v1/checkout/sessions", kind: "429", times: 4 },
	{ path: "GET /v1/checkout/sessions", kind: "503", times: 4 },
	{ path: "GET /v1/checkout/sessions", kind: "connection-reset", times: 1 },
	{ path: "GET /v1/", kind: "500", times: 2 },
	{ path: "POST /v1/refunds", kind: "timeout-after-success", times: 1 },
	{ path: "POST /v1/refunds", kind: "timeout-after-success", times: 4 },
	{ path: "POST /v1/refunds", kind: "429", times: 4 },
	{ path: "POST /v1/refunds", kind: "503", times: 4 },
];

/** Makes the payment provider fail now and then until the returned function is called, which gives the number of faults. */
export function injectProviderFaults(stripe: FakeStripe, random: Random): () => number {
	let count = 0;
	const timer = setInterval(() => {
		const fault = random.pick(providerFaults);
		count += fault.times;
		stripe.failNext(fault);
	}, 1500);
	return () => {
		clearInterval(timer);
		stripe.clearFaults();
		return count;
	};
}
