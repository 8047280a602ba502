import { expect, test } from "vitest";
import { listMutants } from "./operators.ts";

/** The kind of each mutant, and the whole changed line. */
const applyMutants = (line: string) =>
	listMutants("x.ts", line).map(({ kind, start, end, became }) => [kind, line.slice(0, start) + became + line.slice(end)]);

const table: [code: string, ...[kind: string, became: string][]][] = [
	["a = b < c;", ["boundary", "a = b <= c;"]],
	["a = b === c;", ["wrong condition", "a = b !== c;"]],
	["a = b < 32;", ["boundary", "a = b <= 32;"], ["boundary", "a = b < 32 + 1;"]],
	["a = b - c;", ["wrong sign", "a = b + c;"]],
	["a = b + `c`;"],
	["a = b && c;", ["dropped condition", "a = b;"], ["dropped condition", "a = c;"]],
	["a = b ?? c;", ["dropped default", "a = b;"]],
	["a = !b;", ["wrong condition", "a = b;"]],
	["a = b ? c : d;", ["wrong condition", "a = true ? c : d;"], ["wrong condition", "a = false ? c : d;"]],
	["if (a) b = c;", ["dropped guard", "if (false) b = c;"]],
	["await a(b);", ["dropped statement", "undefined;"]],
	['a = import.meta.glob("./*.md", { eager: true });'],
	["a = true;", ["wrong value", "a = false;"]],
	['a = b.where(c).first("d");', ["dropped where", 'a = b.first("d");']],
	['a = b("d", "<=", c);', ["wrong condition", 'a = b("d", "<", c);']],
	["a = b.at(-1);", ["wrong index", "a = b.at(0);"]],
	["a = b.some(c);", ["wrong method", "a = b.every(c);"]],
	["a = Math.min(b, c);", ["wrong method", "a = Math.max(b, c);"]],
	["a = b.toZonedDateTimeISO(c);", ["wrong time zone", 'a = b.toZonedDateTimeISO("UTC");']],
	['a = ["b", "c"];', ["dropped element", 'a = ["c"];'], ["dropped element", 'a = ["b"];']],
	[
		'a = { one: { from: ["b"] }, two: { from: ["c"] } };',
		["dropped element", 'a = { one: { from: [] }, two: { from: ["c"] } };'],
		["added element", 'a = { one: { from: ["b", "c"] }, two: { from: ["c"] } };'],
		["dropped element", 'a = { one: { from: ["b"] }, two: { from: [] } };'],
		["added element", 'a = { one: { from: ["b"] }, two: { from: ["c", "b"] } };'],
	],
	[
		'import { a } from "b"; c = a.d; e = a.f;',
		["wrong member", 'import { a } from "b"; c = a.f; e = a.f;'],
		["wrong member", 'import { a } from "b"; c = a.d; e = a.d;'],
	],
	["a({ b, c });", ["dropped statement", "undefined;"], ["dropped property", "a({ c });"], ["dropped property", "a({ b });"]],
	["a = sql`select 1 for update skip locked`;", ["dropped lock", "a = sql`select 1`;"]],
	[
		"a = sql`select 1 from b where c is null and d <= 2 order by e desc limit 3`;",
		["dropped condition", "a = sql`select 1 from b where c is null order by e desc limit 3`;"],
		["boundary", "a = sql`select 1 from b where c is null and d < 2 order by e desc limit 3`;"],
		["wrong condition", "a = sql`select 1 from b where c is not null and d <= 2 order by e desc limit 3`;"],
		["wrong order", "a = sql`select 1 from b where c is null and d <= 2 order by e asc limit 3`;"],
		["dropped limit", "a = sql`select 1 from b where c is null and d <= 2 order by e desc`;"],
	],
	["log.info(a);"],
	["a = b?.where(c).limit(d);"],
	['const a: "=" = b;'],
	['import a from "=";'],
];

test.each(table)("%s", (code, ...mutants) => {
	expect(applyMutants(code)).toEqual(mutants);
});
