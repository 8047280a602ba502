import { setTimeout as wait } from "node:timers/promises";
import type { StripeStandIn } from "../../stand-ins/stripe.ts";
import type { OrderedFault } from "../../stand-ins/stripe-requests.ts";
import type { Random } from "../random.ts";

export type VictimKind = "web" | "jobs" | "database";

export interface Victim {
	kind: VictimKind;
	/** Kills it, and gives the milliseconds until it works again. */
	kill(pause: number): Promise<number>;
}

export interface Kill {
	kind: VictimKind;
	recoveredAfter: number;
}

/** Who is killed how often, beside the others. */
const weights: Record<VictimKind, number> = { web: 2, jobs: 2, database: 1 };

/**
 * Kills processes at random, spread over the orders: the next kill waits for its share of them to have begun, and orders beyond
 * that wait for the kill. Some are killed before they are up again.
 */
export function planKills({ kills, orders, random }: { kills: number; orders: number; random: Random }) {
	const share = orders / (kills + 1);
	const done: Promise<Kill>[] = [];
	let begun = 0;

	/** Resolves when the next order may begin. */
	async function gate(): Promise<void> {
		const mine = begun++;
		while (done.length < kills && mine > (done.length + 2) * share) await wait(50);
	}

	async function killAll(victims: readonly Victim[]): Promise<Kill[]> {
		const kinds = [...new Set(victims.map(({ kind }) => kind))];
		const weighted = kinds.flatMap((kind) => Array<VictimKind>(weights[kind]).fill(kind));
		for (let number = 0; number < kills; number++) {
			while (begun < Math.min((number + 1) * share, orders)) await wait(50);
			await wait(500 + random.next() * 3000);
			// each kind once, whatever the dice say
			const kind = kinds[number] ?? random.pick(weighted);
			const victim = random.pick(victims.filter((one) => one.kind === kind));
			const killed = victim.kill(200 + random.next() * 1800);
			done.push(killed.then((recoveredAfter) => ({ kind, recoveredAfter })));
			if (kind === "database") await killed;
		}
		return Promise.all(done);
	}
	return { gate, killAll };
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
export function failNowAndThen(stripe: StripeStandIn, random: Random): () => number {
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
