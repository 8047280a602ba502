import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";

/** Hosts on one machine: Linux network namespaces on a bridge, each with its own IP address (ip-netns(8)). Needs root. */

const bridge = "kbis0";
const network = "10.77.0";

/** The IP address of this machine for all hosts. */
export const outside = `${network}.1`;

export interface Host {
	name: string;
	address: string;
	/** Starts a program there; it ends with the drill. */
	start(command: string, args: string[], options?: Options): ChildProcess;
	/** Runs a program there to its end. @returns its output. @throws when it fails. */
	run(command: string, args: string[], options?: Options): string;
	/** Gives names to addresses for the programs that start there from then on, as /etc/hosts does (ip-netns(8)). */
	nameHosts(addresses: Readonly<Record<string, string>>): void;
	/** Disconnects the host from the network. */
	cutOff(): void;
	/** Connects it again. */
	plugIn(): void;
	/**
	 * Drops the packets of the open connections to a port, so that neither end notices; new connections work.
	 * @returns a function that counts those still open. @throws when none is open.
	 */
	silence(port: number): () => number;
	/** Stops dropping packets. */
	speak(): void;
}

interface Options {
	env?: Record<string, string>;
	/** The system's user; root by default. */
	user?: string;
}

/** Creates hosts; each number is the last part of the host's IP address. */
export function makeHosts<Name extends string>(undo: AsyncDisposableStack, hosts: Record<Name, number>): Record<Name, Host> {
	const ip = (...args: string[]) => runOrThrow("ip", args);
	spawnSync("ip", ["link", "delete", bridge]); // a killed drill may leave one behind
	ip("link", "add", bridge, "type", "bridge");
	undo.defer(() => void spawnSync("ip", ["link", "delete", bridge]));
	ip("address", "add", `${outside}/24`, "dev", bridge);
	ip("link", "set", bridge, "up");
	const created = Object.entries<number>(hosts).map(([name, number]) => [name, makeHost(undo, name, `${network}.${number}`)]);
	return Object.fromEntries(created) as Record<Name, Host>;
}

function makeHost(undo: AsyncDisposableStack, name: string, address: string): Host {
	const namespace = `kbis-${name}`;
	const cable = `kbis-${name}`;
	const ip = (...args: string[]) => runOrThrow("ip", args);
	spawnSync("ip", ["netns", "delete", namespace]);
	ip("netns", "add", namespace);
	undo.defer(() => void spawnSync("ip", ["netns", "delete", namespace]));
	ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", namespace);
	ip("link", "set", cable, "master", bridge, "up");
	const inside = (command: string, args: string[], user?: string) => [
		...["netns", "exec", namespace],
		...(user ? ["setpriv", "--reuid", user, "--regid", user, "--init-groups"] : []),
		...[command, ...args],
	];
	const run = (command: string, args: string[], { env = {}, user }: Options = {}) =>
		runOrThrow("ip", inside(command, args, user), { env: { PATH: process.env.PATH ?? "", ...env }, ...findFolder(user) });
	for (const args of [
		["link", "set", "lo", "up"],
		["address", "add", `${address}/24`, "dev", "eth0"],
		["link", "set", "eth0", "up"],
	])
		run("ip", args);
	return {
		name,
		address,
		run,
		start(command, args, { env = {}, user } = {}) {
			const child = spawn("ip", inside(command, args, user), {
				env: { PATH: process.env.PATH ?? "", ...env },
				...findFolder(user),
				stdio: ["pipe", "pipe", "pipe"],
				detached: true,
			});
			for (const output of [child.stdout, child.stderr]) output.resume();
			undo.defer(() => stop(child));
			return child;
		},
		nameHosts(addresses) {
			const folder = `/etc/netns/${namespace}`;
			mkdirSync(folder, { recursive: true });
			undo.defer(() => rmSync(folder, { recursive: true }));
			const lines = Object.entries({ localhost: "127.0.0.1", ...addresses }).map(([host, ip]) => `${ip} ${host}\n`);
			writeFileSync(`${folder}/hosts`, lines.join(""));
		},
		cutOff: () => void ip("link", "set", cable, "down"),
		plugIn: () => void ip("link", "set", cable, "up"),
		silence(port) {
			const listOpen = () => {
				const lines = run("ss", ["-Htn", "state", "established", "dport", "=", `:${port}`]).split("\n");
				return lines.flatMap((line) => /:(\d+)\s+\S+$/.exec(line.trim())?.[1] ?? []);
			};
			const silenced = listOpen();
			if (silenced.length === 0) throw new Error(`${name} has no connection to port ${port}`);
			for (const local of silenced) {
				run("iptables", ["-A", "OUTPUT", "-p", "tcp", "--sport", local, "--dport", String(port), "-j", "DROP"]);
				run("iptables", ["-A", "INPUT", "-p", "tcp", "--dport", local, "--sport", String(port), "-j", "DROP"]);
			}
			return () => {
				const open = new Set(listOpen());
				return silenced.filter((local) => open.has(local)).length;
			};
		},
		speak() {
			for (const chain of ["INPUT", "OUTPUT"]) run("iptables", ["-F", chain]);
		},
	};
}

/** Stops a program and its children. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
	const gone = once(child, "exit");
	killGroup(child.pid, signal);
	const slow = setTimeout(() => killGroup(child.pid as number, "SIGKILL"), 15_000);
	await gone;
	clearTimeout(slow);
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
	}
}

/** Another user than root may not read the folder of this project. */
const findFolder = (user: string | undefined) => (user === undefined ? {} : { cwd: "/" });

function runOrThrow(command: string, args: string[], options: { env?: Record<string, string>; cwd?: string } = {}): string {
	const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", ...options });
	if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr}`);
	return stdout;
}
