import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openStockFile, type Place } from "./stock-file.server.ts";

const folder = mkdtempSync(join(tmpdir(), "stock-"));
afterAll(() => rmSync(folder, { recursive: true }));
let fileCount = 0;
function write(content: string | Buffer, ending: string): string {
	const file = join(folder, `${++fileCount}${ending}`);
	writeFileSync(file, content);
	return file;
}

const writeAndRead = (content: string | Buffer, options?: Parameters<typeof readRows>[1]) => readRows(write(content, ".csv"), options);

async function readRows(file: string, { columns = ["a", "b"], from }: { columns?: string[]; from?: Place } = {}) {
	const { blocks } = await openStockFile(file, columns, from);
	const rows: string[][] = [];
	let end: Place | undefined;
	for await (const block of blocks) {
		rows.push(...block.rows);
		end = block.end;
	}
	return { rows, end };
}

test.each([".zip", ".gz"])("a file is opened by its own extension, not its folder's (%s)", async (ending) => {
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
		["columns in another order", "b,a\n1,2\n", /line 1, its columns are not in INSEE's order: b stands where a should/],
		["a short row after a line break in quotes", 'a,b\n"1\n5",2\n3\n', /line 4, it has 1 columns in place of 2/],
	])("with %s is refused with the line", async (_, content, message) => {
		await expect(writeAndRead(content)).rejects.toThrow(message);
	});

	test("is resumed at the end of any block without repeating rows", async () => {
		const all = Array.from({ length: 60_000 }, (_, index) => [String(index), index % 7 === 0 ? "x\ny" : "é"]);
		const content = `a,b\n${all.map(([a, b]) => (b === "é" ? `${a},${b}` : `${a},"${b}"`)).join("\n")}\n`;
		const { blocks } = await openStockFile(write(content, ".csv"), ["a", "b"]);
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
			const rest = await writeAndRead(content, { from: end });
			expect(rest.rows).toHaveLength(all.length - known);
			expect(rest.rows[0]).toEqual(all[known]);
			if (known < all.length) expect(rest.end).toEqual(ends.at(-1)?.end);
		}
		// the line of a broken row counts from the start of the file
		const broken = `${content}1,2,3\n`;
		await expect(writeAndRead(broken, { from: ends[1]?.end })).rejects.toThrow(`line ${broken.split("\n").length - 1}, it has 3 columns`);
	});
});
