import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase } from "../test/database.ts";
import { freePort } from "../test/free-port.ts";
import { toDatabaseUrl } from "../test/postgres.ts";
import { scaledTimeout } from "../test/time-limits.ts";

const folder = mkdtempSync(join(tmpdir(), "extrait-pro-units-"));
const children: ChildProcess[] = [];
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(async () => {
	for (const child of children) child.kill("SIGKILL");
	await database.close();
	rmSync(folder, { recursive: true });
});

const files = globSync("deploy/systemd/*.{service,timer}").map((path) => basename(path));
const unit = (name: string) => readFileSync(`deploy/systemd/${name}`, "utf8");
const getSetting = (name: string, setting: string) => new RegExp(`^${setting}=(.*)$`, "m").exec(unit(name))?.[1];

/** Starts a unit's program by its own line, with this checkout in place of /opt/extrait-pro. What a unit says beats its file of settings. */
function start(
	name: string,
	{ port = 3000, setting = "ExecStart", file = {}, pid }: { port?: number; setting?: string; file?: object; pid?: number | undefined } = {},
) {
	const checkout = resolve(".");
	const node = existsSync("node_modules/.bin/node") ? `${checkout}/node_modules/.bin/node` : process.execPath;
	const line = (getSetting(name, setting) ?? "")
		.replaceAll("/opt/extrait-pro/node_modules/.bin/node", node)
		.replaceAll("%S", folder)
		.replaceAll("%i", String(port))
		.replaceAll("$MAINPID", String(pid));
	const [program = "", ...args] = line.split(" ");
	// a settings file with another port, folder and host
	const settings = {
		DATABASE_URL: toDatabaseUrl(database.connection),
		PORT: "1",
		DATA_DIR: "/nowhere",
		HOST: "192.0.2.1",
		LOG_LEVEL: "error",
	};
	const child = spawn(program, args, { cwd: checkout, env: { PATH: "/usr/bin:/bin", ...settings, BASE_URL: "http://localhost", ...file } });
	children.push(child);
	const made = { child, said: "", ended: new Promise<number | null>((end) => child.once("close", end)) };
	for (const output of [child.stdout, child.stderr])
		output.on("data", (text) => {
			made.said += text;
		});
	return made;
}

test("each process of a shop has its unit, and each daily task its timer", () => {
	expect(files.sort()).toEqual([
		"shop-backup.service",
		"shop-backup.timer",
		"shop-companies-update.service",
		"shop-companies-update.timer",
		"shop-jobs.service",
		"shop-migrate.service",
		"shop-web@.service",
	]);
	for (const name of files.filter((file) => file.endsWith(".timer")))
		expect(unit(name)).toMatch(/^OnCalendar=\*-\*-\* \d\d:\d\d:\d\d Europe\/Paris$/m);
});

test.each(files.filter((name) => name.endsWith(".service")))("%s runs as a separate user and writes only to its own folder", (name) => {
	for (const line of [
		"User=shop",
		"NoNewPrivileges=yes",
		"ProtectSystem=strict",
		"ProtectHome=yes",
		"PrivateTmp=yes",
		"CapabilityBoundingSet=",
	])
		expect(unit(name).split("\n")).toContain(line);
	const isBackup = name === "shop-backup.service";
	expect(getSetting(name, "StateDirectory")).toBe(isBackup ? "extrait-pro-backup extrait-pro-backup-time" : "extrait-pro-data");
	// the dumps hold what was deleted for 35 days more
	expect(getSetting(name, "InaccessiblePaths")).toBe(isBackup ? undefined : "-%S/extrait-pro-backup");
	expect(unit(name)).toMatch(/^EnvironmentFile=\/etc\/extrait-pro\/shop\.env$/m);
});

test.each(["shop-web@.service", "shop-jobs.service"])("%s is restarted whenever it ends, and has time to drain", (name) => {
	expect(getSetting(name, "Restart")).toBe("always");
	// the drain behind a proxy, plus ten seconds
	expect(Number(getSetting(name, "TimeoutStopSec"))).toBeGreaterThanOrEqual(5 + 10);
	expect(getSetting(name, "KillMode")).toBe("mixed");
});

test("the commands of the units start the described processes", { timeout: scaledTimeout(120_000) }, async () => {
	const migrate = start("shop-migrate.service");
	expect({ code: await migrate.ended, said: migrate.said }).toEqual({
		code: 0,
		said: expect.stringContaining("The database is up to date."),
	});
	const update = start("shop-companies-update.service");
	expect({ code: await update.ended, said: update.said }).toEqual({ code: 1, said: expect.stringContaining("INSEE_API_KEY is not set") });

	const [port, metricsPort] = [await freePort(), await freePort()];
	// one file for all processes: the jobs process opens this port, and a web process does not
	const file = { METRICS_PORT: String(metricsPort), METRICS_HOST: "127.0.0.1" };
	const web = start("shop-web@.service", { port, file });
	const served = start("shop-web@.service", { port, setting: "ExecStartPost", pid: web.child.pid });
	expect({ code: await served.ended, said: served.said }).toEqual({ code: 0, said: "" });
	await vi.waitFor(() => expect(web.said).toContain("The shop is open"), { timeout: scaledTimeout(5000) });
	const jobs = start("shop-jobs.service", { file });
	await vi.waitFor(() => expect(jobs.said).toContain("The jobs are running"), { timeout: scaledTimeout(60_000) });
	expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status).toBe(200);
	expect(web.said + jobs.said).not.toContain("METRICS_PORT");
	for (const { child } of [web, jobs]) child.kill("SIGTERM");
	expect(await Promise.all([web.ended, jobs.ended])).toEqual([0, 0]);
});

test("the start of a web process that ends fails at once, and one with wrong settings is not repeated", {
	timeout: scaledTimeout(60_000),
}, async () => {
	for (const name of ["shop-web@.service", "shop-jobs.service"]) {
		const refused = start(name, { file: { APP_ENV: "prod" } });
		expect({ code: await refused.ended, said: refused.said }).toEqual({
			code: Number(getSetting(name, "RestartPreventExitStatus")),
			said: expect.stringContaining("APP_ENV"),
		});
		const waiting = start("shop-web@.service", { port: await freePort(), setting: "ExecStartPost", pid: refused.child.pid });
		expect(await waiting.ended).toBe(1);
	}
});
