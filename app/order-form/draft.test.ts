import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CompanyPreview } from "../companies/company.ts";
import { discardDraft, loadDraft, saveDraft } from "./draft.ts";
import { type OrderValues, readOrderValues } from "./order-form.ts";

// The draft of a form, as e2e/draft.spec.ts sees it in a browser; here what a browser seldom does: a draft of long ago, no storage, a full one.

const day = 86_400_000;
const kept = new Map<string, string>();
const storage = {
	getItem: (key: string) => kept.get(key) ?? null,
	setItem: (key: string, text: string) => void kept.set(key, text),
	removeItem: (key: string) => void kept.delete(key),
};
const refusing = () => {
	throw new DOMException("no room", "QuotaExceededError");
};

beforeEach(() => {
	kept.clear();
	vi.stubGlobal("localStorage", storage);
	vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-23T09:00:00Z") });
});
afterEach(() => {
	vi.unstubAllGlobals();
	vi.useRealTimers();
});

const values = (given: Partial<OrderValues>): OrderValues => ({ ...readOrderValues(new FormData()), ...given });
const company = { siren: "552032534", name: "DANONE" } as CompanyPreview;

test("it is kept once somebody is named in it: by e-mail, first or last name", () => {
	for (const named of [{ email: "ada@example.fr" }, { firstName: "Ada" }, { lastName: "Lovelace" }]) {
		kept.clear();
		expect([saveDraft(values({ ...named, city: "Paris" }), company), loadDraft()]).toMatchObject([
			true,
			{ values: { ...named, city: "Paris" }, company },
		]);
	}
	kept.clear();
	expect([saveDraft(values({ city: "Paris", phone: "06 12 34 56 78" }), company), kept.size]).toEqual([false, 0]);
});

test("no box is part of it: each is ticked anew", () => {
	const boxes = { acceptTerms: "on", waiveWithdrawal: "on", newsletter: "on" };
	saveDraft(values({ email: "ada@example.fr", ...boxes }), null);
	for (const box of Object.keys(boxes)) expect(loadDraft()?.values).not.toHaveProperty(box);
});

test("it is offered for 30 days, and then deleted", () => {
	saveDraft(values({ email: "ada@example.fr" }), null);
	vi.setSystemTime(Date.now() + 30 * day - 1);
	expect(loadDraft()).not.toBeNull();
	vi.setSystemTime(Date.now() + 1);
	expect([loadDraft(), kept.size]).toEqual([null, 0]);
});

describe("what cannot be read is no draft", () => {
	test.each(["{", "null", "12", '{"savedAt":1e15}', "[]"])("%s", (text) => {
		saveDraft(values({ email: "ada@example.fr" }), null);
		for (const key of kept.keys()) kept.set(key, text);
		expect([loadDraft(), kept.size]).toEqual([null, 0]);
	});
});

test("a browser that keeps nothing costs the draft, not the order", () => {
	vi.stubGlobal("localStorage", { getItem: refusing, setItem: refusing, removeItem: refusing });
	expect(saveDraft(values({ email: "ada@example.fr" }), null)).toBe(false);
	expect(loadDraft()).toBeNull();
	expect(discardDraft()).toBeUndefined();
});

test("it goes when it is discarded", () => {
	saveDraft(values({ email: "ada@example.fr" }), null);
	discardDraft();
	expect([loadDraft(), kept.size]).toEqual([null, 0]);
});
