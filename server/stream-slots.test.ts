import { expect, test } from "vitest";
import { createStreamSlots } from "./stream-slots.ts";

test("a client may have twenty streams at once, and a released slot can be reserved again", () => {
	const slots = createStreamSlots();
	const reserve = (client: string, times: number) => Array.from({ length: times }, () => slots.reserve(client));
	const reserved = reserve("ada", 20);
	expect(reserved).not.toContain(null);
	expect(slots.reserve("ada")).toBeNull();
	expect(reserve("grace", 2)).not.toContain(null);
	expect(slots.count()).toBe(22);

	for (const release of reserved.slice(0, 3)) release?.();
	expect(slots.count()).toBe(19);
	expect(reserve("ada", 4).map((release) => release === null)).toEqual([false, false, false, true]);
	expect(slots.count()).toBe(22);
});

test("a client that left has all its slots again, also after a second release", () => {
	const slots = createStreamSlots();
	const release = slots.reserve("ada");
	release?.();
	release?.();
	expect(slots.count()).toBe(0);
	expect(Array.from({ length: 21 }, () => slots.reserve("ada")).filter((slot) => slot === null)).toHaveLength(1);
});
