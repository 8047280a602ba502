import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseEnv } from "node:util";
import { killWithChildren } from "../../processes.ts";
import { type Host, stop } from "./namespaces.ts";

/** Three hosts with etcd, Patroni, PostgreSQL and pgBackRest, by the files of deploy/cluster. */

export interface DatabaseHosts {
	/** The shop's password, and where everything lies. */
	password: string;
	folder: string;
	leader(): Promise<Host | null>;
	/** Waits until one host leads, the others follow, and one of them in step. @returns the milliseconds. */
	untilHealthy(longest?: number): Promise<number>;
	/** Ends all of a host's programs at once (SIGKILL). */
	kill(host: Host): Promise<void>;
	/** Starts them again. */
	start(host: Host): void;
	/** What programs of a host are given, pgBackRest among them. */
	environmentOf(host: Host): Record<string, string>;
	logOf(host: Host): string;
}

/** Debian's, whose programs are not in the path. */
export const binaries = (version: string) => `/usr/lib/postgresql/${version}/bin`;

const user = "postgres";

export async function startDatabaseHosts(
	undo: AsyncDisposableStack,
	hosts: readonly Host[],
	folder: string,
	version: string,
): Promise<DatabaseHosts> {
	const secret = () => randomBytes(18).toString("hex");
	const password = secret();
	const own = ownerOf(user);
	const make = (path: string) => {
		mkdirSync(path, { recursive: true });
		chownSync(path, own.uid, own.gid);
		return path;
	};
	chmodSync(folder, 0o755);
	make(folder);
	const repository = make(join(folder, "pgbackrest"));
	cpSync("deploy/cluster/create-shop.sh", join(folder, "create-shop.sh"));
	const members = hosts.map(({ name, address }) => [name, address] as const);
	const secrets = { superuser: secret(), replication: secret(), cipher: secret() };
	const programs = new Map<string, ChildProcess[]>();
	const logs = new Map<string, string>();

	function environmentOf(host: Host): Record<string, string> {
		const home = make(join(folder, host.name));
		const given = { ...readEnv("etcd"), ...readEnv("patroni") };
		const here = Object.fromEntries(
			// each file names the first host as an example
			Object.entries(given).map(([name, value]) => [
				name,
				name.includes("CLUSTER") || name.includes("HOSTS") ? value : value.replaceAll(hosts[0]?.address ?? "", host.address),
			]),
		);
		const config = join(home, "pgbackrest.conf");
		cpSync("deploy/cluster/pgbackrest.conf", config);
		edit(config, [
			["/var/lib/pgbackrest", repository],
			["/var/lib/postgresql/15/shop", join(home, "data")],
		]);
		return {
			...here,
			...{ ETCD_NAME: host.name, ETCD_DATA_DIR: join(home, "etcd"), PATRONI_NAME: host.name },
			...{ ETCD_INITIAL_CLUSTER: members.map(([name, address]) => `${name}=http://${address}:2380`).join() },
			...{ PATRONI_ETCD3_HOSTS: members.map(([, address]) => `${address}:2379`).join() },
			...{ PATRONI_POSTGRESQL_DATA_DIR: join(home, "data"), PATRONI_POSTGRESQL_BIN_DIR: binaries(version) },
			...{ PATRONI_POSTGRESQL_PGPASS: join(home, "pgpass") },
			...{
				PATRONI_SUPERUSER_PASSWORD: secrets.superuser,
				PATRONI_REPLICATION_PASSWORD: secrets.replication,
				SHOP_DATABASE_PASSWORD: password,
			},
			...{ PGBACKREST_CONFIG: config, PGBACKREST_REPO1_CIPHER_PASS: secrets.cipher, PGBACKREST_LOG_PATH: home, PGBACKREST_LOCK_PATH: home },
			...{ PGBACKREST_SPOOL_PATH: home, PGBACKREST_PG1_SOCKET_PATH: home, HOME: home, LC_ALL: "C.UTF-8" },
			PATH: `${binaries(version)}:/usr/bin:/bin`,
		};
	}

	function start(host: Host): void {
		const env = environmentOf(host);
		const config = join(folder, host.name, "patroni.yaml");
		cpSync("deploy/cluster/patroni.yaml", config);
		// the drill's places in place of the system's, which the hosts share here
		edit(config, [
			["/etc/patroni/create-shop.sh", join(folder, "create-shop.sh")],
			["/var/run/postgresql", join(folder, host.name)],
		]);
		const note = (child: ChildProcess) => {
			for (const output of [child.stdout, child.stderr])
				output?.on("data", (said) => logs.set(host.name, ((logs.get(host.name) ?? "") + said).slice(-20_000)));
			return child;
		};
		programs.set(host.name, [note(host.start("etcd", [], { env, user })), note(host.start("/usr/bin/patroni", [config], { env, user }))]);
	}

	const ask = async (host: Host, path: string) =>
		(await fetch(`http://${host.address}:8008${path}`, { signal: AbortSignal.timeout(1000) }).catch(() => null))?.status === 200;
	const leader = async () => {
		for (const host of hosts) if (await ask(host, "/primary")) return host;
		return null;
	};
	const made: DatabaseHosts = {
		password,
		folder,
		leader,
		environmentOf,
		start,
		logOf: ({ name }) => logs.get(name) ?? "",
		async untilHealthy(longest = 180_000) {
			const began = performance.now();
			for (;;) {
				const all = await Promise.all(
					hosts.map(async (host) => ((await ask(host, "/primary")) ? "leader" : (await ask(host, "/replica")) ? "replica" : "down")),
				);
				const inStep = (await Promise.all(hosts.map((host) => ask(host, "/sync")))).some(Boolean);
				if (all.filter((role) => role === "leader").length === 1 && !all.includes("down") && inStep) return performance.now() - began;
				if (performance.now() - began > longest)
					throw new Error(
						`the cluster is not healthy:\n${hosts.map((host) => `--- ${host.name}\n${logs.get(host.name)?.slice(-9000)}`).join("\n")}`,
					);
				await wait(200);
			}
		},
		async kill(host) {
			await Promise.all((programs.get(host.name) ?? []).map((child) => stop(child, "SIGKILL")));
			// PostgreSQL is its own process group
			const pid = Number(readFileSync(join(folder, host.name, "data", "postmaster.pid"), "utf8").split("\n")[0]);
			// a file that PostgreSQL left behind may name a process that is somebody else's by now
			if (nameOf(pid) === "postgres") killWithChildren(pid);
		},
	};
	undo.defer(async () => {
		for (const host of hosts) await made.kill(host).catch(() => {});
	});
	for (const host of hosts) start(host);
	await made.untilHealthy();
	return made;
}

/** What the system calls a process; null when there is none. */
function nameOf(pid: number): string | null {
	try {
		return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
	} catch {
		return null;
	}
}

const readEnv = (name: string) => parseEnv(readFileSync(`deploy/cluster/${name}.env`, "utf8")) as Record<string, string>;

function edit(file: string, changes: readonly (readonly [string, string])[]): void {
	let text = readFileSync(file, "utf8");
	for (const [was, becomes] of changes) {
		if (!text.includes(was)) throw new Error(`${file} does not name ${was}`);
		text = text.replaceAll(was, becomes);
	}
	writeFileSync(file, text);
}

function ownerOf(name: string): { uid: number; gid: number } {
	const entry = readFileSync("/etc/passwd", "utf8")
		.split("\n")
		.map((line) => line.split(":"))
		.find(([login]) => login === name);
	if (!entry) throw new Error(`this machine has no user ${name}: Debian's postgresql package makes it`);
	return { uid: Number(entry[2]), gid: Number(entry[3]) };
}
