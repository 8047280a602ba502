import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CompanyPreview } from "../../companies/company.ts";
import { deleteDraft, deletePaidDraft, loadDraft, saveDraft } from "./draft.ts";
import type { OrderValues } from "./order-form.ts";
import { readOrderValues } from "./read-order-values.ts";

// The draft of a form, in cases that are rare in a browser: old, unreadable, without storage. e2e/order-form/draft.spec.ts has the usual ones.

const day = 86_400_000;
const stored = new Map<string, string>();
const storage = {
	getItem: (key: string) => stored.get(key) ?? null,
	setItem: (key: string, text: string) => void stored.set(key, text),
	removeItem: (key: string) => void stored.delete(key),
};
const refusing = () => {
	throw new DOMException("no room", "QuotaExceededError");
};

beforeEach(() => {
	stored.clear();
	vi.stubGlobal("localStorage", storage);
	vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-23T09:00:00Z") });
});
afterEach(() => {
	vi.unstubAllGlobals();
	vi.useRealTimers();
});

const values = (given: Partial<OrderValues>): OrderValues => ({ ...readOrderValues(new FormData()), ...given });
const company = { siren: "552032534", name: "DANONE" } as CompanyPreview;

test("a draft is saved once it has an e-mail, a first name or a last name", () => {
	for (const named of [{ email: "ada@example.fr" }, { firstName: "Ada" }, { lastName: "Lovelace" }]) {
		stored.clear();
		expect([saveDraft(values({ ...named, city: "Paris" }), company), loadDraft()]).toMatchObject([
			true,
			{ values: { ...named, city: "Paris" }, company },
		]);
	}
	stored.clear();
	saveDraft(values({ email: "ada@example.fr" }), company, "dossier 7");
	expect(loadDraft()).toMatchObject({ company, reference: "dossier 7" });
	stored.clear();
	expect([saveDraft(values({ city: "Paris", phone: "06 12 34 56 78" }), company), stored.size]).toEqual([false, 0]);
});

test("a draft has no boxes: the customer ticks them again", () => {
	const boxes = { acceptTerms: "on", waiveWithdrawal: "on", newsletter: "on" };
	saveDraft(values({ email: "ada@example.fr", ...boxes }), null);
	for (const box of Object.keys(boxes)) expect(loadDraft()?.values).not.toHaveProperty(box);
});

test("a draft of a form that chose the company ordered by itself asks who is invoiced", () => {
	const draft = { savedAt: Date.now(), values: { email: "ada@example.fr", billTo: "ordered" }, company };
	saveDraft(values({ email: "ada@example.fr" }), null);
	const [key = ""] = stored.keys();
	stored.set(key, JSON.stringify(draft));
	expect(loadDraft()?.values).toEqual({ email: "ada@example.fr" });
	stored.set(key, JSON.stringify({ ...draft, values: { ...draft.values, billTo: "other" } }));
	expect(loadDraft()?.values.billTo).toBe("other");
	saveDraft(values({ email: "ada@example.fr", billTo: "ordered" }), company);
	expect(loadDraft()?.values.billTo).toBe("ordered");
});

test("a draft is offered for 30 days, and then deleted", () => {
	saveDraft(values({ email: "ada@example.fr" }), null);
	vi.setSystemTime(Date.now() + 30 * day - 1);
	expect(loadDraft()).not.toBeNull();
	vi.setSystemTime(Date.now() + 1);
	expect([loadDraft(), stored.size]).toEqual([null, 0]);
});

describe("an unreadable draft is ignored", () => {
	test.each(["{", "null", "12", '{"savedAt":1e15}', '{"asked":true,"savedAt":1e15}', "[]"])("%s", (text) => {
		saveDraft(values({ email: "ada@example.fr" }), null);
		for (const key of stored.keys()) stored.set(key, text);
		expect([loadDraft(), stored.size]).toEqual([null, 0]);
	});
});

test("without storage there is no draft, and the form still works", () => {
	vi.stubGlobal("localStorage", { getItem: refusing, setItem: refusing, removeItem: refusing });
	expect(saveDraft(values({ email: "ada@example.fr" }), null)).toBe(false);
	expect(loadDraft()).toBeNull();
	expect(deleteDraft()).toBeUndefined();
});

test("a deleted draft is not offered again", () => {
	saveDraft(values({ email: "ada@example.fr" }), null);
	deleteDraft();
	expect([loadDraft(), stored.size]).toEqual([null, 0]);
});

test("the draft of a paid order is deleted, and one that was saved later stays", () => {
	const minute = 60_000;
	const paidAt = new Date(Date.now()).toISOString();
	saveDraft(values({ email: "ada@example.fr" }), null);
	deletePaidDraft(paidAt);
	expect(loadDraft()).toBeNull();
	vi.setSystemTime(Date.now() + 5 * minute);
	saveDraft(values({ email: "grace@example.fr" }), null);
	deletePaidDraft(paidAt);
	expect(loadDraft()?.values.email).toBe("grace@example.fr");
	deletePaidDraft(new Date(Date.parse(paidAt) + 1).toISOString());
	expect(loadDraft()).toBeNull();
	deletePaidDraft(paidAt);
});
