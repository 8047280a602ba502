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
import { parseDatabaseUrl, splitHosts } from "./primary.ts";

/**
 * Two servers under one DATABASE_URL. For these tests, a standby is a read-only server and a promoted one is writable.
 * The cluster drill tests real replication (docs/reliability.md).
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

/** Each server has a separate network and port. */
const getUrl = () =>
	`postgres://postgres@${networks.map(({ connection }) => `127.0.0.1:${connection.port}`).join()}/postgres?target_session_attrs=read-write`;

const open = () => openDatabase({ ...parseDatabaseUrl(getUrl()), query_timeout: scaledTimeout(100), max: 2 }, createLog("silent"));

test("splitHosts returns one URL per host", () => {
	expect(splitHosts("postgres://shop:a%40b@one:5432,two:5433/shop?target_session_attrs=read-write")).toEqual([
		"postgres://shop:a%40b@one:5432/shop?target_session_attrs=read-write",
		"postgres://shop:a%40b@two:5433/shop?target_session_attrs=read-write",
	]);
	for (const single of ["postgres://localhost/shop", "postgres://shop@[::1]:5432/shop", "postgres://shop@/shop?host=/run/postgresql"])
		expect(splitHosts(single)).toEqual([single]);
	expect(parseDatabaseUrl("postgres://localhost/shop")).toEqual({ connectionString: "postgres://localhost/shop" });
});

test("the pool finds the host that accepts writes, and follows it to another host", async () => {
	const { db, pool } = open();
	const write = () => sql`create table if not exists written (at timestamptz)`.execute(db);
	const findServer = async () =>
		(await sql<{ folder: string }>`select current_setting('data_directory') as folder`.execute(db)).rows[0]?.folder;
	try {
		await write();
		expect(await findServer()).toBe(servers[0]?.folder);

		// the old primary becomes a standby: its connections stay open and refuse writes
		await setWritable(0, false);
		await setWritable(1, true);
		expect(await tryWrite(write)).toBe("unavailable");
		await waitUntilWritten(write);
		expect(await findServer()).toBe(servers[1]?.folder);

		// the primary becomes silent, with open connections
		await setWritable(0, true);
		networks[1]?.cut();
		expect(await tryWrite(write)).toBe("unavailable");
		await waitUntilWritten(write);
		expect(await findServer()).toBe(servers[0]?.folder);

		// no host accepts writes until the networks are back
		networks[0]?.cut();
		expect(await tryWrite(write)).toBe("unavailable");
		expect(await tryWrite(write)).toBe("unavailable");
		for (const network of networks) network.mend();
		await waitUntilWritten(write);
	} finally {
		await pool.end();
	}
});

async function tryWrite(write: () => Promise<unknown>): Promise<"written" | "unavailable"> {
	try {
		await write();
		return "written";
	} catch (error) {
		if (isDatabaseUnavailable(error)) return "unavailable";
		throw error;
	}
}

/** Retries, because each pooled connection fails once before it is replaced. */
async function waitUntilWritten(write: () => Promise<unknown>): Promise<void> {
	for (let attempts = 0; (await tryWrite(write)) === "unavailable"; attempts++) expect(attempts).toBeLessThan(10);
}
