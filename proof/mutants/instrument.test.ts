import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { instrument } from "./instrument.ts";
import { listMutants } from "./operators.ts";

const source = 'const many = (n: number) => (n < 3 && n !== 0 ? "few" : n >= 10);\nconsole.log(many(Number(process.argv[2])));\n';
const mutants = listMutants("x.ts", source).map((mutant, index) => ({ ...mutant, file: "x.ts", id: `${index}` }));

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "instrument-"));
	writeFileSync(join(folder, "x.ts"), instrument(source, mutants));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(given: number, mutant: string): string {
	writeFileSync(join(folder, ".mutant"), mutant);
	return spawnSync(process.execPath, ["x.ts", String(given)], { cwd: folder, encoding: "utf8" }).stdout.trim();
}

describe("an instrumented file", () => {
	test("behaves like the original while no mutant is active", () => {
		expect([0, 2, 3, 10].map((given) => run(given, ""))).toEqual(["false", "few", "false", "true"]);
	});

	test.each([
		["n <= 3", 3, "few"],
		["n !== 0", 3, "few"],
		["n > 10", 10, "false"],
		["n === 0", 2, "false"],
		["false", 2, "false"],
	])("behaves like the mutant %s while it is active", (became, given, output) => {
		const mutant = mutants.find((one) => one.became === became);
		expect(mutant).toBeDefined();
		expect(run(given, mutant?.id ?? "")).toBe(output);
	});

	test("records the test that runs when the process starts", () => {
		writeFileSync(join(folder, ".mutants-seen"), "");
		writeFileSync(join(folder, ".test"), "first");
		run(2, "");
		rmSync(join(folder, ".test"));
		const seen = readFileSync(join(folder, ".mutants-seen"), "utf8").trimEnd().split("\n");
		rmSync(join(folder, ".mutants-seen"));
		expect(seen.filter((line) => !/^\d+ first$/.test(line))).toEqual([]);
	});

	test("records each mutant that it reaches once, and only on request", () => {
		run(2, "");
		expect(() => readFileSync(join(folder, ".mutants-seen"))).toThrow("ENOENT");
		writeFileSync(join(folder, ".mutants-seen"), "");
		run(2, "");
		const seen = readFileSync(join(folder, ".mutants-seen"), "utf8")
			.trimEnd()
			.split("\n")
			.map((line) => line.trimEnd());
		const ofTen = mutants.filter(({ was }) => was.startsWith("n >= 10") || was === "10").map(({ id }) => id);
		expect(seen).toEqual([...new Set(seen)]);
		expect(ofTen.filter((id) => seen.includes(id))).toEqual([]);
		expect(seen.length).toBeGreaterThan(0);
	});

	test("grows linearly with the depth of nested mutants", () => {
		const deep = `x = ${"a && (".repeat(30)}b${")".repeat(30)};`;
		const inside = listMutants("x.ts", deep).map((mutant, index) => ({ ...mutant, file: "x.ts", id: `${index}` }));
		expect(inside.length).toBe(60);
		expect(instrument(deep, inside).length).toBeLessThan(deep.length * 60);
	});
});
