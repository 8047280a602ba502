import { spawnSync } from "node:child_process";
import { createContext, Script } from "node:vm";
import { describe, expect, test } from "vitest";
import { createHostileTexts, type FoundExpression, findExpressions } from "../../../test/hostile/expressions.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";

// No regular expression of the shop hangs on a text from outside: each reads hostile texts of a megabyte. One whose steps grow with the
// square of the text would need half a minute to hours for each; the limit only ends those.

const size = 1_000_000;
const { written, made } = findExpressions(["app", "server"]);
const recorder = spawnSync(process.execPath, ["test/hostile/record-expressions.ts"], { encoding: "utf8" });
if (recorder.status !== 0) throw new Error(recorder.stderr);
const recorded: FoundExpression[] = JSON.parse(recorder.stdout);

const sandbox = createContext({ expression: /x/, text: "" });
const replace = new Script("text.replace(expression, '')");

/** @returns the beginning of a text on which the expression hangs, read from each of its places; null when it reads all of them. */
function findHanging({ source, flags }: { source: string; flags: string }, limit = scaledTimeout(2_000)): string | null {
	for (const text of createHostileTexts(source, size)) {
		Object.assign(sandbox, { expression: new RegExp(source, flags.includes("g") ? flags : `${flags}g`), text });
		try {
			replace.runInContext(sandbox, { timeout: limit });
		} catch (error) {
			if ((error as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
			return JSON.stringify(text.slice(0, 40));
		}
	}
	return null;
}

test("expressions are found in the source", () => {
	expect(written.length).toBeGreaterThan(400);
	expect(written).toContainEqual(
		expect.objectContaining({ source: "\\r\\n?|[\\u2028\\u2029]", where: expect.stringContaining("app/ui/forms/text.ts") }),
	);
});

test("each place that makes an expression at run time has made one", () => {
	expect([...new Set(recorded.map(({ where }) => where))].sort()).toEqual([...made].sort());
});

describe("a hostile text is found for an expression that reads a text again and again", () => {
	// the limit is short: to hang for longer tells nothing more
	test.each([
		String.raw`[\w.+%'-]+@[\w-]+(\.[\w-]+)+`,
		String.raw`\s*\n\s*`,
		String.raw`\.+$`,
		String.raw`^(?<street>.+?),?\s+(?<postalCode>\d{5})\s+(?<city>\D.*)$`,
		String.raw`^\s*(?:siren|tva)\s*:?\s*(?=\d|FR)`,
		String.raw`[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)+`,
		String.raw`\bmise en activite.*\bachat`,
		"%.*$",
		"^(a+)+$",
	])("%s", (source) => {
		expect(findHanging({ source, flags: "u" }, scaledTimeout(50))).not.toBeNull();
	});
});

describe("reads each hostile text of a megabyte", () => {
	const byFolder = Map.groupBy([...written, ...recorded], ({ where }) => where.split("/").slice(0, 2).join("/"));
	test.each([...byFolder.keys()].map((folder) => ({ folder })))(
		"$folder",
		({ folder }) => {
			const hanging = (byFolder.get(folder) ?? []).flatMap((expression) => {
				const text = findHanging(expression);
				return text === null ? [] : [`${expression.where} /${expression.source}/${expression.flags} on ${text}…`];
			});
			expect(hanging).toEqual([]);
		},
		scaledTimeout(300_000),
	);
});
