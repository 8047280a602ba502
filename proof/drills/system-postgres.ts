import { spawnSync } from "node:child_process";
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** An installed PostgreSQL with its tools, such as Debian's: the embedded one has no pg_dump. */
export interface SystemPostgres {
	version: string;
	/** The folder of its socket, where commands may also write. */
	folder: string;
	/** Runs a shell command as PostgreSQL's administrator, without system privileges. @throws when it fails. */
	run(line: string, environment?: Record<string, string>): string;
	start(): void;
	/** Stops all its processes at once, like a fault. */
	crash(): void;
}

const tools = ["initdb", "pg_ctl", "psql", "createdb", "dropdb", "pg_dump", "pg_restore"];

/** The newest folder with all tools; null when there is none. */
function findTools(): string | null {
	const version = (folder: string) => Number(/postgresql\/(\d+)/.exec(folder)?.[1] ?? 0);
	const installed = globSync("/usr/lib/postgresql/*/bin").sort((one, other) => version(other) - version(one));
	const folders = [...installed, ...(process.env.PATH ?? "").split(delimiter)];
	return folders.find((folder) => tools.every((tool) => existsSync(join(folder, tool)))) ?? null;
}

/** @returns null when its tools are not installed. */
export function startSystemPostgres(undo: AsyncDisposableStack): SystemPostgres | null {
	const bin = findTools();
	if (bin === null) return null;
	const folder = mkdtempSync(join(tmpdir(), "restore-drill-"));
	undo.defer(() => rmSync(folder, { recursive: true, force: true }));
	// PostgreSQL refuses to run as root
	const user = process.getuid?.() === 0 ? findUnprivilegedUser() : undefined;
	if (user) chownSync(folder, user.uid, user.gid);
	const data = join(folder, "data");

	function run(line: string, environment: Record<string, string> = {}): string {
		const result = spawnSync("/bin/sh", ["-c", line], {
			...user,
			cwd: folder,
			encoding: "utf8",
			env: { PATH: `${bin}${delimiter}${process.env.PATH}`, LC_ALL: "C.UTF-8", PGHOST: folder, PGUSER: "postgres", ...environment },
		});
		if (result.status !== 0) throw new Error(`${line}\n${result.stdout}${result.stderr}`);
		return result.stdout;
	}
	const start = () =>
		void run(`pg_ctl start --wait -D ${data} -l ${join(folder, "log")} -o "-c listen_addresses='' -c unix_socket_directories=${folder}"`);
	const crash = () => void run(`pg_ctl stop --wait -m immediate -D ${data}`);

	run(`initdb -D ${data} -U postgres --auth=trust --encoding=UTF8 --no-locale`);
	start();
	undo.defer(() => {
		if (existsSync(join(data, "postmaster.pid"))) crash();
	});
	return { version: run("pg_dump --version").trim(), folder, run, start, crash };
}

function findUnprivilegedUser(): { uid: number; gid: number } {
	const users = readFileSync("/etc/passwd", "utf8")
		.split("\n")
		.map((line) => line.split(":"));
	const [, , uid, gid] = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody") ?? [];
	if (uid === undefined) throw new Error("no user without privileges in /etc/passwd");
	return { uid: Number(uid), gid: Number(gid) };
}
