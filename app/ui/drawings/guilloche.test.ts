import { expect, test } from "vitest";
import { createGuillochePath } from "./guilloche-path.ts";

test("a guilloche is two braids of waves of the asked length, the same each time", () => {
	const path = createGuillochePath({ periods: 3, period: 48, height: 24, lines: 4 });
	expect(path).toBe(createGuillochePath({ periods: 3, period: 48, height: 24, lines: 4 }));
	expect(path.match(/M-?\d+/g)).toEqual(["M0", "M0", "M0", "M0", "M-12", "M-12", "M-12", "M-12"]);
	expect(path.match(/t24 0/g)).toHaveLength(8 * 5);
});
