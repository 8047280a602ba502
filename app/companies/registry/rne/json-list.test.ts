import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Entry, readEntries } from "./json-list.server.ts";

const folder = mkdtempSync(join(tmpdir(), "list-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "list.json");

async function listEntries(path: string): Promise<Entry[]> {
	const entries: Entry[] = [];
	for await (const entry of readEntries(path)) entries.push(entry);
	return entries;
}
async function writeAndListEntries(content: string | Buffer): Promise<Entry[]> {
	writeFileSync(file, content);
	return listEntries(file);
}
const writeAndListValues = async (content: string | Buffer) => (await writeAndListEntries(content)).map(({ value }) => value);

test("parses strings that are empty or contain brackets, quotes and backslashes", async () => {
	const values = [{ "": 1 }, { a: "}]{[" }, { b: '"}' }, { c: "\\" }, { d: '\\"}', e: [{ f: "," }] }, {}];
	for (const space of [0, 1]) expect(await writeAndListValues(JSON.stringify(values, null, space))).toEqual(values);
});

test("returns the position and the line of each entry", async () => {
	expect(await writeAndListEntries('\ufeff[\r\n\t{"a":\n1},\n\n{\n"b": 2}]\n')).toEqual([
		{ value: { a: 1 }, where: "entry 1 (line 2)" },
		{ value: { b: 2 }, where: "entry 2 (line 5)" },
	]);
});

test("returns nothing for an empty list", async () => {
	expect(await writeAndListEntries("[]")).toEqual([]);
});

test.each([
	["longer than one chunk", "{", ""],
	["after as much whitespace", "", " "],
])("parses an entry %s", async (_, begin, filling) => {
	const long = "é".repeat(700_000);
	const values = [{ a: begin && long }, { b: 1 }];
	expect(await writeAndListValues(JSON.stringify(values).replace(",", `,${filling.repeat(2 << 20)}`))).toEqual(values);
});

test.each<[what: string, content: string | Buffer, message: string | RegExp]>([
	["an empty file", "", "line 1, it ends before its list does: it was cut short"],
	["an unclosed list", "[\n{}", "line 2, it ends before its list does: it was cut short"],
	["an unclosed entry", '[{},\n{"a": [', "entry 2 (line 2), it ends before its list does: it was cut short"],
	["an unclosed string", '[{},\n{"a": "}]', "entry 2 (line 2), it ends before its list does: it was cut short"],
	["an object", "\n{}", "line 2, it is no list of objects: [{…}, {…}]"],
	["a closing bracket alone", "]", "line 1, it is no list of objects: [{…}, {…}]"],
	["a second closing bracket", "[]]", "line 1, it is no list of objects: [{…}, {…}]"],
	["a second list", "[]\n[{}]", "line 2, it is no list of objects: [{…}, {…}]"],
	["a word before the list", "x[]", "line 1, it is no list of objects: [{…}, {…}]"],
	["a list of numbers", "[1]", "line 1, it is no list of objects: [{…}, {…}]"],
	["a word between entries", "[{}\nx, {}]", "line 2, it is no list of objects: [{…}, {…}]"],
	["invalid JSON", "[{},\n{'a': 1}]", /entry 2 \(line 2\), it is no JSON: Expected property name/],
	["invalid UTF-8", Buffer.from('[{"a": "\xff"}]', "latin1"), "entry 1 (line 1), it is not in UTF-8"],
	[
		"an endless entry",
		Buffer.concat([Buffer.from('[{}, {"'), Buffer.alloc(66 << 20, " ")]),
		"entry 2 (line 1), it does not end within 64 MB",
	],
])("refuses %s", async (_, content, message) => {
	const result = await writeAndListEntries(content).then(
		() => "no error",
		(error: Error) => error.message.replace("list.json cannot be imported: ", ""),
	);
	if (typeof message === "string") expect(result).toBe(message);
	else expect(result).toMatch(message);
});

test("names a missing or unreadable file in the error", async () => {
	await expect(listEntries(join(folder, "none.json"))).rejects.toThrow("none.json cannot be imported: there is no such file");
	await expect(listEntries(folder)).rejects.toThrow(/cannot be imported: EISDIR/);
});
