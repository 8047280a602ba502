// The order of migrations, as part of npm run check: two branches that each add one cannot both land under one number.
import { readdirSync } from "node:fs";

/** @returns a sentence for each file of db/migrations whose name is not its number, from 0001 without a gap, and what it is about. */
export function checkMigrations(names: readonly string[] = readdirSync("db/migrations")): string[] {
	return names.toSorted().flatMap((name, index) => {
		const number = String(index + 1).padStart(4, "0");
		return new RegExp(`^${number}_[a-z0-9_]+\\.sql$`).test(name)
			? []
			: [`db/migrations/${name} should be named ${number}_<what it is about>.sql: migrations are numbered without a gap`];
	});
}
