import { availableParallelism, loadavg } from "node:os";

/**
 * How long tests, benches and fakes wait before they give up. Each limit is written for the reference machine when it does nothing
 * else (2 cores of an AMD EPYC, Node 24); every machine gets three times as much, and one that is slower or busier more in proportion.
 * A limit only ends what hangs: nothing is judged by how long it took.
 *
 * Two things say how slow the machine is, and the worse one counts:
 * - a fixed piece of work, timed once, before the first limit is set, against what it takes on the reference machine. Child processes
 *   inherit the result, so that not each of many short ones repeats it;
 * - the processes that want a core, over the cores there are, at each call. Windows tells no load, and there this counts nothing.
 */

/** Milliseconds of the piece of work on the reference machine. */
const referenceMs = 25;
const inherited = "MACHINE_SLOWDOWN";
/** For what the two do not tell: a virtual machine shares its memory and disk too, and one ran the tests three times slower. */
const spare = 3;

let slowest = 1;

/**
 * @param ms what is enough on the reference machine, in milliseconds.
 * @returns what is enough on this one. Never less than `ms`, and never less than a call before gave for the same: what began in a busy
 * moment may still be catching up.
 */
export function scaledTimeout(ms: number): number {
	process.env[inherited] ??= String(timeWork() / referenceMs);
	const [load = 0] = loadavg();
	slowest = Math.max(slowest, Number(process.env[inherited]) || 1, load / availableParallelism());
	return Math.ceil(ms * spare * slowest);
}

function timeWork(): number {
	const started = performance.now();
	let state = 1;
	for (let round = 0; round < 5_000_000; round++) {
		state = (state + 0x6d2b79f5) | 0;
		state = Math.imul(state ^ (state >>> 15), 1 | state);
	}
	return performance.now() - started;
}
