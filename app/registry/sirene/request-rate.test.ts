import { expect, test } from "vitest";
import { getWaitMs, maxRequestsPerMinute } from "./request-rate.ts";

test("allows thirty requests immediately, and the next one a minute after the first", () => {
	const sent = Array.from({ length: maxRequestsPerMinute }, (_, index) => index * 100);
	expect(getWaitMs([], 0)).toBe(0);
	expect(getWaitMs(sent.slice(1), 3000)).toBe(0);
	expect(getWaitMs(sent, 3000)).toBe(58_000);
	expect(getWaitMs(sent, 61_000)).toBe(0);
	expect(getWaitMs([...sent, 61_000], 61_000)).toBe(100);
});

test("allows at most thirty requests in any minute", () => {
	const sent: number[] = [];
	let now = 0;
	for (let i = 0; i < 500; i++) {
		now += (i * 7919) % 1500;
		now += getWaitMs(sent, now);
		sent.push(now);
	}
	for (const instant of sent) expect(sent.filter((other) => other >= instant && other < instant + 60_000).length).toBeLessThanOrEqual(30);
});
