// The order of migrations, as part of npm run check: two branches that each add one cannot both land under one number, and one that landed
// changes only together with its row in CHANGELOG.md, where a reader sees it.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const folder = "db/migrations";

/**
 * @param files the text of each file of db/migrations by its name.
 * @param changelog CHANGELOG.md.
 * @param version that of package.json.
 * @returns a sentence for each file whose name is not its number, from 0001 without a gap, and what it is about; for each without its row,
 * for each row without a file, and where the newest release is not this version.
 */
export function checkMigrations(
	files: ReadonlyMap<string, string> = readMigrations(),
	changelog = readFileSync("CHANGELOG.md", "utf8"),
	version: string = JSON.parse(readFileSync("package.json", "utf8")).version,
): string[] {
	const names = [...files.keys()].toSorted();
	const misnamed = names.flatMap((name, index) => {
		const number = String(index + 1).padStart(4, "0");
		return new RegExp(`^${number}_[a-z0-9_]+\\.sql$`).test(name)
			? []
			: [`${folder}/${name} should be named ${number}_<what it is about>.sql: migrations are numbered without a gap`];
	});
	const [newest] = /(?<=^## ).*/m.exec(changelog) ?? [];
	const rows = new Set<string>(changelog.match(/^\| \d{4}_\w+ \| \w+ (?=\|)/gm));
	const expected = new Set([...files].map(([name, text]) => formatRow(name, text)));
	return [
		...misnamed,
		...[...expected]
			.filter((row) => !rows.has(row))
			.map((row) => `CHANGELOG.md lacks the row ${row}| … |: a new migration needs it, and one that landed does not change`),
		...[...rows].filter((row) => !expected.has(row)).map((row) => `CHANGELOG.md has the row ${row}| without such a file in ${folder}`),
		...(newest === version ? [] : [`CHANGELOG.md begins with the release ${newest}, and package.json has the version ${version}`]),
	];
}

const formatRow = (name: string, text: string): string =>
	`| ${name.replace(/\.sql$/, "")} | ${createHash("sha256").update(text).digest("hex").slice(0, 8)} `;

const readMigrations = () => new Map(readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")]));
