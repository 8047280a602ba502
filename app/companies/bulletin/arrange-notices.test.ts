import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { arrangeNotices } from "./arrange-notices.ts";
import type { BulletinNotice } from "./notice.ts";

const today = Temporal.PlainDate.from("2026-11-25");

const notice = (publishedOn: string, more: Partial<BulletinNotice> = {}): BulletinNotice => ({
	id: `B${publishedOn}`,
	publishedOn,
	family: "modification",
	correction: null,
	court: null,
	kind: null,
	eventOn: null,
	url: "https://www.bodacc.fr/",
	...more,
});

/** Notices of consecutive days, the newest first. */
const many = (count: number) =>
	Array.from({ length: count }, (_, days) => notice(Temporal.PlainDate.from("2026-11-20").subtract({ days }).toString()));

const days = (notices: readonly BulletinNotice[]) => notices.map(({ publishedOn }) => publishedOn);

describe("insolvency", () => {
	const changed = notice("2026-11-20");
	const cases = [
		["younger than ten years comes first", notice("2016-11-26", { family: "collective" }), true],
		["of ten years stands by its date", notice("2016-11-25", { family: "collective" }), false],
		["conciliation is none", notice("2026-01-01", { family: "conciliation" }), false],
		[
			"a cancelling notice is none",
			notice("2026-01-01", { family: "collective", correction: { cancels: true, publishedOn: null } }),
			false,
		],
		["a corrected one is", notice("2026-01-01", { family: "collective", correction: { cancels: false, publishedOn: null } }), true],
	] as const;
	test.each(cases)("%s", (_case, other, isFirst) => {
		expect(arrangeNotices([changed, other], 2, today).first).toEqual(isFirst ? [other, changed] : [changed, other]);
	});
});

test.each([
	[0, 0, 0],
	[5, 5, 0],
	[6, 5, 1],
	[50, 5, 45],
	[51, 5, 45],
	[312, 5, 45],
])("of %i notices, %i are shown and %i folded", (total, first, folded) => {
	const arranged = arrangeNotices(many(total), total, today);
	expect([arranged.total, arranged.first.length, arranged.folded.length]).toEqual([total, first, folded]);
	expect(days([...arranged.first, ...arranged.folded])).toEqual(days(many(total).slice(0, 50)));
});

test("an insolvency notice that is not among the newest is shown beside them", () => {
	const insolvency = notice("2020-01-01", { family: "collective" });
	const arranged = arrangeNotices([...many(50), insolvency], 313, today);
	expect(days(arranged.first)).toEqual(["2020-01-01", ...days(many(4))]);
	expect(arranged).toMatchObject({ total: 313, olderInsolvency: 1 });
	expect(arranged.folded).toHaveLength(46);
});

test("a company with very many insolvency notices has a page of bounded length", () => {
	const insolvency = many(300).map((made) => ({ ...made, family: "collective" as const }));
	const { first, folded } = arrangeNotices(insolvency, 300, today);
	expect(first.length + folded.length).toBe(50);
});
