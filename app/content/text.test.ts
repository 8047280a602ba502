import { expect, test } from "vitest";
import { getParagraph, getSection, type PageBlock } from "./text.ts";

const section = (...content: PageBlock[]) => ({ anchor: "prix", heading: "Prix", content });

test("a section is found by its anchor", () => {
	expect(getSection({ title: "Essai", sections: [section("Un.")] }, "prix")).toEqual(section("Un."));
	expect(() => getSection({ title: "Essai", sections: [] }, "prix")).toThrow("« Essai » has no section {#prix}");
});

test("the only paragraph of a section is found", () => {
	expect(getParagraph(section("Un."))).toBe("Un.");
});

test.each<[string, PageBlock[]]>([
	["nothing", []],
	["two paragraphs", ["Un.", "Deux."]],
	["a list", [{ list: ["un"], numbered: false }]],
	["a list after a paragraph", ["Un.", { list: ["un"], numbered: false }]],
])("a section with %s has no only paragraph", (_, content) => {
	expect(() => getParagraph(section(...content))).toThrow("« Prix » is not followed by one paragraph");
});
