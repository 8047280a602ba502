import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, expect, test } from "vitest";
import { parseEnvironment } from "./environment.ts";

const example = readFileSync(".env.example", "utf8");
/** A filled-in copy: the texts hold every character that is special to a shell. */
const filledIn = example.replaceAll("=''", "='L’Exemple & Cie <a@b.fr> ?x=$1;`y`#\"z\" \\ 5 %'");

const folder = mkdtempSync(join(tmpdir(), "extrait-pro-env-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the variables that `set -a; . ./.env` exports. */
function sourceBySh(text: string): Record<string, string> {
	writeFileSync(join(folder, ".env"), text);
	const program = "process.stdout.write(JSON.stringify(process.env))";
	const line = `set -eu; set -a; . ./.env; exec "$0" -e '${program}'`;
	const { stdout, stderr, status } = spawnSync("/bin/sh", ["-c", line, process.execPath], { cwd: folder, env: {}, encoding: "utf8" });
	expect(stderr).toBe("");
	expect(status).toBe(0);
	const { PWD: _, OLDPWD: __, SHLVL: ___, ...sourced } = JSON.parse(stdout);
	return sourced;
}

test.each([
	["unchanged", example],
	["filled in", filledIn],
])("sh and node --env-file read the file in the same way: %s", (_, text) => {
	const sourced = sourceBySh(text);
	expect(sourced).toEqual(parseEnv(text));
	expect(Object.keys(sourced)).toHaveLength(text.match(/^\w+=/gm)?.length ?? 0);
	if (text === filledIn) expect(sourced.SHOP_ADDRESS).toBe('L’Exemple & Cie <a@b.fr> ?x=$1;`y`#"z" \\ 5 %');
});

test("the file sets the defaults", () => {
	const { environment } = parseEnvironment(parseEnv(example) as Record<string, string>) as { environment: object };
	expect({ environment }).toEqual({ environment: (parseEnvironment({}) as { environment: object }).environment });
});
