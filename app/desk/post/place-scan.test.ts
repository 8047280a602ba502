import { expect, test } from "vitest";
import { placeScan } from "./place-scan.ts";
import { fieldName } from "./typed-numbers.ts";

const letters = [
	{ id: "a", number: "KB-2222-3333" },
	{ id: "b", number: "KB-4444-5555" },
];

/** A form with two fields, and which one has the focus. */
function createForm() {
	const focused = { activeElement: null as unknown };
	Object.assign(globalThis, { document: focused });
	const fields = new Map(
		letters.map(({ id }) => {
			const field = {
				value: "",
				focus() {
					focused.activeElement = field;
				},
				dispatchEvent: () => true,
			};
			return [fieldName(id), field];
		}),
	);
	const form = { elements: { namedItem: (name: string) => fields.get(name) ?? null } } as unknown as HTMLFormElement;
	return { scan: (text: string) => placeScan(form, letters, text), values: () => [...fields.values()].map(({ value }) => value) };
}

test("a sheet's code chooses the letter, and the next tracking number goes there", () => {
	const { scan, values } = createForm();
	expect(scan("KB-4444-5555")).toContain("KB-4444-5555");
	expect(scan("1A23456789012")).toContain("KB-4444-5555");
	expect(values()).toEqual(["", "1A23456789012"]);
	expect(scan("1A99999999999")).toContain("KB-2222-3333");
	expect(values()).toEqual(["1A99999999999", "1A23456789012"]);
	expect(scan("1A88888888888")).toContain("Tous");
});

test("the same number is not placed twice, and an unknown letter is named", () => {
	const { scan, values } = createForm();
	scan("1A23456789012");
	expect(scan("1A23456789012")).toContain("déjà");
	expect(scan("KB-9999-9999")).toContain("KB-9999-9999");
	expect(values()).toEqual(["1A23456789012", ""]);
});
