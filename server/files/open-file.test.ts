import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { zip } from "../../test/zip.ts";
import { getFileDay, openFile } from "./open-file.server.ts";

const folder = mkdtempSync(join(tmpdir(), "open-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(content: string | Buffer) {
	const file = join(folder, "file.data");
	writeFileSync(file, content);
	const { name, chunks, fraction } = openFile(file, "csv");
	const fractions = [fraction()];
	const read: Buffer[] = [];
	for await (const chunk of chunks) {
		read.push(chunk);
		fractions.push(fraction());
	}
	expect(name).toBe(file);
	return { text: Buffer.concat(read).toString(), fractions };
}

// of several blocks, which hardly compress
const long = Array.from({ length: 200_000 }, (_, index) => (index * 7919).toString(36)).join("\né");
test.each<[what: string, write: (text: string) => Buffer]>([
	["as it is", (text) => Buffer.from(text)],
	["by gzip", (text) => gzipSync(text)],
	["in a zip", (text) => zip("stock.CSV", Buffer.from(text))],
	["in UTF-16", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
	["in UTF-16 of the other order", (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
])("a file that is written %s is read, and says how much of it was", async (_, write) => {
	for (const text of ["", "a", "é\n", "P5", "5P04b", long]) {
		const { text: found, fractions } = await read(write(text));
		expect(found).toBe(text);
		expect(fractions[0]).toBe(0);
		expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
		if (text !== "") expect(fractions.at(-1)).toBe(1);
		if (text === long) expect(fractions.some((fraction) => fraction > 0 && fraction < 1)).toBe(true);
	}
});

test("a byte order mark of UTF-8 stays, for who reads it", async () => {
	expect((await read("\ufeffa")).text).toBe("\ufeffa");
});

test("a zip without the wanted file is refused", async () => {
	for (const name of ["a.json", "__MACOSX/a.csv", "csv"])
		await expect(read(zip(name, Buffer.from("a")))).rejects.toThrow("it holds 0 .csv files in place of one");
	await expect(read(zip("a.csv", Buffer.from("a"), 1))).rejects.toThrow("its checksum is wrong: it was damaged on the way");
});

test("a missing file and a folder are refused", () => {
	for (const open of [() => openFile(join(folder, "none"), "csv"), () => getFileDay(join(folder, "none"))])
		expect(open).toThrow("none cannot be imported: there is no such file");
	expect(() => openFile(folder, "csv")).toThrow("there is no such file");
});
