import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BreakableNetwork, createBreakableNetwork } from "../../test/network.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { createLog } from "../observability/log.ts";
import { isDatabaseUnavailable, openDatabase } from "./database.ts";
import { type EmbeddedPostgres, startPostgres } from "./embedded-postgres.ts";
import { connectionTo, splitHosts } from "./primary.ts";

/**
 * Two servers under one DATABASE_URL. To a program, a standby is a server that takes no writes and says so; a promoted one takes them.
 * Real replication is the cluster drill's (docs/reliability.md).
 */

const folders = ["a", "b"].map((name) => mkdtempSync(join(tmpdir(), `extrait-pro-host-${name}-`)));
let servers: EmbeddedPostgres[] = [];
let networks: BreakableNetwork[] = [];

beforeAll(async () => {
	servers = await Promise.all(folders.map((folder) => startPostgres(folder)));
	networks = await Promise.all(servers.map(({ connection }) => createBreakableNetwork(connection)));
	await setWritable(1, false);
}, scaledTimeout(120_000));
afterAll(async () => {
	await Promise.all([...networks.map((network) => network.close()), ...servers.map((server) => server.stop())]);
	for (const left of [...folders, ...servers.flatMap(({ folder, connection }) => [folder, connection.host])])
		rmSync(left, { recursive: true, force: true });
});

async function setWritable(which: 0 | 1, writable: boolean): Promise<void> {
	const { pool } = openDatabase({ ...servers[which]?.connection, max: 1 }, createLog("silent"));
	await pool.query(`alter system set default_transaction_read_only = ${writable ? "off" : "on"}`);
	await pool.query("select pg_reload_conf()");
	await pool.end();
}

/** Which server answers, by its port; each has a network of its own. */
const urlOfBoth = () =>
	`postgres://postgres@${networks.map(({ connection }) => `127.0.0.1:${connection.port}`).join()}/postgres?target_session_attrs=read-write`;

const open = () => openDatabase({ ...connectionTo(urlOfBoth()), query_timeout: scaledTimeout(300), max: 2 }, createLog("silent"));

test("a URL with several hosts is one URL for each", () => {
	expect(splitHosts("postgres://shop:a%40b@one:5432,two:5433/shop?target_session_attrs=read-write")).toEqual([
		"postgres://shop:a%40b@one:5432/shop?target_session_attrs=read-write",
		"postgres://shop:a%40b@two:5433/shop?target_session_attrs=read-write",
	]);
	for (const single of ["postgres://localhost/shop", "postgres://shop@[::1]:5432/shop", "postgres://shop@/shop?host=/run/postgresql"])
		expect(splitHosts(single)).toEqual([single]);
	expect(connectionTo("postgres://localhost/shop")).toEqual({ connectionString: "postgres://localhost/shop" });
});

test("the host that takes writes is found, and found again when another one takes them", async () => {
	const { db, pool } = open();
	const write = () => sql`create table if not exists written (at timestamptz)`.execute(db);
	const servedBy = async () =>
		(await sql<{ folder: string }>`select current_setting('data_directory') as folder`.execute(db)).rows[0]?.folder;
	try {
		await write();
		expect(await servedBy()).toBe(servers[0]?.folder);

		// the old primary lives on as a standby: its connections are open, and refuse to write
		await setWritable(0, false);
		await setWritable(1, true);
		expect(await settled(write)).toBe("away");
		await until(write);
		expect(await servedBy()).toBe(servers[1]?.folder);

		// a primary that falls silent, with its connections open
		await setWritable(0, true);
		networks[1]?.cut();
		expect(await settled(write)).toBe("away");
		await until(write);
		expect(await servedBy()).toBe(servers[0]?.folder);

		// none takes writes: the shop says that its database is away, and finds it again
		networks[0]?.cut();
		expect(await settled(write)).toBe("away");
		expect(await settled(write)).toBe("away");
		for (const network of networks) network.mend();
		await until(write);
	} finally {
		await pool.end();
	}
});

async function settled(write: () => Promise<unknown>): Promise<"written" | "away"> {
	try {
		await write();
		return "written";
	} catch (error) {
		if (isDatabaseUnavailable(error)) return "away";
		throw error;
	}
}

/** Each connection learns for itself that it is of no use any more. */
async function until(write: () => Promise<unknown>): Promise<void> {
	for (let tried = 0; (await settled(write)) === "away"; tried++) expect(tried).toBeLessThan(10);
}
