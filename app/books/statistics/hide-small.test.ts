import { expect, test } from "vitest";
import { type Count, formatPublishedCount, publishCount, publishSum, smallestGroup } from "./hide-small.ts";

test.each([
	[0, "few"],
	[19, "few"],
	[20, 20],
	[1240, 1240],
] as const)("a count of %i is published as %s", (count, published) => {
	expect(publishCount(count)).toBe(published);
});

test.each<[string, number[], Count]>([
	["of published counts", [1000, 220, 20], 1240],
	["below the limit", [6, 6, 7], "few"],
	["with one hidden count", [1000, 220, 19], "withheld"],
	["with one hidden count that is zero", [20, 0], "withheld"],
	["with a small hidden group", [1000, 9, 10], "withheld"],
	["with an empty hidden group", [20, 0, 0], "withheld"],
	["with a large hidden group", [1000, 10, 10], 1020],
	["of hidden counts", [10, 9, 1], 20],
	["of hidden counts at their limit", [19, 19, 19], "withheld"],
	["of hidden counts of which one may be at its limit", [18, 18, 18], 54],
	["of nothing", [], "few"],
])("a sum %s", (_, counts, published) => {
	expect(publishSum(counts)).toBe(published);
});

test("no hidden count follows from the sum, from the published counts and from this rule", () => {
	const limit = smallestGroup + 3;
	/** What a reader sees, and the counts that are possible behind it. */
	const possible = new Map<string, Set<number>[]>();
	for (let tried = 0; tried < limit ** 3; tried++) {
		const counts = [tried % limit, Math.floor(tried / limit) % limit, Math.floor(tried / limit ** 2)];
		const seen = JSON.stringify([counts.map(publishCount), publishSum(counts)]);
		const sets = possible.get(seen) ?? counts.map(() => new Set<number>());
		counts.forEach((count, index) => void sets[index]?.add(count));
		possible.set(seen, sets);
	}
	for (const [seen, sets] of possible)
		for (const set of sets) if ([...set].some((count) => count < smallestGroup)) expect(set.size, seen).toBeGreaterThan(1);
});

test("counts are written as French writes them", () => {
	expect((["few", "withheld", 1240] as const).map(formatPublishedCount)).toEqual(["moins de 20", "non publié", "1\u00a0240"]);
});
