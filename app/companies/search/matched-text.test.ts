import fc from "fast-check";
import { expect, test } from "vitest";
import { splitMatches } from "./matched-text.tsx";

/** The parts of a name, the marked ones in brackets. */
const mark = (name: string, query: string) =>
	splitMatches(name, query)
		.map(([part, isMatch]) => (isMatch ? `[${part}]` : part))
		.join("");

test.each([
	["DANONE", "dan", "[DAN]ONE"],
	["DANONE", "danone", "[DANONE]"],
	["DANONE", "danones", "DANONE"],
	["DANONE", "anone", "DANONE"],
	["DANONE", "", "DANONE"],
	["Société Générale", "societe gen", "[Société] [Gén]érale"],
	["SOCIETE GENERALE", "générale", "SOCIETE [GENERALE]"],
	["ÉCOLE DE L'AIR", "ecole l", "[ÉCOLE] DE [L]'AIR"],
	["MARTIN MARTINEZ", "mart martin", "[MARTIN] [MARTIN]EZ"],
	["GROUPE 3F", "groupe 3", "[GROUPE] [3]F"],
	["L.S. ALIMENTATION", "l s ali", "[L].[S]. [ALI]MENTATION"],
	["BEAUVAIS DIS", "carrefour beauvais", "[BEAUVAIS] DIS"],
	["A+B (C)", "b c", "A+[B] ([C])"],
	["E\u0301TOILE", "etoi", "[ÉTOI]LE"],
])("in %s, « %s » marks %s", (name, query, marked) => {
	expect(mark(name, query)).toBe(marked);
});

test("the parts are the name", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.string({ unit: "grapheme", maxLength: 20 }), (name, query) => {
			const parts = splitMatches(name, query);
			expect(parts.map(([part]) => part).join("")).toBe(name.normalize());
			expect(parts.every(([part]) => part !== "")).toBe(true);
		}),
	);
});
