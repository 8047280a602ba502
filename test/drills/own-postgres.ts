import { spawnSync } from "node:child_process";
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** A PostgreSQL with its own tools, such as Debian's: the embedded one has no pg_dump. */
export interface OwnPostgres {
	version: string;
	/** Where its socket is, and what a command may write into. */
	folder: string;
	/** Types a line into a shell as an operator would: the system's user without privileges, PostgreSQL's administrator. @throws when it fails. */
	type(line: string, environment?: Record<string, string>): string;
	start(): void;
	/** Ends all of its processes at once, as a fault would. */
	crash(): void;
}

const tools = ["initdb", "pg_ctl", "psql", "createdb", "dropdb", "pg_dump", "pg_restore"];

/** The newest installed folder that has all tools; null where none has. */
function findTools(): string | null {
	const version = (folder: string) => Number(/postgresql\/(\d+)/.exec(folder)?.[1] ?? 0);
	const installed = globSync("/usr/lib/postgresql/*/bin").sort((one, other) => version(other) - version(one));
	const folders = [...installed, ...(process.env.PATH ?? "").split(delimiter)];
	return folders.find((folder) => tools.every((tool) => existsSync(join(folder, tool)))) ?? null;
}

/** @returns null where its tools are not installed. */
export function makePostgres(undo: AsyncDisposableStack): OwnPostgres | null {
	const bin = findTools();
	if (bin === null) return null;
	const folder = mkdtempSync(join(tmpdir(), "restore-drill-"));
	undo.defer(() => rmSync(folder, { recursive: true, force: true }));
	// it refuses to be root
	const user = process.getuid?.() === 0 ? unprivileged() : undefined;
	if (user) chownSync(folder, user.uid, user.gid);
	const data = join(folder, "data");

	function type(line: string, environment: Record<string, string> = {}): string {
		const done = spawnSync("/bin/sh", ["-c", line], {
			...user,
			cwd: folder,
			encoding: "utf8",
			env: { PATH: `${bin}${delimiter}${process.env.PATH}`, LC_ALL: "C.UTF-8", PGHOST: folder, PGUSER: "postgres", ...environment },
		});
		if (done.status !== 0) throw new Error(`${line}\n${done.stdout}${done.stderr}`);
		return done.stdout;
	}
	const start = () =>
		void type(`pg_ctl start --wait -D ${data} -l ${join(folder, "log")} -o "-c listen_addresses='' -c unix_socket_directories=${folder}"`);
	const crash = () => void type(`pg_ctl stop --wait -m immediate -D ${data}`);

	type(`initdb -D ${data} -U postgres --auth=trust --encoding=UTF8 --no-locale`);
	start();
	undo.defer(() => {
		if (existsSync(join(data, "postmaster.pid"))) crash();
	});
	return { version: type("pg_dump --version").trim(), folder, type, start, crash };
}

function unprivileged(): { uid: number; gid: number } {
	const users = readFileSync("/etc/passwd", "utf8")
		.split("\n")
		.map((line) => line.split(":"));
	const [, , uid, gid] = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody") ?? [];
	if (uid === undefined) throw new Error("no user without privileges in /etc/passwd");
	return { uid: Number(uid), gid: Number(gid) };
}
