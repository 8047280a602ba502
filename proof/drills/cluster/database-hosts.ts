import { type ChildProcess, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseEnv } from "node:util";
import { killWithChildren } from "../../../test/processes.ts";
import { askPatroni } from "./doors.ts";
import { type Host, stop } from "./namespaces.ts";

/** Three hosts with etcd, Patroni, PostgreSQL and pgBackRest, configured by deploy/cluster. */

export interface DatabaseHosts {
	/** DATABASE_URL of the shop, as deploy/cluster/README.md writes it, on the given hosts. */
	getUrl(names: readonly string[]): string;
	/** The folder of create-certificates.sh: `ca.pem`, and `<host>.pem` and `<host>.key` of each host. */
	certificates: string;
	/** The password for orders to Patroni. */
	patroniPassword: string;
	/** The folder of all hosts' files. */
	folder: string;
	leader(): Promise<Host | null>;
	/** Waits until one host leads and the others follow, one of them synchronously. @returns the milliseconds. */
	untilHealthy(timeout?: number): Promise<number>;
	/** Kills all programs of a host (SIGKILL). */
	kill(host: Host): Promise<void>;
	/** Starts them again. */
	start(host: Host): void;
	/** Environment variables of a host's programs, also for pgBackRest. */
	getEnvironment(host: Host): Record<string, string>;
	getLog(host: Host): string;
}

/** Debian's folder of PostgreSQL programs, which is not in the path. */
export const getBinaries = (version: string) => `/usr/lib/postgresql/${version}/bin`;

const user = "postgres";

export async function startDatabaseHosts(
	undo: AsyncDisposableStack,
	hosts: readonly Host[],
	folder: string,
	version: string,
): Promise<DatabaseHosts> {
	const secret = () => randomBytes(18).toString("hex");
	const owner = findOwner(user);
	const makeFolder = (path: string) => {
		mkdirSync(path, { recursive: true });
		chownSync(path, owner.uid, owner.gid);
		return path;
	};
	chmodSync(folder, 0o755);
	makeFolder(folder);
	const repository = makeFolder(join(folder, "pgbackrest"));
	cpSync("deploy/cluster/create-shop.sh", join(folder, "create-shop.sh"));
	const certificates = makeCertificates(join(folder, "certificates"), hosts, owner);
	const members = hosts.map(({ name, address }) => [name, address] as const);
	const secrets = { shop: secret(), patroni: secret(), superuser: secret(), replication: secret(), rewind: secret(), cipher: secret() };
	const programs = new Map<string, ChildProcess[]>();
	const logs = new Map<string, string>();

	/** Where a host's certificates are in this drill, by their paths in deploy/cluster. */
	const listCertificatePaths = ({ name }: Host) =>
		[
			["/etc/ssl/certs/shop-cluster-ca.pem", join(certificates, "ca.pem")],
			["/etc/ssl/certs/shop-cluster.pem", join(certificates, `${name}.pem`)],
			["/etc/ssl/private/shop-cluster.key", join(certificates, `${name}.key`)],
		] as const;
	const locate = (value: string, host: Host) => listCertificatePaths(host).find(([path]) => path === value)?.[1] ?? value;

	function getEnvironment(host: Host): Record<string, string> {
		const home = makeFolder(join(folder, host.name));
		const variables = { ...readEnv("etcd"), ...readEnv("patroni") };
		const ownVariables = Object.fromEntries(
			// each file names the first host as an example
			Object.entries(variables).map(([name, value]) => [
				name,
				name.includes("CLUSTER") ? value : locate(value.replaceAll(hosts[0]?.address ?? "", host.address), host),
			]),
		);
		const config = join(home, "pgbackrest.conf");
		cpSync("deploy/cluster/pgbackrest.conf", config);
		edit(config, [
			["/var/lib/pgbackrest", repository],
			["/var/lib/postgresql/15/shop", join(home, "data")],
		]);
		return {
			...ownVariables,
			...{ ETCD_NAME: host.name, ETCD_DATA_DIR: join(home, "etcd"), PATRONI_NAME: host.name },
			...{ ETCD_INITIAL_CLUSTER: members.map(([name, address]) => `${name}=https://${address}:2380`).join() },
			...{ PATRONI_POSTGRESQL_DATA_DIR: join(home, "data"), PATRONI_POSTGRESQL_BIN_DIR: getBinaries(version) },
			...{ PATRONI_POSTGRESQL_PGPASS: join(home, "pgpass") },
			...{ PATRONI_RESTAPI_PASSWORD: secrets.patroni, PATRONI_SUPERUSER_PASSWORD: secrets.superuser },
			...{ PATRONI_REPLICATION_PASSWORD: secrets.replication, PATRONI_REWIND_PASSWORD: secrets.rewind },
			SHOP_DATABASE_PASSWORD: secrets.shop,
			...{ PGBACKREST_CONFIG: config, PGBACKREST_REPO1_CIPHER_PASS: secrets.cipher, PGBACKREST_LOG_PATH: home, PGBACKREST_LOCK_PATH: home },
			...{ PGBACKREST_SPOOL_PATH: home, PGBACKREST_PG1_SOCKET_PATH: home, HOME: home, LC_ALL: "C.UTF-8" },
			PATH: `${getBinaries(version)}:/usr/bin:/bin`,
		};
	}

	function start(host: Host): void {
		const env = getEnvironment(host);
		const config = join(folder, host.name, "patroni.yaml");
		cpSync("deploy/cluster/patroni.yaml", config);
		// the hosts share one file system: each gets its own folders
		edit(config, [
			["/etc/patroni/create-shop.sh", join(folder, "create-shop.sh")],
			["/var/run/postgresql", join(folder, host.name)],
			...listCertificatePaths(host),
		]);
		const collectLog = (child: ChildProcess) => {
			for (const stream of [child.stdout, child.stderr])
				stream?.on("data", (text) => logs.set(host.name, ((logs.get(host.name) ?? "") + text).slice(-20_000)));
			return child;
		};
		programs.set(host.name, [
			collectLog(host.start("etcd", [], { env, user })),
			collectLog(host.start("/usr/bin/patroni", [config], { env, user })),
		]);
	}

	const isOk = async ({ name, address }: Host, path: string) =>
		(await askPatroni({ certificates, address, as: name, path }).catch(() => null)) === 200;
	const leader = async () => {
		for (const host of hosts) if (await isOk(host, "/primary")) return host;
		return null;
	};
	const databaseHosts: DatabaseHosts = {
		getUrl: (names) =>
			`postgres://shop:${secrets.shop}@${names.join()}/shop?sslmode=verify-full&sslrootcert=${join(certificates, "ca.pem")}${names.length > 1 ? "&target_session_attrs=read-write" : ""}`,
		certificates,
		patroniPassword: secrets.patroni,
		folder,
		leader,
		getEnvironment,
		start,
		getLog: ({ name }) => logs.get(name) ?? "",
		async untilHealthy(timeout = 180_000) {
			const began = performance.now();
			for (;;) {
				const roles = await Promise.all(
					hosts.map(async (host) => ((await isOk(host, "/primary")) ? "leader" : (await isOk(host, "/replica")) ? "replica" : "down")),
				);
				const isSynchronous = (await Promise.all(hosts.map((host) => isOk(host, "/sync")))).some(Boolean);
				if (roles.filter((role) => role === "leader").length === 1 && !roles.includes("down") && isSynchronous)
					return performance.now() - began;
				if (performance.now() - began > timeout)
					throw new Error(
						`the cluster is not healthy:\n${hosts.map((host) => `--- ${host.name}\n${logs.get(host.name)?.slice(-9000)}`).join("\n")}`,
					);
				await wait(200);
			}
		},
		async kill(host) {
			await Promise.all((programs.get(host.name) ?? []).map((child) => stop(child, "SIGKILL")));
			// PostgreSQL has its own process group
			const pid = Number(readFileSync(join(folder, host.name, "data", "postmaster.pid"), "utf8").split("\n")[0]);
			// the pid file may be old, and another program may have the pid
			if (findProcessName(pid) === "postgres") killWithChildren(pid);
		},
	};
	undo.defer(async () => {
		for (const host of hosts) await databaseHosts.kill(host).catch(() => {});
	});
	for (const host of hosts) start(host);
	await databaseHosts.untilHealthy();
	return databaseHosts;
}

/** Runs deploy/cluster/create-certificates.sh. @returns its folder. */
function makeCertificates(folder: string, hosts: readonly Host[], { uid, gid }: { uid: number; gid: number }): string {
	const names = hosts.map(({ name, address }) => `${name}=${address}`);
	const { status, stderr } = spawnSync("sh", ["deploy/cluster/create-certificates.sh", folder, ...names], { encoding: "utf8" });
	if (status !== 0) throw new Error(`create-certificates.sh: ${stderr}`);
	chmodSync(folder, 0o755);
	for (const { name } of hosts) chownSync(join(folder, `${name}.key`), uid, gid);
	return folder;
}

/** The program of a process; null when there is none. */
function findProcessName(pid: number): string | null {
	try {
		return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
	} catch {
		return null;
	}
}

const readEnv = (name: string) => parseEnv(readFileSync(`deploy/cluster/${name}.env`, "utf8")) as Record<string, string>;

function edit(file: string, changes: readonly (readonly [string, string])[]): void {
	let text = readFileSync(file, "utf8");
	for (const [before, after] of changes) {
		if (!text.includes(before)) throw new Error(`${file} does not contain ${before}`);
		text = text.replaceAll(before, after);
	}
	writeFileSync(file, text);
}

function findOwner(name: string): { uid: number; gid: number } {
	const entry = readFileSync("/etc/passwd", "utf8")
		.split("\n")
		.map((line) => line.split(":"))
		.find(([login]) => login === name);
	if (!entry) throw new Error(`this machine has no user ${name}: Debian's postgresql package creates it`);
	return { uid: Number(entry[2]), gid: Number(entry[3]) };
}
