import { expect, test } from "vitest";
import { listCheckpoints } from "./read-queue.server.ts";

const at = (now: string) => listCheckpoints(new Date(now)).map(({ at }) => at.toISOString());

test("the counters stop at ten, at noon and at midnight in Paris, without what has passed", () => {
	expect(at("2026-11-23T07:00:00Z")).toEqual(["2026-11-23T09:00:00.000Z", "2026-11-23T11:00:00.000Z", "2026-11-23T23:00:00.000Z"]);
	expect(at("2026-11-23T09:00:00Z")).toEqual(["2026-11-23T11:00:00.000Z", "2026-11-23T23:00:00.000Z"]);
	expect(at("2026-11-23T22:59:00Z")).toEqual(["2026-11-23T23:00:00.000Z"]);
});

test("on the day of a clock change, midnight is 23 or 25 hours away", () => {
	expect(at("2026-03-28T23:30:00Z").at(-1)).toBe("2026-03-29T22:00:00.000Z");
	expect(at("2026-10-24T22:30:00Z").at(-1)).toBe("2026-10-25T23:00:00.000Z");
});
