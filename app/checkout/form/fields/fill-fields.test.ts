import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { correctTyped } from "../email-correction.ts";
import { fillFields } from "./fill-fields.ts";

// What the script writes into a form, with the little that it reads of one. e2e/order-form has whole forms.

class Input {
	value: string;
	folded: { open: boolean } | null;
	checked = false;
	constructor({ value = "", folded = null }: { value?: string; folded?: { open: boolean } | null } = {}) {
		this.value = value;
		this.folded = folded;
	}
	closest = (selector: string) => (selector === "details" ? this.folded : null);
}

/** Radio buttons, by their values. */
class Radios {
	radios: Input[];
	constructor(values: readonly string[], chosen: string | undefined) {
		this.radios = values.map((value) => Object.assign(new Input({ value }), { checked: value === chosen }));
	}
	set value(text: string) {
		for (const radio of this.radios) radio.checked = radio.value === text;
	}
	get value() {
		return this.radios.find(({ checked }) => checked)?.value ?? "";
	}
}

beforeEach(() => {
	vi.stubGlobal("HTMLInputElement", Input);
	vi.stubGlobal("RadioNodeList", Radios);
});
afterEach(() => vi.unstubAllGlobals());

const toForm = (fields: Record<string, object>) =>
	({ elements: { namedItem: (name: string) => fields[name] ?? null } }) as unknown as HTMLFormElement;

test("fields are filled in, and those that a form does not have, or that are no text, are left out", () => {
	const fields = { firstName: new Input({ value: "Ada" }), city: new Input(), country: { value: "FR" } };
	expect(fillFields(toForm(fields), { firstName: "Grace", city: "", country: "DE", phone: "06" })).toEqual(["firstName", "city"]);
	expect([fields.firstName.value, fields.city.value, fields.country.value]).toEqual(["Grace", "", "FR"]);
});

test("what was typed stays where it is asked for", () => {
	const fields = { firstName: new Input({ value: "Ada" }), city: new Input() };
	expect(fillFields(toForm(fields), { firstName: "Grace", city: "Paris" }, { keepTyped: true })).toEqual(["city"]);
	expect([fields.firstName.value, fields.city.value]).toEqual(["Ada", "Paris"]);
});

test("a folded part is opened by a text, and by an empty one it stays as it is", () => {
	const [closed, opened] = [{ open: false }, { open: false }];
	fillFields(toForm({ company: new Input({ folded: closed }), phone: new Input({ folded: opened }) }), { company: "", phone: "06" });
	expect([closed.open, opened.open]).toEqual([false, true]);
});

test("a radio button is chosen, whatever was chosen before", () => {
	for (const chosen of [undefined, "express"]) {
		const service = new Radios(["standard", "express", "postal"], chosen);
		expect(fillFields(toForm({ service }), { service: "postal" })).toEqual(["service"]);
		expect(service.value).toBe("postal");
	}
});

test("« Oui, corriger » writes what was meant into its field alone, and no other button does", () => {
	const press = (attributes: Record<string, string> | null) => {
		const fields = { email: new Input({ value: "ada@gmial.com" }), deliveryEmail: new Input({ value: "grace@hotmial.fr" }) };
		const button = attributes && ({ getAttribute: (name: string) => attributes[name] ?? null } as HTMLElement);
		correctTyped(toForm(fields), button, { email: "ada@gmail.com" });
		return [fields.email.value, fields.deliveryEmail.value];
	};
	const unchanged = ["ada@gmial.com", "grace@hotmial.fr"];
	expect(press({ name: "correct", value: "email" })).toEqual(["ada@gmail.com", "grace@hotmial.fr"]);
	expect(press({ name: "correct", value: "deliveryEmail" })).toEqual(unchanged);
	expect(press({ name: "intent", value: "email" })).toEqual(unchanged);
	expect(press(null)).toEqual(unchanged);
});
