import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hasRemembered, rememberedKey } from "./draft.ts";
import { readOrderValues } from "./read-order-values.ts";
import { deleteRemembered, loadRemembered, saveRemembered } from "./remembered.ts";

// Details that a browser remembers, in cases that are rare there. e2e/order-form/remembered.spec.ts has the usual ones.

const stored = new Map<string, string>();
const refusing = () => {
	throw new DOMException("forbidden", "SecurityError");
};

beforeEach(() => {
	stored.clear();
	vi.stubGlobal("localStorage", {
		getItem: (key: string) => stored.get(key) ?? null,
		setItem: (key: string, text: string) => void stored.set(key, text),
		removeItem: (key: string) => void stored.delete(key),
	});
});
afterEach(() => vi.unstubAllGlobals());

const contact = { email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" };
const identity = { company: "CABINET", billingSiren: "356000000", billingVat: "", address: "1 rue A", postalCode: "75001", city: "Paris" };

test("contact and identity are stored, and nothing else of the form", () => {
	expect([hasRemembered(), loadRemembered()]).toEqual([false, null]);
	saveRemembered({ ...readOrderValues(new FormData()), ...contact, ...identity, siren: "552032534", deliveryName: "x", acceptTerms: "on" });
	expect([hasRemembered(), loadRemembered()]).toEqual([true, { contact, identity }]);
	expect(stored.get(rememberedKey)).not.toMatch(/552032534|deliveryName|acceptTerms|billingVat/);
	deleteRemembered();
	expect([hasRemembered(), stored.size]).toEqual([false, 0]);
});

test.each<[string, object, object | null]>([
	["a contact without an invoice", contact, { contact, identity: null }],
	[
		"an invoice to a person",
		{ ...contact, address: "1 rue A", postalCode: "75001", city: "Paris" },
		{ identity: { company: "", city: "Paris" } },
	],
	["an invoice without a city", { ...contact, address: "1 rue A", postalCode: "75001" }, { identity: null }],
	["other fields", { siren: "552032534", phone: 12 }, null],
	["nothing", {}, null],
])("%s is read as it was stored", (_, details, expected) => {
	stored.set(rememberedKey, JSON.stringify(details));
	if (expected === null) expect(loadRemembered()).toBeNull();
	else expect(loadRemembered()).toMatchObject(expected);
});

test.each(["{", "null", "12", '"text"'])("unreadable details are ignored: %s", (text) => {
	stored.set(rememberedKey, text);
	expect(loadRemembered()).toBeNull();
});

test("without storage nothing is remembered, and the form still works", () => {
	vi.stubGlobal("localStorage", { getItem: refusing, setItem: refusing, removeItem: refusing });
	saveRemembered({ ...readOrderValues(new FormData()), ...contact });
	deleteRemembered();
	expect([hasRemembered(), loadRemembered()]).toEqual([false, null]);
});
