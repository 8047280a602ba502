import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { copyBinaries, type EmbeddedPostgres, startPostgres } from "./embedded-postgres.ts";

const left: string[] = [];
afterAll(() => {
	for (const path of left) rmSync(path, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<EmbeddedPostgres> {
	const postgres = await startPostgres(dataDir);
	left.push(dataDir, postgres.folder, postgres.connection.host);
	return postgres;
}

async function ask(postgres: EmbeddedPostgres, text: string): Promise<unknown[]> {
	const client = new pg.Client(postgres.connection);
	await client.connect();
	const { rows } = await client.query(text);
	await client.end();
	return rows;
}

/** As docs/backup.md says: with the owner of each file, which is another user's when we are root. */
const copy = (from: string, to: string) => expect(spawnSync("cp", ["-a", `${from}/.`, to]).status).toBe(0);

test("a copy made while the shop is stopped is a shop of its own", async () => {
	const [folder, elsewhere] = [mkdtempSync(join(tmpdir(), "extrait-pro-cold-")), mkdtempSync(join(tmpdir(), "extrait-pro-copy-"))];
	const first = await start(folder);
	await ask(first, "create table kept as select 'an order' as what");
	await first.stop();

	copy(folder, elsewhere);
	const id = randomBytes(6).toString("hex");
	writeFileSync(join(elsewhere, "database-id"), id);
	if (!first.folder.startsWith(folder)) copy(first.folder, join(dirname(first.folder), id));

	const second = await start(elsewhere);
	expect(await ask(second, "select what from kept")).toEqual([{ what: "an order" }]);
	await ask(second, "delete from kept");
	await second.stop();
	const again = await start(folder);
	expect(await ask(again, "select what from kept")).toEqual([{ what: "an order" }]);
	await again.stop();
});

test("whoever finds a server that runs leaves it running; stopped twice, it is stopped", async () => {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-twice-"));
	const first = await start(folder);
	const second = await start(folder);
	await second.stop();
	expect(await ask(first, "select 'an answer' as what")).toEqual([{ what: "an answer" }]);
	await first.stop();
	await first.stop();
	await expect(ask(first, "select")).rejects.toThrow(/ENOENT|ECONNREFUSED/);
});

test.each(["npm left out", "the package's own script made"])("the binaries are copied once, with the links that %s", (from) => {
	const base = mkdtempSync(join(tmpdir(), "extrait-pro-binaries-"));
	left.push(base);
	const [folder, lib] = [join(base, "package"), join(base, "package/native/lib")];
	mkdirSync(lib, { recursive: true });
	writeFileSync(join(folder, "package.json"), '{ "version": "18.0.0" }');
	writeFileSync(join(folder, "native/pg-symlinks.json"), '[{ "source": "native/lib/libpq.so.5.18", "target": "native/lib/libpq.so" }]');
	writeFileSync(join(lib, "libpq.so.5.18"), "");
	if (from !== "npm left out") symlinkSync("libpq.so.5.18", join(lib, "libpq.so"));

	const copied = copyBinaries(base, folder);
	expect(readlinkSync(join(copied, "lib/libpq.so"))).toBe("libpq.so.5.18");
	rmSync(join(folder, "native"), { recursive: true });
	expect(copyBinaries(base, folder)).toBe(copied);
});
