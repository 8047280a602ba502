import { expect, test } from "vitest";
import { findWrongRows, listLeft, listTests } from "./tiers.ts";

test("each row names a test file once, and each browser test has a row", () => {
	expect(findWrongRows()).toEqual([]);
});

test("each file is in one tier", () => {
	const [first, rest, both] = [listTests(["first"], []), listTests(["rest"], []), listTests(["first", "rest"], [])];
	for (const kind of ["units", "browser"] as const) {
		expect(first[kind].length * rest[kind].length).toBeGreaterThan(0);
		expect([...first[kind], ...rest[kind]].sort()).toEqual(both[kind]);
	}
});

test("a word chooses unit tests by their path, and journeys also by what they walk through", () => {
	expect(listTests(["first"], ["app/customer/sharing/sharing."])).toEqual({ units: ["app/customer/sharing/sharing.test.ts"], browser: [] });
	const chosen = listTests(["first"], ["sharing", "shop-settings"]);
	expect(chosen.units).toContain("app/catalogue/settings/shop-settings.test.ts");
	expect(chosen.browser).toEqual(["e2e/desk/close-the-shop.spec.ts", "e2e/sharing/sharing.spec.ts"]);
	expect(listTests(["first"], ["histories"])).toEqual({ units: [], browser: [] });
	expect(listTests(["first"], []).units).not.toContain("app/web/hostile-texts.test.ts");
	expect(listTests(["first"], ["hostile-texts"]).units).toEqual(["app/web/hostile-texts.test.ts"]);
	expect(listLeft(["hostile-texts"])).toEqual(
		listLeft([]).filter((what) => !/hostile|imports|terminal|crawlers|mutants|newsletter|tables|schemas|served/.test(what)),
	);
	expect(listTests(["rest"], ["histories"]).units).toEqual(["app/books/histories.test.ts", "app/payments/histories.test.ts"]);
});
