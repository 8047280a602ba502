import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { progressBar } from "./progress-bar.ts";

let written: string[];
const { isTTY } = process.stderr;
beforeEach(() => {
	vi.useFakeTimers({ toFake: ["performance"] });
	written = [];
	vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
});
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	process.stderr.isTTY = isTTY;
});

describe("on a terminal", () => {
	beforeEach(() => {
		process.stderr.isTTY = true;
	});

	test("one line grows and ends at 100 %", () => {
		const draw = progressBar("Importing");
		draw(0);
		vi.advanceTimersByTime(60_000);
		draw(0.02, 0);
		draw(0.25, 1_200_000);
		vi.advanceTimersByTime(125_000);
		draw(1, 2_220_000);
		const bar = (filled: number) => `[${"█".repeat(filled)}${"·".repeat(30 - filled)}]`;
		expect(written).toEqual([
			`\rImporting ${bar(0)} 0 %  0.0 s\u001b[K`,
			`\rImporting ${bar(1)} 2 %  1 min 00 s\u001b[K`,
			`\rImporting ${bar(8)} 25 %  1 min 00 s  3 min 00 s left  1,200,000 rows, 20,000 a second\u001b[K`,
			`\rImporting ${bar(30)} 100 %  3 min 05 s  2,220,000 rows, 12,000 a second\u001b[K\n`,
		]);
	});
});

describe("elsewhere", () => {
	beforeEach(() => {
		process.stderr.isTTY = false;
	});

	test.each([
		[12_000, "Importing: done in 2.4 s, 12,000 rows, 5,000 a second\n"],
		[0, "Importing: done in 2.4 s\n"],
	])("one final line gives the duration for %i rows", (rows, line) => {
		const draw = progressBar("Importing");
		vi.advanceTimersByTime(2400);
		draw(0.5, rows / 2);
		draw(1, rows);
		expect(written).toEqual([line]);
	});
});
