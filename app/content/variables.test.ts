import { expect, test } from "vitest";
import { parseEnvironment } from "../../server/environment/environment.ts";
import { sandboxTexts } from "../payments/sandbox/sandbox-texts.ts";
import { gatherTextVariables } from "./variables.ts";

/** What the texts of the shop say of periods, prices and limits, one a line. */
function listVariables(settings: Record<string, string>): string {
	const parsed = parseEnvironment(settings);
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	return Object.entries(gatherTextVariables(parsed.environment, sandboxTexts))
		.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
		.join("");
}

test("the facts of the texts are the agreed ones", async () => {
	await expect(listVariables({})).toMatchFileSnapshot("variables.txt");
});

test.each([
	["https://extraitpro.example", "Toutes les pages sont servies en HTTPS"],
	["http://localhost/?https://", "Cette installation répond en HTTP"],
])("a shop at %s says of its connection « %s… »", (BASE_URL, sentence) => {
	expect(listVariables({ BASE_URL })).toContain(sentence);
});
