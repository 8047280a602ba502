import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { shopArguments } from "../../../test/shop-process.ts";
import type { DatabaseHosts } from "./database-hosts.ts";
import { type Host, outside, stop } from "./namespaces.ts";

/** Hosts that run the shop. Each reaches the database hosts by their names, through relays that can delay packets. */

export interface ApplicationHosts {
	/** Address and port of its web process. */
	getWebAddress(host: Host): string;
	/** Delays every packet between a host's shop and the database. */
	slowDown(host: Host, milliseconds: number): void;
	/** The last output of each process that ended by itself; it is restarted, as by systemd. */
	endings: string[];
	untilReady(host: Host): Promise<number>;
}

const webPort = 3000;

/**
 * @param environment variables of the shop's processes, with the URLs of the partners on loopback.
 * @param partners ports of the partners; each host relays them from its own loopback address.
 */
export async function startApplicationHosts(
	undo: AsyncDisposableStack,
	hosts: readonly Host[],
	{
		databases,
		databaseHosts,
		environment,
		partners,
	}: { databases: DatabaseHosts; databaseHosts: readonly Host[]; environment: Record<string, string>; partners: readonly number[] },
): Promise<ApplicationHosts> {
	const names = databaseHosts.map(({ name }) => name);
	const relays = new Map<string, ChildProcess[]>();
	const endings: string[] = [];
	let stopping = false;
	undo.defer(() => {
		stopping = true;
	});
	const relayAddress = (index: number) => `127.0.0.${11 + index}`;
	const relay = (host: Host, from: string, to: string) => host.start(process.execPath, ["proof/drills/cluster/relay.ts", from, to]);

	function keepRunning(host: Host, role: "web" | "jobs"): void {
		if (stopping) return;
		const env = {
			...environment,
			DATABASE_URL: databases.getUrl(names),
			DATABASE_READ_URL: databases.getUrl(names.slice(1 + hosts.indexOf(host)).slice(0, 1)),
			HOST: "0.0.0.0",
			PORT: String(webPort),
		};
		const child = host.start(process.execPath, [...shopArguments(), role], { env });
		let lastOutput = "";
		for (const output of [child.stdout, child.stderr])
			output?.on("data", (text) => {
				lastOutput = (lastOutput + text).slice(-2000);
			});
		child.once("exit", (code, signal) => {
			if (stopping) return;
			endings.push(`${role} of ${host.name} ended with ${code ?? signal}: ${lastOutput.slice(-300)}`);
			setTimeout(() => keepRunning(host, role), 1000);
		});
		undo.defer(() => {
			stopping = true;
			return stop(child);
		});
	}

	const getWebAddress = (host: Host) => `${host.address}:${webPort}`;
	async function untilReady(host: Host): Promise<number> {
		const began = performance.now();
		for (;;) {
			const ready = await fetch(`http://${getWebAddress(host)}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
			if (ready?.status === 200) return performance.now() - began;
			if (performance.now() - began > 240_000)
				throw new Error(`the shop of ${host.name} is not ready: ${await ready?.text()}\n${endings.slice(-5).join("\n")}`);
			await wait(200);
		}
	}

	for (const host of hosts) {
		host.nameHosts(Object.fromEntries(databaseHosts.map(({ name }, index) => [name, relayAddress(index)])));
		const relayed = databaseHosts.map(({ address }, index) => relay(host, `${relayAddress(index)}:5432`, `${address}:5432`));
		relays.set(host.name, relayed);
		for (const port of partners) relay(host, `127.0.0.1:${port}`, `${outside}:${port}`);
		keepRunning(host, "web");
		keepRunning(host, "jobs");
	}
	for (const host of hosts) await untilReady(host);
	return {
		getWebAddress,
		endings,
		untilReady,
		slowDown({ name }, milliseconds) {
			for (const process of relays.get(name) ?? []) process.stdin?.write(`${milliseconds}\n`);
		},
	};
}
