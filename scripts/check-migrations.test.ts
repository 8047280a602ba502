import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { checkMigrations } from "./check-migrations.ts";

test("the migrations of this program are in order", () => {
	expect(checkMigrations()).toEqual([]);
});

const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);

/** The changelog of files, each of which holds its own name. */
const changelogOf = (names: readonly string[]) =>
	`# Changes\n\n## 1.2.3\n\n${names.map((name) => `| ${name.replace(".sql", "")} | ${hash(name)} | a table |\n`).join("")}\n## 1.2.2\n`;

const filesOf = (names: readonly string[]) => new Map(names.map((name) => [name, name]));

test.each([
	["a number twice", ["0001_a.sql", "0002_b.sql", "0002_c.sql"], "0002_c.sql should be named 0003_"],
	["a gap", ["0001_a.sql", "0003_b.sql"], "0003_b.sql should be named 0002_"],
	["a capital letter", ["0001_a.sql", "0002_B.sql"], "0002_B.sql should be named 0002_"],
	["no number of four digits", ["01_a.sql"], "01_a.sql should be named 0001_"],
])("refuses %s", (_, names, problem) => {
	expect(checkMigrations(filesOf(names), changelogOf(names), "1.2.3")).toContainEqual(expect.stringContaining(problem));
});

const names = ["0001_a.sql", "0002_b.sql"];
const changelog = changelogOf(names);

test.each<[string, Map<string, string>, string, string, string[]]>([
	["what has its rows", filesOf(names), changelog, "1.2.3", []],
	["rows in releases", filesOf(names), changelogOf(names.slice(1)) + changelogOf(names.slice(0, 1)), "1.2.3", []],
	[
		"an edited file",
		new Map([...filesOf(names), ["0002_b.sql", "edited"]]),
		changelog,
		"1.2.3",
		[
			`CHANGELOG.md lacks the row | 0002_b | ${hash("edited")} | … |: a new migration needs it, and one that landed does not change`,
			`CHANGELOG.md has the row | 0002_b | ${hash("0002_b.sql")} | without such a file in db/migrations`,
		],
	],
	[
		"a renamed file",
		new Map([
			["0001_a.sql", "0001_a.sql"],
			["0002_c.sql", "0002_b.sql"],
		]),
		changelog,
		"1.2.3",
		[
			`CHANGELOG.md lacks the row | 0002_c | ${hash("0002_b.sql")} | … |: a new migration needs it, and one that landed does not change`,
			`CHANGELOG.md has the row | 0002_b | ${hash("0002_b.sql")} | without such a file in db/migrations`,
		],
	],
	[
		"a new file",
		filesOf([...names, "0003_c.sql"]),
		changelog,
		"1.2.3",
		[`CHANGELOG.md lacks the row | 0003_c | ${hash("0003_c.sql")} | … |: a new migration needs it, and one that landed does not change`],
	],
	[
		"a lost file",
		filesOf(names.slice(0, 1)),
		changelog,
		"1.2.3",
		[`CHANGELOG.md has the row | 0002_b | ${hash("0002_b.sql")} | without such a file in db/migrations`],
	],
	[
		"another version",
		filesOf(names),
		changelog,
		"1.2.4",
		["CHANGELOG.md begins with the release 1.2.3, and package.json has the version 1.2.4"],
	],
	["no release", new Map(), "", "1.2.3", ["CHANGELOG.md begins with the release undefined, and package.json has the version 1.2.3"]],
])("of %s, names what a reader must see", (_, files, text, version, problems) => {
	expect(checkMigrations(files, text, version)).toEqual(problems);
});
