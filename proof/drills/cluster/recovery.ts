import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { withClient } from "../../../test/postgres.ts";
import { type DatabaseHosts, getBinaries } from "./database-hosts.ts";
import type { Host } from "./namespaces.ts";

/** Backups by pgBackRest, as in docs/backup.md. */

const user = "postgres";

/** Creates the repository and a first base backup. */
export function backUp(databases: DatabaseHosts, leader: Host): void {
	const env = databases.getEnvironment(leader);
	leader.run("pgbackrest", ["--stanza=shop", "stanza-create"], { env, user });
	leader.run("pgbackrest", ["--stanza=shop", "--type=full", "backup"], { env, user });
}

const port = 5499;

/**
 * Recovers the database as it was at an instant, to a separate server on the given host.
 * @param instant in PostgreSQL's format, with a time zone.
 * @returns its connection, and the milliseconds that the recovery took.
 */
export async function recoverTo(
	databases: DatabaseHosts,
	host: Host,
	{ instant, version }: { instant: string; version: string },
): Promise<{ connection: pg.ClientConfig; ms: number }> {
	const began = performance.now();
	const env = databases.getEnvironment(host);
	const folder = join(databases.folder, host.name, "recovered");
	if (existsSync(folder)) rmSync(folder, { recursive: true });
	host.run("install", ["-d", "-m", "0700", folder], { user });
	const target = ["--type=time", `--target=${instant}`, "--target-action=promote"];
	host.run("pgbackrest", ["--stanza=shop", `--pg1-path=${folder}`, ...target, "restore"], { env, user });
	const settings = [
		`port=${port}`,
		"archive_mode=off",
		`listen_addresses=${host.address}`,
		`unix_socket_directories=${folder}`,
		"cluster_name=recovered",
		// the backup has the paths of the host that made it, which are the same on all hosts outside this drill
		`ssl_cert_file=${join(databases.certificates, `${host.name}.pem`)}`,
		`ssl_key_file=${join(databases.certificates, `${host.name}.key`)}`,
	];
	const server = host.start(join(getBinaries(version), "postgres"), ["-D", folder, ...settings.flatMap((setting) => ["-c", setting])], {
		env,
		user,
	});
	let output = "";
	for (const stream of [server.stdout, server.stderr])
		stream?.on("data", (text) => {
			output = (output + text).slice(-5000);
		});
	const ended = once(server, "exit").then(() => {
		throw new Error(`the recovered server ended:\n${output}`);
	});
	ended.catch(() => {}); // the drill stops it at the end
	const connection = { connectionString: databases.getUrl([`${host.address}:${port}`]) };
	const isRecovered = async () => {
		const { rows } = await withClient(connection, (client) => client.query("select pg_is_in_recovery() as recovering"));
		return rows[0].recovering === false;
	};
	while (!(await Promise.race([isRecovered().catch(() => false), ended]))) {
		if (performance.now() - began > 300_000) throw new Error(`the server does not recover:\n${output}`);
		await wait(100);
	}
	return { connection, ms: performance.now() - began };
}
