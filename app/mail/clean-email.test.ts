import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanEmail } from "./clean-email.ts";

test.each([
	...["mailto:ada@exemple.fr", "MAILTO:ada%40exemple.fr?subject=Kbis", "E-mail : ada@exemple.fr", "courriel: ada@exemple.fr"],
	...["Jérôme Dupont <ada@exemple.fr>", '"Dupont, Ada" <ada@exemple.fr>;', "<ada@exemple.fr>", "(ada@exemple.fr)", "« ada@exemple.fr »"],
	...[
		"“ada@exemple.fr”",
		"'ada@exemple.fr'",
		"ada@exemple.fr.",
		"ada@exemple.fr,",
		"ada@exemple.fr;",
		"ada@exemple.fr>",
		"ada@exemple.fr/",
		" ada@exemple.fr\u00a0",
	],
	...["ada @ exemple.fr", "ada@exemple .fr", "ada@exemple. fr", "ada＠exemple．fr", "ａｄａ@exemple.fr", "ada@exemple。fr"],
	...[
		"a\u200bda@exemple.fr",
		"ada@exemple.fr\u200d",
		"\u202aada@exemple.fr\u202c",
		"\ufeffada@exemple.fr",
		"ada@exemple.fr, ada@exemple.fr",
		"ada@exemple.fr ADA@exemple.fr",
	],
	// a label, or a name before brackets
	...["Adresse e-mail : ada@exemple.fr", "Email ada@exemple.fr", "Mél. : ada@exemple.fr", "De : ada@exemple.fr", "SMTP:ada@exemple.fr"],
	...["1. ada@exemple.fr", "2) ada@exemple.fr", "tél : 06 12 34 56 78, mail : ada@exemple.fr", "mon e-mail est ada@exemple.fr"],
	...["Ada Lovelace (ada@exemple.fr)", "Ada Lovelace [mailto:ada@exemple.fr]", "Ada <ada@exemple.fr>, Londres"],
	// links, formulas, lists and marks of other programs
	...["mailto://ada@exemple.fr", "http://ada@exemple.fr", "ada@exemple.fr?subject=Kbis", "ada%40exemple.fr", "(mailto:ada@exemple.fr)"],
	...["ada@exemple.fr <mailto:ada@exemple.fr>", "[ada@exemple.fr](mailto:ada@exemple.fr)", "ada@exemple.fr#mailto:ada@exemple.fr#"],
	...['="ada@exemple.fr"', "*ada@exemple.fr*", "|ada@exemple.fr|", "{ada@exemple.fr}", "/ada@exemple.fr", "#ada@exemple.fr"],
	...["• ada@exemple.fr", "- ada@exemple.fr", "✉ ada@exemple.fr", "@ : ada@exemple.fr", "ada@exemple.fr…", "ada@exemple.fr_"],
	...["²ada@exemple.fr", "ada@exemple.fr²", "ada@exemple.frada@exemple.fr", ".ada@exemple.fr"],
])("of « %s », the address is read", (typed) => {
	expect(cleanEmail(typed)).toBe("ada@exemple.fr");
});

test.each([
	["o’hara@exemple.fr", "o'hara@exemple.fr"],
	["jean\u2011pierre@exemple.fr", "jean-pierre@exemple.fr"],
	["jean–pierre@exemple.fr", "jean-pierre@exemple.fr"],
	["ada@société.fr", "ada@société.fr"],
	["jérôme@exemple.fr", "jérôme@exemple.fr"],
	["Ada@Exemple.FR", "Ada@Exemple.FR"],
	["a@exemple.fr; b@exemple.fr", "a@exemple.fr; b@exemple.fr"],
	["Ada <ada>", "Ada <ada>"],
	["<ada@gmail,com>", "<ada@gmail,com>"],
	["ada lovelace@exemple.fr", "ada lovelace@exemple.fr"],
	["ADA@exemple.fr ada@exemple.fr", "ADA@exemple.fr"],
	["ada@exemple.fr>", "ada@exemple.fr"],
	["ada@exemple.fr\u0000", "ada@exemple.fr\u0000"],
	["ada", "ada"],
	["", ""],
	// nobody knows which, or whether the words belong to it
	["Ada <ada@exemple.fr>, Bob <bob@exemple.fr>", "Ada <ada@exemple.fr>, Bob <bob@exemple.fr>"],
	["bob@exemple.fr <ada@exemple.fr>", "bob@exemple.fr <ada@exemple.fr>"],
	["ada@exemple.fr. Merci", "ada@exemple.fr. Merci"],
	["Mme. ada@exemple.fr", "Mme. ada@exemple.fr"],
	["ada. lovelace@exemple.fr", "ada. lovelace@exemple.fr"],
	["jean:dupont@exemple.fr", "jean:dupont@exemple.fr"],
	["a/b@exemple.fr", "a/b@exemple.fr"],
	["\u202eada@exemple.fr", "\u202eada@exemple.fr"],
	["ada@exemple.fr\ufffd", "ada@exemple.fr\ufffd"],
])("« %s » is read as %s", (typed, email) => {
	expect(cleanEmail(typed)).toBe(email);
});

test("what is no text is empty, and a long text stays as it was typed", () => {
	for (const value of [null, undefined, 3]) expect(cleanEmail(value)).toBe("");
	expect(cleanEmail(`${"a".repeat(100_000)}@exemple.fr.`)).toHaveLength(100_012);
});

test("an address is read whatever signs and labels stand around it, and read again as itself", () => {
	const address = fc
		.stringMatching(/^[a-z\d](?:[a-z\d._+-]{0,8}[a-z\d])?@[a-z\d]{1,8}\.(?:fr|com|paris)$/)
		.filter((email) => !email.includes(".."));
	const label = fc.constantFrom("", "", "E-mail : ", "mailto:", "Adresse e-mail : ", "Ada Lovelace : ", "1. ");
	const sign = fc.constantFrom(" ", "\u00a0", "\u200b", "•", "*", "|", '"', "«", "“", "'", "\ufeff", "→ ", "#");
	const signs = fc.array(sign, { maxLength: 3 }).map((each) => each.join(""));
	fc.assert(
		fc.property(address, label, signs, signs, (email, before, left, right) => {
			expect(cleanEmail(`${before}${left}${email}${right}`)).toBe(email);
			expect(cleanEmail(`Ada Lovelace <${email}>${right}`)).toBe(email);
			expect(cleanEmail(email)).toBe(email);
		}),
	);
});

test("a question mark belongs to an address without a scheme", () => {
	expect([cleanEmail("a?b@exemple.fr"), cleanEmail("mailto:a@exemple.fr?b")]).toEqual(["a?b@exemple.fr", "a@exemple.fr"]);
});
