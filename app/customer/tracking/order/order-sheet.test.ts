import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { OrderStatus } from "../../../orders/lifecycle.ts";
import { getOrderSheet, getSheetOfLines } from "./order-sheet.tsx";

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

test.each<[string, (readonly [OrderStatus, number, "requested"?])[], number]>([
	["unpaid", [["pending", 0]], 0],
	["not paid in time", [["failed", 0]], 0],
	["paid", [["paid", 1]], 1],
	["requested", [["processing", 1, "requested"]], 2],
	["ready", [["processing", 3, "requested"]], 3],
	["delivered", [["completed", 4]], 4],
	["failed", [["failed", 1, "requested"]], 0],
	[
		"one of two requested",
		[
			["paid", 1],
			["processing", 1, "requested"],
		],
		2,
	],
	[
		"one of two delivered",
		[
			["completed", 4],
			["paid", 1],
		],
		3,
	],
	[
		"one delivered, one failed",
		[
			["completed", 4],
			["failed", 1],
		],
		4,
	],
	[
		"both failed",
		[
			["failed", 1],
			["failed", 3],
		],
		0,
	],
])("the sheet of a purchase: %s", (_, lines, written) => {
	const sheet = getSheetOfLines(lines.map(([status, progress, requested]) => ({ status, progress, requested: requested !== undefined })));
	expect(sheet).toBe(getOrderSheet(written));
});
