import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import type { FileRecord } from "../../../../server/files/json-records.ts";
import { toCsv, toJsonLines, unmarkedNotices } from "../../../../test/fixtures/bulletin.ts";
import { openExport, readRecords } from "./export-records.server.ts";

const folder = mkdtempSync(join(tmpdir(), "bulletin-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function collect(blocks: AsyncIterable<FileRecord[]>): Promise<FileRecord[]> {
	const records: FileRecord[] = [];
	for await (const block of blocks) records.push(...block);
	return records;
}
async function read(content: string | Buffer, { name = "export.data", skip = 0 } = {}): Promise<FileRecord[]> {
	const file = join(folder, name);
	writeFileSync(file, content);
	return collect(readRecords(openExport(file), skip));
}
/** Reads the same bytes in pieces of a few. */
const readInPieces = async (content: Buffer, size: number) => {
	async function* chunks() {
		for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
	}
	return collect(readRecords({ name: "export.data", chunks: chunks() }));
};
const ids = (records: readonly FileRecord[]) => records.map(({ value, fault }) => value?.id ?? fault);
const allIds = unmarkedNotices.map(({ id }) => id);

const formats = {
	"JSON lines": toJsonLines(unmarkedNotices),
	"JSON lines without a last line break": toJsonLines(unmarkedNotices).trimEnd(),
	"JSON lines of Windows, with empty lines": toJsonLines(unmarkedNotices).replaceAll("\n", "\r\n\r\n"),
	"a JSON list": JSON.stringify(unmarkedNotices),
	"an indented JSON list": JSON.stringify(unmarkedNotices, null, "\t"),
	"results of the API": JSON.stringify({ total_count: 25, results: unmarkedNotices }),
	"indented results": JSON.stringify({ results: unmarkedNotices }, null, 2),
	"CSV with semicolons": toCsv(unmarkedNotices, ";"),
	"CSV with commas": toCsv(unmarkedNotices, ","),
	"CSV of Windows": toCsv(unmarkedNotices, ";").replaceAll("\n", "\r\n"),
	"CSV without a last line break": toCsv(unmarkedNotices, ";").trimEnd(),
	"CSV with blanks around the names of its columns": toCsv(unmarkedNotices, ";").replace(/^.*/, (header) => header.replaceAll(";", " ; ")),
};
test.each(Object.entries(formats))("reads %s, with a byte order mark, compressed, in pieces, from the middle", async (_, text) => {
	expect(ids(await read(text))).toEqual(allIds);
	expect(ids(await read(`\ufeff${text}`))).toEqual(allIds);
	expect(ids(await read(gzipSync(text)))).toEqual(allIds);
	expect(ids(await readInPieces(Buffer.from(text), 7))).toEqual(allIds);
	expect(ids(await read(text, { skip: 20 }))).toEqual(allIds.slice(20));
});

test("a file says how much of it was read", async () => {
	const file = join(folder, "large.jsonl");
	writeFileSync(file, toJsonLines(unmarkedNotices).repeat(20));
	const bytes = openExport(file);
	const fractions: number[] = [];
	for await (const _ of readRecords(bytes)) fractions.push(bytes.fraction());
	expect(fractions.length).toBeGreaterThan(1);
	expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
	expect(fractions[0]).toBeGreaterThan(0);
	expect(fractions[0]).toBeLessThan(1);
	expect(fractions.at(-1)).toBe(1);
});

test.each([
	["JSON lines", toJsonLines(unmarkedNotices)],
	["a JSON list", JSON.stringify(unmarkedNotices)],
	["CSV", toCsv(unmarkedNotices, ";")],
])("%s may have many records in a piece, and markup and any character in a text", async (what, text) => {
	const times = Math.ceil((3.5 * (1 << 20)) / text.length);
	const whole = what.startsWith("JSON") ? text.repeat(times) : "";
	const [header = "", ...rows] = text.split("\n");
	const large =
		what === "a JSON list" ? `[${Array(times).fill(text.slice(1, -1)).join()}]` : whole || `${header}\n${rows.join("\n").repeat(times)}`;
	const records = await readInPieces(Buffer.from(large.trimEnd()), 3 << 20);
	expect(records.filter(({ value }) => value !== null)).toHaveLength(25 * times);
	// three bytes each, the first two as in a byte order mark
	const strange = `<b>[{${"ﻠ".repeat(14)}`;
	const [first] = unmarkedNotices;
	const one = [{ ...first, ville: strange }];
	const format = { "JSON lines": toJsonLines, "a JSON list": JSON.stringify, CSV: (list: typeof one) => toCsv(list, ";") }[what];
	expect((await readInPieces(Buffer.from(format?.(one) ?? ""), 7)).map(({ value }) => value?.ville)).toEqual([strange]);
});

test("CSV has the same texts as JSON", async () => {
	const [fromCsv, fromJson] = [await read(formats["CSV with semicolons"]), await read(formats["JSON lines"])];
	for (const field of ["tribunal", "listepersonnes", "jugement", "acte", "dateparution", "parutionavisprecedent"])
		expect(fromCsv.map(({ value }) => (value?.[field] === undefined ? null : value[field]))).toEqual(
			fromJson.map(({ value }) => value?.[field] ?? null),
		);
});

const lines = toJsonLines(unmarkedNotices.slice(0, 3)).trimEnd().split("\n") as [string, string, string];

test("names a broken line, and reads on", async () => {
	const broken = [lines[0], "{broken", "[]", "5", lines[1], `{"id": "\u0000"}`, lines[2]].join("\n");
	const records = await read(broken);
	expect(ids(records)).toEqual([allIds[0], "no JSON", "no object", "no object", allIds[1], "no JSON", allIds[2]]);
	expect(records.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test.each([
	["a list", "[", "]"],
	["results", '{"total_count":3,"results":[', "]}"],
])("names what is no object in %s, and reads on", async (_, before, after) => {
	const entries = [lines[0], 'null, "a text, with \\"quotes\\" {[", [],5 6', lines[1], "oops", lines[2]];
	const records = await read(`${before}${entries.join(",\n")}${after}`);
	const fault = "no object";
	expect(ids(records)).toEqual([allIds[0], fault, fault, fault, fault, allIds[1], fault, allIds[2]]);
	expect(records.map(({ line }) => line)).toEqual([1, 2, 2, 2, 2, 3, 4, 5]);
});

test("names text after the list, once", async () => {
	const list = `[${lines[0]}]`;
	expect(ids(await read(`${list}\n${list}\n${list}`))).toEqual([allIds[0], "text outside the list"]);
	expect((await read(`${list}\nfin`)).map(({ line }) => line)).toEqual([1, 2]);
});

test("names an empty text at the beginning of a list", async () => {
	expect(ids(await read(`["",${lines[0]}]`))).toEqual(["no object", allIds[0]]);
});

test("passes over a line of blanks, unless it is long", async () => {
	expect(ids(await read([lines[0], " ".repeat(100), " ".repeat(101), lines[1]].join("\n")))).toEqual([allIds[0], "no JSON", allIds[1]]);
});

test("names a line that is not UTF-8", async () => {
	const bytes = Buffer.concat([Buffer.from(`${lines[0]}\n`), Buffer.from('{"id": "\xe9"}\n', "latin1"), Buffer.from(lines[1])]);
	expect(ids(await read(bytes))).toEqual([allIds[0], "not UTF-8", allIds[1]]);
	const [header, ...rows] = toCsv(unmarkedNotices.slice(0, 1), ";").trimEnd().split("\n");
	const csv = Buffer.concat([Buffer.from(`${header}\n`), Buffer.from("\xe9;\xe9\n", "latin1"), Buffer.from(rows.join("\n"))]);
	expect(ids(await read(csv))).toEqual(["not UTF-8", allIds[0]]);
});

test.each([
	["four megabytes", 4 << 20, undefined],
	["a byte more", (4 << 20) + 1, "longer than 4 MB"],
])("reads a record of up to %s in one piece", async (_, size, fault) => {
	const fill = (before: string, after: string) => `${before}${"x".repeat(size - before.length - after.length)}${after}`;
	const readWhole = (text: string) => readInPieces(Buffer.from(text), text.length);
	const expected = fault ?? "a";
	expect(ids(await readWhole(`${fill('{"id":"a","b":"', '"}')}\n${lines[1]}\n`))).toEqual([expected, allIds[1]]);
	if (fault === undefined) expect(ids(await readWhole(fill('{"id":"a","b":"', '"}')))).toEqual(["a"]);
	expect(ids(await readWhole(`[${fill('{"id":"a","b":"', '"}')},${lines[1]}]`))).toEqual([expected, allIds[1]]);
	const csv = await readWhole(`id;dateparution;familleavis;registre;listepersonnes\n${fill("a;2026-09-02;;;", "")}\nb;2026-09-02;;;\n`);
	expect(ids(csv)).toEqual([expected, "b"]);
});

test("names a line of fifty megabytes, and keeps none of it in memory", async () => {
	const endless = Buffer.alloc(50 << 20, "x");
	const around = (before: string, after: string) => Buffer.concat([Buffer.from(before), endless, Buffer.from(after)]);
	expect(ids(await read(around(`${lines[0]}\n{"a":"`, `"}\n${lines[1]}\n`)))).toEqual([allIds[0], "longer than 4 MB", allIds[1]]);
	expect(ids(await read(around(`[${lines[0]},{"a":"`, `"},${lines[1]}]`)))).toEqual([allIds[0], "longer than 4 MB", allIds[1]]);
	const [header, ...rows] = toCsv(unmarkedNotices.slice(0, 1), ";").split("\n");
	const csv = ids(await read(around(`${header}\n${rows.join("\n")}"`, `\n${rows.join("\n")}`)));
	expect(csv.filter((id) => id === allIds[0])).toHaveLength(2);
	expect(csv.filter((id) => id !== allIds[0])).toContain("longer than 4 MB");
});

test("loses one line to a quote that is not closed", async () => {
	const [header, ...rows] = toCsv(
		unmarkedNotices.filter(({ tribunal }) => !String(tribunal).includes("\n")),
		";",
	)
		.trimEnd()
		.split("\n");
	rows.splice(2, 0, rows[0]?.replace("creation", '"creation') ?? "", "too;few;cells");
	const records = await read([header, ...rows].join("\n"));
	expect(records.filter(({ value }) => value === null).map(({ line }) => line)).toEqual([4, 5]);
	expect(records.filter(({ value }) => value !== null)).toHaveLength(rows.length - 2);
});

test.each<[what: string, content: string | Buffer, reason: string]>([
	["an empty file", "", "it is empty"],
	["blanks", "\n \n", "it is empty"],
	["an empty compressed file", gzipSync(""), "it is empty"],
	["a web page", "<!doctype html><html></html>", "it is a web page"],
	["a compressed web page", gzipSync("  \n<html></html>"), "it is a web page"],
	["CSV of another data set", "siren;nom\n552032534;DANONE\n", "it has no column id, dateparution, familleavis"],
	["a text", "Bonjour", "it has no column id"],
	["a text with a quote that is not closed", '"Bonjour', "it has no column id"],
	...["id", "dateparution", "familleavis", "registre", "listepersonnes"].map((column): [string, string, string] => [
		`CSV without ${column}`,
		toCsv(unmarkedNotices, ";").replace(column, "x"),
		`it has no column ${column}.`,
	]),
	["a cut line", toJsonLines(unmarkedNotices).slice(0, -100), "it was cut short: it ends within line 25"],
	["a cut list", JSON.stringify(unmarkedNotices).slice(0, -1), "it was cut short"],
	["a list cut within an entry", JSON.stringify(unmarkedNotices).slice(0, -500), "it was cut short"],
	["cut CSV", toCsv(unmarkedNotices, ";").slice(0, -200), "it was cut short"],
	["a cut compressed file", gzipSync(toJsonLines(unmarkedNotices)).subarray(0, -20), "it was cut short: the compressed data do not end"],
	["a damaged compressed file", damage(gzipSync(toJsonLines(unmarkedNotices))), "cannot be imported"],
])("refuses %s", async (_, content, reason) => {
	await expect(read(content)).rejects.toThrow(reason);
	await expect(read(content)).rejects.toThrow(/^export\.data cannot be imported: [^\n]+$/);
});

function damage(bytes: Buffer): Buffer {
	bytes.fill(0, bytes.length - 8);
	return bytes;
}

test("refuses a missing file, and a folder", () => {
	expect(() => openExport(join(folder, "missing"))).toThrow("missing cannot be imported: there is no such file");
	expect(() => openExport(folder)).toThrow("there is no such file");
});
