import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import { csv, generatedUnits } from "../../../../test/fixtures/sirene.ts";
import { zip } from "../../../../test/zip.ts";
import { unitColumns } from "./sirene-rows.ts";
import { openStockFile, type Place } from "./stock-file.server.ts";

const folder = mkdtempSync(join(tmpdir(), "stock-"));
afterAll(() => rmSync(folder, { recursive: true }));
let fileCount = 0;
function write(content: string | Buffer, ending: string): string {
	return writeNamed(`${++fileCount}${ending}`, content);
}
function writeNamed(name: string, content: string | Buffer): string {
	const file = join(folder, name);
	writeFileSync(file, content);
	return file;
}

const writeAndRead = (content: string | Buffer, options?: Parameters<typeof readRows>[1]) => readRows(write(content, ".csv"), options);

async function readRows(file: string, { columns = ["a", "b"], from }: { columns?: string[]; from?: Place } = {}) {
	const { blocks } = await openStockFile(file, columns, from);
	const rows: (string[] | string)[] = [];
	let end: Place | undefined;
	for await (const block of blocks) {
		for (const row of block.rows) rows.push(row);
		end = block.end;
	}
	return { rows, end };
}

test.each<[name: string, content: string | Buffer]>([
	["plain.csv.gz", "a,b\n1,2\n"],
	["plain.zip", "a,b\n1,2\n"],
	["compressed.csv", gzipSync("a,b\n1,2\n")],
	["archive.csv", zip("other.CSV", Buffer.from("a,b\n1,2\n"))],
	["utf16.csv", Buffer.from("\ufeffa,b\n1,2\n", "utf16le")],
])("a file is opened by its content, not its name: %s", async (name, content) => {
	expect((await readRows(writeNamed(name, content))).rows).toEqual([["1", "2"]]);
});

test.each([".zip", ".gz"])("a file is opened by its own name, not its folder's (%s)", async (ending) => {
	const inside = join(folder, `old${ending}`);
	mkdirSync(inside, { recursive: true });
	const file = join(inside, "units.csv");
	writeFileSync(file, "a,b\n1,2\n");
	expect((await readRows(file)).rows).toEqual([["1", "2"]]);
});

describe("a stock file", () => {
	test.each<[what: string, content: string, rows: string[][]]>([
		[
			"plain",
			"a,b\n1,2\n3,4\n",
			[
				["1", "2"],
				["3", "4"],
			],
		],
		[
			"without a final newline",
			"a,b\n1,2\n3,4",
			[
				["1", "2"],
				["3", "4"],
			],
		],
		["with a byte order mark", "\ufeffa,b\n1,2\n", [["1", "2"]]],
		["with a quoted header", '"a","b"\n1,2\n', [["1", "2"]]],
		["with Windows line endings", "a,b\r\n1,2\r\n", [["1", "2"]]],
		[
			"with empty lines",
			"a,b\n\n1,2\r\n\r\n\n3,4\n\n",
			[
				["1", "2"],
				["3", "4"],
			],
		],
		["with a comma and a quote in quotes", 'a,b\n"1,5","say ""x"""\n', [["1,5", 'say "x"']]],
		[
			"with a line break in quotes",
			'a,b\n"1\n5",2\n3,4\n',
			[
				["1\n5", "2"],
				["3", "4"],
			],
		],
		["with empty cells", "a,b\n,\n", [["", ""]]],
	])("%s", async (_, content, rows) => {
		expect((await writeAndRead(content)).rows).toEqual(rows);
	});

	test("with additional columns anywhere", async () => {
		expect((await writeAndRead("new,a,newer,b\n0,1,9,2\n")).rows).toEqual([["0", "1", "9", "2"]]);
	});

	test.each([
		["columns in another order", "b,a\n1,2\n", [["1", "2"]], 2],
		[
			"a short row after a line break in quotes",
			'a,b\n"1\n5",2\n3\n4,5\n',
			[["1\n5", "2"], "it has 1 columns in place of 2", ["4", "5"]],
			5,
		],
		["a quote that is never closed", 'a,b\n"1,2\n3,4\n"5",6\n', ["its quotes are in disorder", ["3", "4"], ["5", "6"]], 4],
		[
			"a quote that is closed twenty lines later",
			`a,b\n"1\n${"3,4\n".repeat(19)}1",2\n`,
			["its quotes are in disorder", ...Array(19).fill(["3", "4"]), "its quotes are in disorder"],
			22,
		],
		["a quote that is closed nineteen lines later", `a,b\n"1\n${"3,4\n".repeat(18)}1",2\n`, [[`1\n${"3,4\n".repeat(18)}1`, "2"]], 2],
	])("with %s is read, with the line of the last row", async (_, content, rows, line) => {
		const { blocks } = await openStockFile(write(content, ".csv"), ["a", "b"]);
		const read: (string[] | string)[] = [];
		let last = 0;
		for await (const block of blocks) {
			read.push(...block.rows);
			last = block.place.line;
		}
		expect(read).toEqual(rows);
		expect(last).toBe(line);
	});

	test("with a quote that is never closed keeps all but its row, however long it is", async () => {
		const after = Array.from({ length: 300_000 }, (_, index) => [String(index), "é"]);
		const content = `a,b\n1,2\n"3,4\n${after.map((cells) => cells.join()).join("\n")}\n`;
		const { rows } = await writeAndRead(content);
		expect(rows).toHaveLength(after.length + 2);
		expect(rows.slice(0, 3)).toEqual([["1", "2"], "its quotes are in disorder", after[0]]);
		expect(rows.filter((row) => typeof row === "string")).toHaveLength(1);
	});

	test("is resumed at the end of any block without repeating rows", async () => {
		const all = Array.from({ length: 20_000 }, (_, index) => [String(index), index % 7 === 0 ? "x\ny" : "é".repeat(12)]);
		const content = `a,b\n${all.map(([a, b]) => (b === "x\ny" ? `${a},"${b}"` : `${a},${b}`)).join("\n")}\n`;
		const file = write(content, ".csv");
		const { blocks } = await openStockFile(file, ["a", "b"]);
		const ends: { read: number; end: Place }[] = [];
		let read = 0;
		for await (const { rows, end } of blocks) {
			const block = [...rows];
			expect(block).toEqual(all.slice(read, read + block.length));
			read += block.length;
			ends.push({ read, end });
		}
		expect(read).toBe(all.length);
		expect(ends.length).toBeGreaterThan(2);
		for (const { read: known, end } of ends) {
			const rest = await readRows(file, { from: end });
			expect(rest.rows).toHaveLength(all.length - known);
			expect(rest.rows[0]).toEqual(all[known]);
			if (known < all.length) expect(rest.end).toEqual(ends.at(-1)?.end);
		}
		// the line of a broken row counts from the start of the file
		const broken = `${content}1,2,3`;
		await expect(writeAndRead(broken, { from: ends[1]?.end })).rejects.toThrow(`line ${broken.split("\n").length}, it has 3 columns`);
	});
});

describe("a broken file is refused with line and reason:", () => {
	const header = unitColumns.join(",");
	// more than one block
	const many = csv(
		unitColumns,
		Array.from({ length: 5000 }, (_, index) => ({ ...generatedUnits[2], siren: String(200_000_000 + index) })),
	);
	const rows = many.split("\n");
	const zipped = zip("StockUniteLegale_utf8.csv", Buffer.from(many));
	test.each<[what: string, name: string, content: string | Buffer | null, message: RegExp]>([
		["a missing file", "none.csv", null, /^none\.csv cannot be imported: there is no such file$/],
		["an empty file", "empty.csv", "", /^empty\.csv cannot be imported: it is empty$/],
		["another file", "other.csv", "a,b\n1,2\n", /line 1, it has no column siren, /],
		["a missing column", "missing.csv", many.replace("sigleUniteLegale,", ""), /line 1, it has no column sigleUniteLegale$/],
		["a web page", "page.csv", "<!doctype html>\n<title>Erreur</title>\n", /^page\.csv cannot be imported: it is a web page$/],
		["a table that is no web page", "table.csv", "a<b,c\n1,2\n", /line 1, it has no column siren, /],
		[
			"a truncated gzip",
			"cut.csv.gz",
			gzipSync(many).subarray(0, -500),
			/^cut\.csv\.gz cannot be imported: after line \d+, unexpected end of file$/,
		],
		["a truncated row", "row.csv", many.slice(0, many.lastIndexOf(",", many.length - 20)), /line 5001, it has \d+ columns in place of 34/],
		["a line of 10 MB", "long.csv", `${header}\n${rows[1]}\n${"x".repeat(10 << 20)}\n${rows[2]}\n`, /line 3, it does not end within 1 MB/],
		["a truncated archive", "cut.zip", zipped.subarray(0, -30), /^cut\.zip cannot be imported: /],
		[
			"a damaged archive",
			"damaged.zip",
			zip("StockUniteLegale_utf8.csv", Buffer.from(many), 1),
			/its checksum is wrong: it was damaged on the way/,
		],
		["an archive without a .csv", "other.zip", zip("notes.txt", Buffer.from("notes")), /it holds 0 \.csv files in place of one/],
	])("%s", async (_, name, content, message) => {
		const file = content === null ? join(folder, name) : writeNamed(name, content);
		const error = await readRows(file, { columns: unitColumns }).catch((error) => error);
		expect(error).toBeInstanceOf(BrokenFile);
		expect(error.message).toMatch(message);
	});
});
