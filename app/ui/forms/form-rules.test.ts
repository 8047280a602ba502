import { expect, test } from "vitest";
import { checkText, personRules } from "./form-rules.ts";

// the sentences and the form of a telephone number are agreed (docs/rules.md, R10 and R52)
const unacceptable = "Ce champ contient des caractères qui ne sont pas acceptés";

test.each([
	...["0612345678", "06 12 34 56 78", "06.12.34.56.78", "06-12-34-56-78", "+33612345678", "+33 6 12 34 56 78", "0033 1 23 45 67 89"],
	...["33612345678", "+330612345678", "06/12/34/56/78", "+32 470 12 34 56"],
])("« %s » is a telephone number", (phone) => {
	expect(checkText(personRules.phone, phone)).toBeUndefined();
});

test.each(["061234567", "06123456789", "06 12 34 56", "a0612345678", "0612345678a", "+33 6 12 34 56"])("« %s » is none", (phone) => {
	expect(checkText(personRules.phone, phone)).toBe("Format de téléphone invalide\u00a0: dix chiffres, par exemple 06 12 34 56 78");
});

test("a telephone number is optional, a name is required", () => {
	expect(checkText(personRules.phone, "")).toBeUndefined();
	expect(checkText(personRules.firstName, "")).toBe("Le prénom est requis");
	expect(checkText(personRules.lastName, "")).toBe("Le nom est requis");
});

test.each(["ada@example", "https:", "example.fr/b", "a//b", "WWW.example", "elle www.x", "<b>", "a>b", "a\nb", "a\u202eb"])(
	"« %s » is no name: a mail program would make a link of it, or it cannot be printed",
	(name) => {
		expect(checkText(personRules.firstName, name)).toBe(unacceptable);
		expect(checkText(personRules.lastName, name)).toBe(unacceptable);
	},
);

test.each([
	...["Jean-Marie", "D’Arc", "d’Été", "O'Neil", "OʼNeil", "Awww", "Dr. Li", "Dupont/Martin", "M. et Mme Dupont", "Marie (née Durand)"],
	...["Jean II", "Louis 3", "Ô", "李", "Nguyễn Thị", "علی\u200cرضا", "क्\u200dष", "3M", "Hôtel de l’Europe & Cie"],
])("« %s » is a name", (name) => {
	expect(checkText(personRules.lastName, name)).toBeUndefined();
});

test.each(["-", "—", ".", "👍", "…"])("« %s » in place of a name is none", (text) => {
	expect(checkText(personRules.firstName, text)).toBe("Le prénom est requis");
	expect(checkText(personRules.lastName, text)).toBe("Le nom est requis");
});

test("a field accepts 100 characters, or the maximum of its rule; the sentence names the maximum", () => {
	expect(checkText({}, "a".repeat(100))).toBeUndefined();
	expect(checkText({}, "a".repeat(101))).toBe("Ce champ accepte 100 caractères au plus");
	expect(checkText({ maxLength: 3 }, "abc")).toBeUndefined();
	expect(checkText({ maxLength: 3 }, "abcd")).toBe("Ce champ accepte 3 caractères au plus");
});

test("a message accepts line breaks and characters that a name refuses", () => {
	expect(checkText({ lines: true }, "1 < 2\n\tou > 3 👨‍👩‍👧")).toBeUndefined();
	expect(checkText({ lines: true }, "a\0b")).toBe(unacceptable);
	expect(checkText({}, "1 < 2")).toBe(unacceptable);
});
