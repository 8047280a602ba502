import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Entry, readEntries } from "./json-list.server.ts";

const folder = mkdtempSync(join(tmpdir(), "list-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "list.json");

async function entriesIn(path: string): Promise<Entry[]> {
	const entries: Entry[] = [];
	for await (const entry of readEntries(path)) entries.push(entry);
	return entries;
}
async function entriesOf(content: string | Buffer): Promise<Entry[]> {
	writeFileSync(file, content);
	return entriesIn(file);
}
const valuesOf = async (content: string | Buffer) => (await entriesOf(content)).map(({ value }) => value);

test("texts may be empty, and hold brackets, quotes and what ends with a backslash", async () => {
	const values = [{ "": 1 }, { a: "}]{[" }, { b: '"}' }, { c: "\\" }, { d: '\\"}', e: [{ f: "," }] }, {}];
	for (const space of [0, 1]) expect(await valuesOf(JSON.stringify(values, null, space))).toEqual(values);
});

test("each is named by its place and its line", async () => {
	expect(await entriesOf('\ufeff[\r\n\t{"a":\n1},\n\n{\n"b": 2}]\n')).toEqual([
		{ value: { a: 1 }, where: "entry 1 (line 2)" },
		{ value: { b: 2 }, where: "entry 2 (line 5)" },
	]);
});

test("an empty one has none", async () => {
	expect(await entriesOf("[]")).toEqual([]);
});

test.each([
	["longer than what is read at once", "{", ""],
	["behind so much space", "", " "],
])("an entry that is %s is whole", async (_, begin, filling) => {
	const long = "é".repeat(700_000);
	const values = [{ a: begin && long }, { b: 1 }];
	expect(await valuesOf(JSON.stringify(values).replace(",", `,${filling.repeat(2 << 20)}`))).toEqual(values);
});

test.each<[what: string, content: string | Buffer, message: string | RegExp]>([
	["nothing", "", "line 1, it ends before its list does: it was cut short"],
	["a list that is not closed", "[\n{}", "line 2, it ends before its list does: it was cut short"],
	["an entry that is not closed", '[{},\n{"a": [', "entry 2 (line 2), it ends before its list does: it was cut short"],
	["a text that is not closed", '[{},\n{"a": "}]', "entry 2 (line 2), it ends before its list does: it was cut short"],
	["an object", "\n{}", "line 2, it is no list of objects: [{…}, {…}]"],
	["an end without a beginning", "]", "line 1, it is no list of objects: [{…}, {…}]"],
	["a second end", "[]]", "line 1, it is no list of objects: [{…}, {…}]"],
	["a second list", "[]\n[{}]", "line 2, it is no list of objects: [{…}, {…}]"],
	["a word in front", "x[]", "line 1, it is no list of objects: [{…}, {…}]"],
	["a list of numbers", "[1]", "line 1, it is no list of objects: [{…}, {…}]"],
	["a word between entries", "[{}\nx, {}]", "line 2, it is no list of objects: [{…}, {…}]"],
	["no JSON", "[{},\n{'a': 1}]", /entry 2 \(line 2\), it is no JSON: Expected property name/],
	["no UTF-8", Buffer.from('[{"a": "\xff"}]', "latin1"), "entry 1 (line 1), it is not in UTF-8"],
	[
		"an entry without end",
		Buffer.concat([Buffer.from("[{}, {"), Buffer.alloc(66 << 20, " ")]),
		"entry 2 (line 1), it does not end within 64 MB",
	],
])("%s is refused", async (_, content, message) => {
	const said = await entriesOf(content).then(
		() => "it was read",
		(error: Error) => error.message.replace("list.json cannot be imported: ", ""),
	);
	if (typeof message === "string") expect(said).toBe(message);
	else expect(said).toMatch(message);
});

test("a file that is not there is named, and so is what cannot be read", async () => {
	await expect(entriesIn(join(folder, "none.json"))).rejects.toThrow("none.json cannot be imported: there is no such file");
	await expect(entriesIn(folder)).rejects.toThrow(/cannot be imported: EISDIR/);
});
