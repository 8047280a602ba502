import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { placeRubrics } from "./annotated-kbis.tsx";
import { rubrics } from "./rubrics.ts";
import { isPart } from "./text.ts";
import { getText } from "./texts.ts";

test("the guide explains each rubric of the drawn extract, in its order", () => {
	const part = getText("/guide-kbis")
		.introduction.filter(isPart)
		.find(({ part }) => part === "kbis");
	const words = (heading: unknown) =>
		String(heading)
			.toLowerCase()
			.split(/[ ,’]+/);
	expect(part?.table?.rows).toHaveLength(rubrics.length);
	for (const [index, rubric] of rubrics.slice(1).entries()) {
		const name = words(part?.table?.rows[index + 1]?.[0]);
		expect(words(rubric.heading.join(" ")).filter((word) => word.length > 2 && name.includes(word))).not.toEqual([]);
	}
});

test("the style sheet marks each rubric of the drawn extract", () => {
	const styles = readFileSync("app/content/reading-pages.css", "utf8");
	for (const { anchor } of rubrics) expect(styles).toContain(`#${anchor}:is(:target, :hover)) .${anchor}`);
});

test("the rubrics stand below each other on the sheet", () => {
	const { placed, height } = placeRubrics();
	for (const [index, { top, bottom }] of placed.entries()) {
		expect(bottom).toBeGreaterThan(top);
		expect(bottom).toBeLessThan(placed[index + 1]?.top ?? height);
	}
});
