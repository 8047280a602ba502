import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { getOrderSheet } from "./order-sheet.tsx";

const draw = (progress: number) => renderToStaticMarkup(createElement(getOrderSheet(progress)));
const count = (drawing: string, pattern: RegExp) => [...drawing.matchAll(pattern)].length;

test.each([
	[0, 0, 0],
	[1, 2, 2],
	[2, 4, 2],
	[3, 6, 2],
	[4, 6, 0],
])("after %i steps, the sheet has %i written lines, of which %i are new", (progress, written, added) => {
	const drawing = draw(progress);
	expect(count(drawing, /pathLength="1" class="stroke-ink/g)).toBe(written);
	expect(count(drawing, /class="stroke-ink written /g)).toBe(added);
	expect(drawing.includes('class="sealed"')).toBe(progress === 4);
});
