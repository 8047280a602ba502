import { resolve } from "node:path";

/** The file name that means standard input. */
export const standardInput = "-";

/**
 * Resolves a typed file name from the folder where the user is. npm changes to this repository's folder before it runs a command
 * and gives the user's folder in INIT_CWD (docs.npmjs.com/cli/using-npm/scripts).
 */
export function resolveCommandPath(
	name: string,
	// biome-ignore lint/style/noProcessEnv: npm sets these variables; they are no settings of the shop
	{ cwd = process.cwd(), env = process.env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
	const byNpm = env.INIT_CWD && env.npm_package_json === resolve(cwd, "package.json");
	return resolve(byNpm ? (env.INIT_CWD ?? cwd) : cwd, name);
}
