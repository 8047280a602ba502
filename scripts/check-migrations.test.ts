import { expect, test } from "vitest";
import { checkMigrations } from "./check-migrations.ts";

test("the migrations of this program are in order", () => {
	expect(checkMigrations()).toEqual([]);
});

test.each([
	["a number twice", ["0001_a.sql", "0002_b.sql", "0002_c.sql"], "0002_c.sql should be named 0003_"],
	["a gap", ["0001_a.sql", "0003_b.sql"], "0003_b.sql should be named 0002_"],
	["another kind of file", ["0001_a.sql", "0002_b.ts"], "0002_b.ts should be named 0002_"],
	["no number", ["a.sql"], "a.sql should be named 0001_"],
])("refuses %s", (_, names, problem) => {
	expect(checkMigrations(names)).toEqual([expect.stringContaining(problem)]);
});
