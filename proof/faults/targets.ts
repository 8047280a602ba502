import { setTimeout as wait } from "node:timers/promises";
import type { BreakableNetwork } from "../../test/network.ts";
import { withClient } from "../../test/postgres.ts";
import type { Random } from "../../test/random.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import type { FaultTarget } from "./inject-faults.ts";
import type { KillablePostgres } from "./killable-postgres.ts";
import type { FaultyShop } from "./shop.ts";

/** Keep-alive of the database server in milliseconds, as docs/deployment.md demands it over a network. */
const serverKeepAlive = 30_000;

/** Milliseconds within which the shop closes dead connections: twice what docs/deployment.md says of a jobs process. */
const maxSilence = scaledTimeout(70_000);

interface Scene {
	shop: FaultyShop;
	database: KillablePostgres;
	network: BreakableNetwork;
	random: Random;
	/** Receives full disks that the readiness check missed, and dead connections that stayed open. */
	missed: string[];
}

/** Everything that the test can break. */
export function createTargets({ shop, database, network, random, missed }: Scene): FaultTarget[] {
	return [
		...shop.processes.map((process) => ({ kind: process.role, inject: process.kill })),
		{ kind: "database", inject: database.kill },
		{ kind: "silent connections", inject: () => silenceConnections(network, missed) },
		{ kind: "clock", inject: (pause) => shiftClock(shop, random, pause) },
		...(database.fill ? [{ kind: "full disk" as const, inject: (pause: number) => fillDisk(shop, database, missed, pause) }] : []),
	];
}

async function silenceConnections(network: BreakableNetwork, missed: string[]): Promise<number | null> {
	network.silence(serverKeepAlive);
	// a health check gets a new connection: the test waits until no old one is left
	const started = performance.now();
	for (; network.countSilent() > 0; await wait(100)) {
		if (performance.now() - started < maxSilence) continue;
		missed.push(`${network.countSilent()} dead connections stayed open for ${maxSilence / 1000} s`);
		return null;
	}
	return performance.now() - started;
}

async function shiftClock(shop: FaultyShop, random: Random, pause: number): Promise<null> {
	const process = random.pick(shop.processes);
	process.tell({ clock: (random.next() - 0.5) * 1_200_000 });
	await wait(3 * pause);
	process.tell({ clock: 0 });
	return null;
}

async function fillDisk(shop: FaultyShop, database: KillablePostgres, missed: string[], pause: number): Promise<number | null> {
	if (!database.fill) return null;
	return database.fill(async () => {
		await wait(pause);
		if (!(await noticesFullDisk(shop, database, scaledTimeout(20_000))))
			missed.push("a full disk: /readyz did not say that the database is down");
	});
}

/** Milliseconds after which PostgreSQL counts as refusing connections: without its cache of the catalogue, which it cannot write then, it may. */
const maxRefusal = 5000;

/** Whether every web process reports the database as down while it still answers: a full disk accepts no writes, but can be read. */
async function noticesFullDisk(shop: FaultyShop, database: KillablePostgres, maxMs: number): Promise<boolean> {
	for (const started = performance.now(); performance.now() - started < maxMs; await wait(100)) {
		const noticed = (await Promise.all(shop.webs.map(reportsDatabaseDown))).every(Boolean);
		if (noticed && ((await answers(database)) || performance.now() - started > maxRefusal)) return true;
	}
	return false;
}

async function reportsDatabaseDown(web: string): Promise<boolean> {
	const response = await fetch(`${web}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
	return ((await response?.json().catch(() => null)) as { database?: string } | null)?.database === "down";
}

const answers = ({ connection }: KillablePostgres) =>
	withClient(connection, (client) => client.query("select 1")).then(
		() => true,
		() => false,
	);
