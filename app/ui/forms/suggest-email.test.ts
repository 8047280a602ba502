import { expect, test } from "vitest";
import { suggestEmail } from "./suggest-email.ts";

test.each([
	["ada@gmial.com", "ada@gmail.com"],
	["ada@gmal.com", "ada@gmail.com"],
	["ada@gmaill.com", "ada@gmail.com"],
	["ada@gmqil.com", "ada@gmail.com"],
	["ada@gmail.con", "ada@gmail.com"],
	["ada@gmail.fr", "ada@gmail.com"],
	["ada@hotmial.fr", "ada@hotmail.fr"],
	["ada@hotmal.cmo", "ada@hotmail.com"],
	["ada@orange.f", "ada@orange.fr"],
	["ada@ornage.fr", "ada@orange.fr"],
	["ada@wanadou.fr", "ada@wanadoo.fr"],
	["ada@wanado.fr", "ada@wanadoo.fr"],
	["ada@yahooo.fr", "ada@yahoo.fr"],
	["ada@outlok.com", "ada@outlook.com"],
	["ada@laposte.ner", "ada@laposte.net"],
	["ada@iclou.com", "ada@icloud.com"],
	["ada@fre.fr", "ada@free.fr"],
	["Ada.Lovelace+kbis@GMIAL.COM", "Ada.Lovelace+kbis@gmail.com"],
])("%s: « Vouliez-vous dire %s ? »", (typed, meant) => {
	expect(suggestEmail(typed)).toBe(meant);
});

test.each([
	...[
		"ada@gmail.com",
		"ada@GMAIL.com",
		"ada@ymail.com",
		"ada@mail.com",
		"ada@hotmail.it",
		"ada@outlook.de",
		"ada@yahoo.co.uk",
		"ada@gmx.de",
	],
	...["ada@example.fr", "ada@sfa.fr", "ada@tree.fr", "ada@cabinet-durand.fr", "ada@orange-business.com", "ada@laposte.fr", "ada@live.be"],
	...["", "ada", "ada@", "@gmial.com", "ada@localhost"],
])("%s raises no question", (typed) => {
	expect(suggestEmail(typed)).toBeNull();
});
