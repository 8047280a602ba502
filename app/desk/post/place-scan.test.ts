import { expect, test } from "vitest";
import { fieldName, placeScan } from "./typed-numbers.ts";

const letters = [
	{ id: "a", number: "KB-2222-3333", sheetNumber: "L-6666-7777" },
	{ id: "b", number: "KB-4444-5555", sheetNumber: "KB-4444-5555" },
];

/** A form with two fields, and which one has the focus. */
function createForm() {
	const events: string[] = [];
	const focused = { activeElement: null as unknown };
	Object.assign(globalThis, { document: focused });
	const fields = new Map(
		letters.map(({ id }) => {
			const field = {
				value: "",
				focus() {
					focused.activeElement = field;
				},
				dispatchEvent: ({ type, bubbles }: Event) => events.push(`${type} ${bubbles}`),
			};
			return [fieldName(id), field];
		}),
	);
	const form = { elements: { namedItem: (name: string) => fields.get(name) ?? null } } as unknown as HTMLFormElement;
	return { scan: (text: string) => placeScan(form, letters, text), values: () => [...fields.values()].map(({ value }) => value), events };
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

test("the sheet to somebody else has the number of the letter, which chooses it too", () => {
	const { scan, values } = createForm();
	scan("KB-4444-5555");
	expect(scan("l-6666-7777")).toBe("Courrier L-6666-7777\u00a0: lisez maintenant son numéro de suivi.");
	scan("1A23456789012");
	expect(values()).toEqual(["1A23456789012", ""]);
	expect(scan("L-7777-6666")).toBe("Aucun courrier à poster n’a le numéro L-7777-6666.");
	// hyphens of a tracking number make no number of a letter
	expect(scan("RL-1234-5678-9FR")).not.toContain("Aucun courrier");
});

test("a code is read in small letters, and each number that is placed is told to the page, as if it was typed", () => {
	const { scan, values, events } = createForm();
	expect(scan("https://exemple.fr/kb-4444-5555")).toBe("Courrier KB-4444-5555\u00a0: lisez maintenant son numéro de suivi.");
	expect(scan("1A23456789012")).toBe("1A23456789012 est saisi pour KB-4444-5555.");
	expect([values(), events]).toEqual([["", "1A23456789012"], ["input true"]]);
	// the letter that has the focus has its number already
	scan("KB-4444-5555");
	expect(scan("1A99999999999")).toBe("1A99999999999 est saisi pour KB-2222-3333.");
	expect(scan("1A23456789012")).toBe("1A23456789012 est déjà saisi.");
	expect(placeScan(null, letters, "1A1")).toBe("Tous les courriers à poster ont déjà leur numéro de suivi.");
});

test("the same number is not placed twice, and an unknown letter is named", () => {
	const { scan, values } = createForm();
	scan("1A23456789012");
	expect(scan("1A23456789012")).toContain("déjà");
	expect(scan("KB-9999-9999")).toContain("KB-9999-9999");
	expect(values()).toEqual(["1A23456789012", ""]);
});

test("the code of a letter may be the address of its page, and another address is no number", () => {
	const { scan, values } = createForm();
	expect(scan("https://www.laposte.fr/outils/suivre-vos-envois?code=1A23456789012")).toBe("1A23456789012 est saisi pour KB-2222-3333.");
	expect(scan("HTTPS://WWW.LAPOSTE.FR/SUIVI/1a-234567-89012")).toBe("1A23456789012 est déjà saisi.");
	expect(scan("https://www.laposte.fr/particulier")).toBe("Ce code est une adresse internet sans numéro de suivi.");
	expect(values()).toEqual(["1A23456789012", ""]);
});
