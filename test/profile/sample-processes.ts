import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second (USER_HZ, proc(5)). */
const ticksPerSecond = 100;

interface Process {
	pid: number;
	parent: number;
	command: string;
	/** Its own processor time, in ticks. */
	own: number;
	/** That of its ended children, in ticks. */
	children: number;
}

/** Processor time in seconds, and the samples in which a core had nothing to do. */
export interface Usage {
	/** Seconds of processor time by part, such as « vitest: PostgreSQL ». */
	secondsByPart: Map<string, number>;
	/** Seconds of processor time by database of PostgreSQL. */
	secondsByDatabase: Map<string, number>;
	/** Seconds in which all cores had nothing to do at least nine tenths of the time. */
	idleSeconds: number;
	/** Core-seconds in which a core had nothing to do. */
	idleCoreSeconds: number;
	/** Core-seconds that the hypervisor gave to other machines. */
	stolenCoreSeconds: number;
	wallSeconds: number;
}

/**
 * Samples the processor time of a process and all its descendants, from /proc (Linux only).
 * @param root its process id.
 * @returns a function that ends the sampling.
 */
export function startSampling(root: number): () => Usage {
	const secondsByPart = new Map<string, number>();
	const secondsByDatabase = new Map<string, number>();
	let known = new Map<number, Process & { part: string }>();
	const started = performance.now();
	const first = readCores();
	let last = first;
	let lastTime = started;
	let idleSeconds = 0;

	function sample(): void {
		const processes = readDescendants(root);
		const next: typeof known = new Map();
		const dead = [...known.values()].filter(({ pid }) => !processes.has(pid));
		for (const each of processes.values()) {
			const before = known.get(each.pid);
			const part = namePart(each, processes);
			next.set(each.pid, { ...each, part });
			const seconds = (each.own - (before?.own ?? 0)) / ticksPerSecond;
			add(secondsByPart, part, seconds);
			const database = /^postgres: \S+ (\w+)/.exec(each.command)?.[1];
			if (database) add(secondsByDatabase, database, seconds);
			// the rest of what its ended children used, beyond their last sample
			const ended = sumTicks(each.pid, dead);
			const rest = each.children - (before?.children ?? 0) - ended;
			if (rest > 0) add(secondsByPart, each.command.includes("postgres") ? part : `${part}, short processes`, rest / ticksPerSecond);
		}
		known = next;
		const now = performance.now();
		const cores = readCores();
		if (cores.idle - last.idle > 0.9 * (cores.all - last.all)) idleSeconds += (now - lastTime) / 1000;
		last = cores;
		lastTime = now;
	}

	const timer = setInterval(sample, 200);
	return () => {
		clearInterval(timer);
		sample();
		return {
			secondsByPart,
			secondsByDatabase,
			idleSeconds,
			idleCoreSeconds: (last.idle - first.idle) / ticksPerSecond,
			stolenCoreSeconds: (last.stolen - first.stolen) / ticksPerSecond,
			wallSeconds: (performance.now() - started) / 1000,
		};
	};
}

/** What the ended children of a process, and theirs, had used at their last sample. */
const sumTicks = (parent: number, ended: readonly Process[]): number =>
	ended.filter((each) => each.parent === parent).reduce((sum, each) => sum + each.own + each.children + sumTicks(each.pid, ended), 0);

function add(sums: Map<string, number>, key: string, seconds: number): void {
	sums.set(key, (sums.get(key) ?? 0) + seconds);
}

/** Ticks of all cores together since the machine started. */
function readCores(): { idle: number; stolen: number; all: number } {
	const ticks = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.split(/\s+/).slice(1, 9).map(Number) ?? [];
	const [, , , idle = 0, waiting = 0, , , stolen = 0] = ticks;
	return { idle: idle + waiting, stolen, all: ticks.reduce((sum, tick) => sum + tick, 0) };
}

function readDescendants(root: number): Map<number, Process> {
	const all = new Map<number, Process>();
	for (const name of readdirSync("/proc")) {
		if (!/^\d+$/.test(name)) continue;
		try {
			const stat = readFileSync(`/proc/${name}/stat`, "utf8");
			// the name in parentheses may contain spaces
			const fields = stat
				.slice(stat.lastIndexOf(")") + 2)
				.split(" ")
				.map(Number);
			const [, parent = 0, , , , , , , , , , user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields;
			const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
			all.set(Number(name), { pid: Number(name), parent, command, own: user + system, children: childrenUser + childrenSystem });
		} catch {
			// it ended meanwhile
		}
	}
	const isDescendant = (each: Process | undefined): boolean =>
		each !== undefined && (each.pid === root || isDescendant(all.get(each.parent)));
	return new Map([...all].filter(([, each]) => isDescendant(each)));
}

/** The runners that start the other processes. */
const lanes: [string, RegExp][] = [
	["vitest", /vitest/],
	["Playwright", /playwright/],
	["benches", /bench\/run\.ts/],
	["build", /scripts\/build\.ts/],
];

const kinds: [string, RegExp][] = [
	["pages in Chromium", /--type=renderer/],
	["Chromium without its pages", /chromium/],
	["PostgreSQL", /postgres/],
	["workers", /vitest.*worker|forks|workerProcessEntry|playwright.*process/i],
	["runner", /vitest|playwright test|playwright\/cli/],
	["shops", /main\.ts/],
	["reading and drawing PDFs", /pdf|extract/],
];

function namePart(process: Process, processes: ReadonlyMap<number, Process>): string {
	let lane = "other";
	for (let each: Process | undefined = process; each; each = processes.get(each.parent)) {
		const found = lanes.find(([, pattern]) => pattern.test(each?.command ?? ""));
		if (found) lane = found[0];
	}
	const kind = kinds.find(([, pattern]) => pattern.test(process.command));
	return `${lane}: ${kind?.[0] ?? "other programs"}`;
}
