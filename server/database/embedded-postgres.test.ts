import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { copyBinaries, type EmbeddedPostgres, startPostgres } from "./embedded-postgres.ts";

const folders: string[] = [];
afterAll(() => {
	for (const path of folders) rmSync(path, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<EmbeddedPostgres> {
	const postgres = await startPostgres(dataDir);
	folders.push(dataDir, postgres.folder, postgres.connection.host);
	return postgres;
}

async function ask(postgres: EmbeddedPostgres, text: string): Promise<unknown[]> {
	const client = new pg.Client(postgres.connection);
	await client.connect();
	const { rows } = await client.query(text);
	await client.end();
	return rows;
}

/** Copies as docs/backup.md says, with the owner of each file, who is another user when we are root. */
const copy = (from: string, to: string) => expect(spawnSync("cp", ["-a", `${from}/.`, to]).status).toBe(0);

test("a copy of a stopped shop is an independent shop", async () => {
	const [folder, copyFolder] = [mkdtempSync(join(tmpdir(), "extrait-pro-cold-")), mkdtempSync(join(tmpdir(), "extrait-pro-copy-"))];
	const first = await start(folder);
	await ask(first, "create table kept as select 'an order' as name");
	await first.stop();

	copy(folder, copyFolder);
	const id = randomBytes(6).toString("hex");
	writeFileSync(join(copyFolder, "database-id"), id);
	if (!first.folder.startsWith(folder)) copy(first.folder, join(dirname(first.folder), id));

	const second = await start(copyFolder);
	expect(await ask(second, "select name from kept")).toEqual([{ name: "an order" }]);
	await ask(second, "delete from kept");
	await second.stop();
	const again = await start(folder);
	expect(await ask(again, "select name from kept")).toEqual([{ name: "an order" }]);
	await again.stop();
});

test("a second start uses the running server and leaves it running; a second stop does nothing", async () => {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-twice-"));
	const first = await start(folder);
	const second = await start(folder);
	await second.stop();
	expect(await ask(first, "select 'a row' as name")).toEqual([{ name: "a row" }]);
	await first.stop();
	await first.stop();
	await expect(ask(first, "select")).rejects.toThrow(/ENOENT|ECONNREFUSED/);
});

test("a server that ends by itself is started again, and its reason is told when it never stays", async () => {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-ended-"));
	await (await start(folder)).stop();
	await expect(startPostgres(folder, ["shared_buffers=much"])).rejects.toThrow(/^PostgreSQL stopped:.*shared_buffers/s);
});

test.each(["npm omitted", "the package's own script created"])("the binaries are copied once, with the links that %s", (origin) => {
	const base = mkdtempSync(join(tmpdir(), "extrait-pro-binaries-"));
	folders.push(base);
	const [folder, lib] = [join(base, "package"), join(base, "package/native/lib")];
	mkdirSync(lib, { recursive: true });
	writeFileSync(join(folder, "package.json"), '{ "version": "18.0.0" }');
	writeFileSync(join(folder, "native/pg-symlinks.json"), '[{ "source": "native/lib/libpq.so.5.18", "target": "native/lib/libpq.so" }]');
	writeFileSync(join(lib, "libpq.so.5.18"), "");
	if (origin !== "npm omitted") symlinkSync("libpq.so.5.18", join(lib, "libpq.so"));

	const copied = copyBinaries(base, folder);
	expect(readlinkSync(join(copied, "lib/libpq.so"))).toBe("libpq.so.5.18");
	rmSync(join(folder, "native"), { recursive: true });
	expect(copyBinaries(base, folder)).toBe(copied);
});
