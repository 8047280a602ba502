import { describe, expect, test } from "vitest";
import { listStaleRecipientFacts, recipientFacts } from "./recipient-facts.ts";
import { recipientKinds } from "./recipient-kinds.ts";

// What recipients of extracts publish about the documents that they take (docs/rules.md, R239).

const advice = "open the source of each, correct the line or delete it, and set its day in app/content/recipients/recipient-facts.ts";

test("each was compared with its source in the last twelve months", () => {
	expect(listStaleRecipientFacts(new Date()), advice).toEqual([]);
});

test.each([
	["2026-11-29T22:59:59Z", undefined, true],
	["2026-11-30T00:00:00Z", undefined, false],
	["2027-11-29T23:59:59Z", undefined, false],
	["2027-11-30T00:00:00Z", undefined, true],
	["2027-10-29T23:59:59Z", 11, false],
	["2027-10-30T00:00:00Z", 11, true],
])("a line checked on 30 November 2026, at %s, with the months %s: to be checked again is %s", (now, months, stale) => {
	const checked = recipientFacts.filter(({ checkedOn }) => checkedOn === "2026-11-30");
	expect(checked.length).toBeGreaterThan(0);
	for (const fact of checked) expect(listStaleRecipientFacts(new Date(now), months).includes(fact)).toBe(stale);
});

test.each(recipientKinds)("%s has at least three recipients, each once", (kind) => {
	const recipients = recipientFacts.filter((fact) => fact.kind === kind).map(({ recipient }) => recipient);
	expect(recipients.length).toBeGreaterThanOrEqual(3);
	expect(new Set(recipients).size).toBe(recipients.length);
});

describe.each(recipientFacts.map((fact) => [fact.recipient, fact] as const))("%s", (_, { asks, age, form, source, checkedOn }) => {
	test("has a source that can be opened, and a day", () => {
		const url = new URL(source.url);
		expect(url.protocol).toBe("https:");
		expect(url.href).toBe(source.url);
		expect(url.username + url.hash).toBe("");
		expect(source.publisher).toMatch(/^\S.*\S$/);
		expect(checkedOn).toMatch(/^\d{4}-\d\d-\d\d$/);
	});

	test("says facts that a page can put into a sentence", () => {
		for (const text of [asks, ...(form === null ? [] : [form])]) expect(text).toMatch(/^[A-ZÀ-Ý0-9][^.!?\n]*[^.!?\s]$/);
		if (typeof age === "number") expect([1, 3, 6, 12]).toContain(age);
	});
});
