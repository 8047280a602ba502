import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../../bench/random.ts";
import type { OrderedFault } from "../fakes/stripe/requests.ts";
import type { FakeStripe } from "../fakes/stripe/stripe.ts";

/** A process that is killed, or what else goes wrong beneath it. */
export type FaultKind = "web" | "jobs" | "database" | "silent connections" | "full disk" | "clock";

export interface Target {
	kind: FaultKind;
	/**
	 * Lets it happen, for `pause` milliseconds where it ends by itself.
	 * @returns the milliseconds until all works again; null where nothing stops.
	 */
	strike(pause: number): Promise<number | null>;
}

export interface Strike {
	kind: FaultKind;
	recoveredAfter: number | null;
}

/** How often each happens, beside the others. */
const weights: Record<FaultKind, number> = { web: 4, jobs: 4, database: 2, "silent connections": 2, "full disk": 1, clock: 2 };

/** One of these at a time: each needs the database to be there. */
const alone: readonly FaultKind[] = ["database", "full disk"];

/**
 * Lets faults happen at random, spread over the orders: the next one waits for its share of them to have begun, and orders beyond
 * that wait for the fault. Some processes are killed before they are up again.
 */
export function planStrikes({ strikes, orders, random }: { strikes: number; orders: number; random: Random }) {
	const share = orders / (strikes + 1);
	const done: Promise<Strike>[] = [];
	let begun = 0;

	/** Resolves when the next order may begin. */
	async function gate(): Promise<void> {
		const mine = begun++;
		while (done.length < strikes && mine > (done.length + 2) * share) await wait(50);
	}

	async function strikeAll(targets: readonly Target[]): Promise<Strike[]> {
		const kinds = [...new Set(targets.map(({ kind }) => kind))];
		const weighted = kinds.flatMap((kind) => Array<FaultKind>(weights[kind]).fill(kind));
		for (let number = 0; number < strikes; number++) {
			while (begun < Math.min((number + 1) * share, orders)) await wait(50);
			await wait(500 + random.next() * 3000);
			// each kind once, whatever the dice say
			const kind = kinds[number] ?? random.pick(weighted);
			const target = random.pick(targets.filter((one) => one.kind === kind));
			const struck = target.strike(200 + random.next() * 1800);
			done.push(struck.then((recoveredAfter) => ({ kind, recoveredAfter })));
			if (alone.includes(kind)) await struck;
		}
		return Promise.all(done);
	}
	return { gate, strikeAll };
}

const faults: readonly Required<OrderedFault>[] = [
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

/** Has the payment provider fail every now and then, until it is told to stop. @returns how many faults came. */
export function failNowAndThen(stripe: FakeStripe, random: Random): () => number {
	let ordered = 0;
	const timer = setInterval(() => {
		const fault = random.pick(faults);
		ordered += fault.times;
		stripe.failNext(fault);
	}, 1500);
	return () => {
		clearInterval(timer);
		stripe.failNoMore();
		return ordered;
	};
}
