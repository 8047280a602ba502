import fc from "fast-check";
import { expect, test } from "vitest";
import { checkText, personRules } from "../forms/form-rules.ts";
import { readLine } from "../forms/text.ts";
import { printable, printableLetters } from "./printable.ts";

test("a character without a glyph becomes its plain form, or « ? »", () => {
	expect(printable("Café 👩‍💻 Ελένη ﬁn x̌")).toBe("Café ? ????? fin x");
	// a mark without a letter, half a letter: something stood there
	expect(printable("\u20dd, \ud800")).toBe("?, ?");
});

test("letters written with combining marks, narrow spaces or line breaks become printable", () => {
	expect(printable("Zoe\u0301\u202f:\nŁódź\t\u200bvoilà\u0000")).toBe("Zoé\u00a0: Łódź voilà ");
	expect(printable("co\u00adopérative")).toBe("coopérative");
	expect(printable("59\u00a0€\n\u2009net")).toBe("59\u00a0€ \u00a0net");
	expect(printable("Łukasz Kőszegi, Iași, Nguyễn, Þór, Žďár, ẞ")).toBe("Łukasz Kőszegi, Iași, Nguyễn, Þór, Žďár, ẞ");
});

const sign = fc.oneof(
	fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
	fc.constantFrom("é", "ʼ", "’", "\u200c", "\u200d", "ﬁ", "क्ष", "👩‍💻", " ", "-", "/"),
);

test("each name that a form accepts is printed with letters that the fonts have", () => {
	fc.assert(
		fc.property(fc.array(sign, { minLength: 1, maxLength: 30 }), (signs) => {
			const name = readLine(signs.join(""));
			fc.pre(checkText(personRules.lastName, name) === undefined);
			for (const letter of printable(name)) expect(printableLetters).toContain(letter);
			expect(printable(name).trim()).not.toBe("");
		}),
	);
});
