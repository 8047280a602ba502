import { resolve } from "node:path";

/** What is typed in place of a file's name for what is piped in. */
export const standardInput = "-";

/**
 * A file as whoever typed its name means it: from the folder where they are. npm goes to this repository's folder before it runs a
 * command, and says in INIT_CWD where it was started (docs.npmjs.com/cli/using-npm/scripts).
 */
export function resolveCommandPath(
	name: string,
	// biome-ignore lint/style/noProcessEnv: npm's own, and no setting of the shop's
	{ cwd = process.cwd(), env = process.env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
	const byNpm = env.INIT_CWD && env.npm_package_json === resolve(cwd, "package.json");
	return resolve(byNpm ? (env.INIT_CWD ?? cwd) : cwd, name);
}
