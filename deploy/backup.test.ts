import { spawn } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { scaledTimeout } from "../test/time-limits.ts";

// Runs deploy/backup.sh with fakes of PostgreSQL's programs, which record their arguments; npm run restore-drill uses the real ones.

const root = mkdtempSync(join(tmpdir(), "extrait-pro-backup-"));
afterAll(() => rmSync(root, { recursive: true }));

let made = 0;
let folder: string;
beforeEach(() => {
	folder = join(root, String(++made));
	for (const name of ["dumps", "time", "bin"]) mkdirSync(join(folder, name), { recursive: true });
	program("pg_dump", writes);
	program("pg_restore", "");
});

/** Puts a program before all others. */
function program(name: string, lines: string): void {
	writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${lines}\n`);
	chmodSync(join(folder, "bin", name), 0o755);
}
const fileOf = 'while [ "$1" != --file ]; do shift; done; file=$2';
const writes = `echo "$*" > "$BACKUP_DIR/../asked"; env > "$BACKUP_DIR/../environment"; ${fileOf}; echo dump > "$file"`;

function start(script: string[], variables: Record<string, string> = {}) {
	const child = spawn("/bin/sh", script, {
		env: {
			PATH: `${join(folder, "bin")}:/usr/bin:/bin`,
			BACKUP_DIR: join(folder, "dumps"),
			DATABASE_URL: "postgres://shop:secret@db.example.fr/shop",
			...variables,
		},
	});
	const ended = new Promise<number | null>((end) => child.once("close", end));
	return { child, ended };
}
const backUp = (variables?: Record<string, string>) => start([resolve("deploy/backup.sh")], variables).ended;
const dumps = () => readdirSync(join(folder, "dumps"));
const said = (name: string) => readFileSync(join(folder, name), "utf8");
const eventually = (check: () => void) => vi.waitFor(check, { timeout: scaledTimeout(10_000), interval: 20 });

/** A file among the dumps, that old. */
function age(name: string, { days = 0, hours = 0 }: { days?: number; hours?: number }): string {
	const path = join(folder, "dumps", name);
	writeFileSync(path, "");
	const at = Date.now() / 1000 - days * 86_400 - hours * 3600 - 60;
	utimesSync(path, at, at);
	return name;
}

test("a dump has its final name, and the password is not in the list of processes", async () => {
	expect(await backUp()).toBe(0);
	expect(dumps()).toEqual([expect.stringMatching(/^shop-\d{8}T\d{6}Z\.dump$/)]);
	expect(said("asked")).toContain("--dbname postgres://shop@db.example.fr/shop");
	// what can be imported again
	expect(said("asked")).toContain(
		"--exclude-table-data=public.(companies|company_(branches|registrations|sources|vat_numbers|words)) --exclude-table-data=public.bulletin_*",
	);
	expect(said("asked")).not.toContain("secret");
	expect(said("environment")).toContain("PGPASSWORD=secret");
});

test.each([
	["fails", "pg_dump", `${writes}; exit 1`],
	["cannot be read", "pg_restore", "exit 1"],
])("a dump that %s leaves no file, and the older ones stay", async (_what, name, lines) => {
	program(name, lines);
	const old = age("shop-20200101T000000Z.dump", { days: 40 });
	expect(await backUp()).toBe(1);
	expect(dumps()).toEqual([old]);
});

test("the time of the last good dump stands in a separate folder, which holds nothing of the dump", async () => {
	const time = { BACKUP_TIME_DIR: join(folder, "time") };
	expect(await backUp(time)).toBe(0);
	expect(readdirSync(join(folder, "time"))).toEqual(["last-backup"]);
	expect(said("time/last-backup")).toBe(`${dumps()[0]}\n`);
	// the shop's processes are another user in their containers
	expect(statSync(join(folder, "time/last-backup")).mode & 0o777).toBe(0o644);
	expect(statSync(join(folder, "dumps", String(dumps()[0]))).mode & 0o777).toBe(0o600);
	writeFileSync(join(folder, "time/last-backup"), "before\n");
	program("pg_restore", "exit 1");
	expect(await backUp(time)).toBe(1);
	expect(said("time/last-backup")).toBe("before\n");
});

test("dumps are deleted after 35 days, and the remains of a killed dump after six hours", async () => {
	const kept = [age("shop-a.dump", { days: 34 }), age("shop-b.dump.part", { hours: 5 }), age("else", { days: 99 })];
	for (const gone of ["shop-c.dump", "shop-d.dump"]) age(gone, { days: 35 });
	age("shop-e.dump.part", { hours: 7 });
	expect(await backUp()).toBe(0);
	expect(dumps().filter((name) => !/^shop-\d/.test(name))).toEqual(kept.sort());
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s ends the dump, which leaves no file", async (signal) => {
	program("pg_dump", `${fileOf}; echo part > "$file"; echo $$ > "$BACKUP_DIR/../pid"; exec sleep 600`);
	const { child, ended } = start([resolve("deploy/backup.sh")]);
	await eventually(() => expect(existsSync(join(folder, "pid")) && said("pid").trim()).toMatch(/^\d+$/));
	child.kill(signal);
	expect(await ended).toBe(1);
	expect(dumps()).toEqual([]);
	await eventually(() => expect(() => process.kill(Number(said("pid")), 0)).toThrow("ESRCH"));
});

test.each([
	["?sslmode=verify-full", {}, existsSync("/etc/ssl/certs/ca-certificates.crt") ? "/etc/ssl/certs/ca-certificates.crt" : undefined],
	["?sslmode=verify-full", { PGSSLROOTCERT: "/own.crt" }, "/own.crt"],
	// with sslrootcert, libpq would verify a certificate although the URL does not ask for it
	["?sslmode=require", {}, undefined],
	["", {}, undefined],
])("a database at « %s » with %j gets the root certificate %s", async (query, own, root) => {
	expect(await backUp({ DATABASE_URL: `postgres://shop:secret@db.example.fr/shop${query}`, ...own })).toBe(0);
	expect(/^PGSSLROOTCERT=(.*)$/m.exec(said("environment"))?.[1]).toBe(root);
});

test("the container dumps once a day, retries after a minute, and ends a running dump when it stops", async () => {
	const { services } = parse(readFileSync("compose.production.yaml", "utf8"), { merge: true }) as {
		services: { backup: { entrypoint: string[] } };
	};
	// Compose writes $ as $$
	const [, flag = "", script = ""] = services.backup.entrypoint.map((word) => word.replaceAll("$$", "$"));
	const loop = script.replaceAll("/backup.sh", resolve("deploy/backup.sh"));
	program("sleep", 'echo "$1" >> "$BACKUP_DIR/../paused"; [ "$1" = 60 ] || exec /bin/sleep 600');
	program("pg_dump", `[ -e "$BACKUP_DIR/../paused" ] || exit 1; ${writes}`);
	const { child, ended } = start([flag, loop]);
	await eventually(() => expect(existsSync(join(folder, "paused")) && said("paused")).toBe("60\n86400\n"));
	expect(dumps()).toHaveLength(1);
	child.kill("SIGTERM");
	expect(await ended).toBe(0);

	program("pg_dump", `${fileOf}; echo part > "$file"; exec /bin/sleep 600`);
	const interrupted = start([flag, loop]);
	await eventually(() => expect(dumps().filter((name) => name.endsWith(".part"))).toHaveLength(1));
	interrupted.child.kill("SIGTERM");
	expect(await interrupted.ended).toBe(0);
	expect(dumps()).toHaveLength(1);
});
