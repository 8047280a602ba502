import { expect, test } from "vitest";
import { checkModuleState } from "./check-module-state.ts";

const check = (text: string, path = "app/orders/a.ts") => checkModuleState([{ path, text }]);

test.each([
	["a variable", "let last: string | undefined; export const next = () => (last = 'a');"],
	["a map that is filled later", "const known = new Map(); export const note = (key) => known.set(key, 1);"],
	["an exported list", "export const all = []; export function add(one) { all.push(one); }"],
	["a member that is assigned", "const state = { at: 0 }; export const pass = () => { state.at = 1; };"],
	["a member that is counted up", "const state = { times: { all: 0 } }; export const count = () => state.times.all++;"],
	["a member that is deleted", "const state = { at: 0 }; export const end = () => { delete state.at; };"],
	["Object.assign", "const state = {}; export const change = (to) => Object.assign(state, to);"],
])("reports %s", (_, text) => {
	expect(check(text)).toHaveLength(1);
});

test.each([
	["a constant", 'const known = new Map([["a", 1]]); export const find = (key) => known.get(key);'],
	["a local variable", "export function cache() { const known = new Map(); return (key) => known.set(key, 1); }"],
	["a parameter", "export const add = (all, one) => all.push(one);"],
	["a copy that is sorted", "const all = [2, 1]; export const sorted = () => [...all].sort();"],
])("accepts %s", (_, text) => {
	expect(check(text)).toEqual([]);
});

test("accepts module state in tests and tools", () => {
	expect(check("let shop;", "app/orders/a.test.ts")).toEqual([]);
	expect(check("let shop;", "test/shop.ts")).toEqual([]);
});
