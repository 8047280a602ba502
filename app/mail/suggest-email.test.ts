import { expect, test } from "vitest";
import { explainEmail, suggestEmail } from "./suggest-email.ts";

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
	["ada@icould.com", "ada@icloud.com"],
	["ada@icloud.fr", "ada@icloud.com"],
	["ada@wanadoo.com", "ada@wanadoo.fr"],
	["ada@gmail.co.uk", "ada@gmail.com"],
	["ada@gmail.com.fr", "ada@gmail.com"],
	["ada@hotmail.cpm", "ada@hotmail.com"],
	["ada@www.gmail.com", "ada@gmail.com"],
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

test.each([
	["ada@gmail,com", "ada@gmail.com"],
	["ada@gmail..com", "ada@gmail.com"],
	["ada @gmail,com", "ada@gmail.com"],
	["ada(at)gmail.com", "ada@gmail.com"],
	["ada [arobase] exemple [point] fr", "ada@exemple.fr"],
	["ada at gmail dot com", "ada@gmail.com"],
	["ada chez exemple.fr", "ada@exemple.fr"],
	["www.ada@exemple.fr", "ada@exemple.fr"],
	["jérôme@exemple.fr", "jerome@exemple.fr"],
	["hélène.bœuf@société.fr", "helene.boeuf@société.fr"],
	["a..b@exemple.fr", "a.b@exemple.fr"],
	[".ada.@exemple.fr", "ada@exemple.fr"],
	["jean,dupont@exemple.fr", "jean.dupont@exemple.fr"],
	["ada@-exemple-.fr", "ada@exemple.fr"],
	["ada@@exemple.fr", "ada@exemple.fr"],
	["ada@gmail.com@gmail.com", "ada@gmail.com"],
	["ada@gmail", "ada@gmail.com"],
	["ada@orangefr", "ada@orange.fr"],
	["ada@hotmail", "ada@hotmail.fr"],
	["adagmail.com", "ada@gmail.com"],
	["ada.gmail.com", "ada@gmail.com"],
	["ADAGMAIL.COM", "ADA@gmail.com"],
	["adaemail.com", "ada@email.com"],
	["ada@GMAIL", "ada@gmail.com"],
	["adaàorange.fr", "ada@orange.fr"],
	["ada2gmail.com", "ada@gmail.com"],
	["ada@exemple.fr (Ada)", "ada@exemple.fr"],
	["mon adresse : ada@exemple.fr", "ada@exemple.fr"],
	["ada@exemple.fr 06 12 34 56 78", "ada@exemple.fr"],
	["élodie@gmial.com", "elodie@gmail.com"],
	// words apart, or the name again in the address
	["Ada Lovelace, ada@exemple.fr", "ada@exemple.fr"],
	["Ada Lovelace - ada@exemple.fr", "ada@exemple.fr"],
	["Ada Lovelace ada.lovelace@exemple.fr", "ada.lovelace@exemple.fr"],
	["ada@exemple.fr. Merci beaucoup", "ada@exemple.fr"],
	["ada@sous.exemple. fr", "ada@sous.exemple.fr"],
	["ada. lovelace@exemple.fr", "ada.lovelace@exemple.fr"],
	['<a href="mailto:ada@exemple.fr">ada@exemple.fr</a>', "ada@exemple.fr"],
	// the sign of a key beside @, or of another keyboard
	["ada#gmail.com", "ada@gmail.com"],
	["ada0gmail.com", "ada@gmail.com"],
	["ada gmail.com", "ada@gmail.com"],
	["ada_at_gmail.com", "ada@gmail.com"],
	["ada<at>gmail.com", "ada@gmail.com"],
	["ada\\@gmail.com", "ada@gmail.com"],
	["ada@gmail_com", "ada@gmail.com"],
	["ada@gmail/com", "ada@gmail.com"],
	["ada@gmial", "ada@gmail.com"],
	["ada@la poste.net", "ada@laposte.net"],
])("%s is no address: « Vouliez-vous dire %s ? »", (typed, meant) => {
	expect(suggestEmail(typed)).toBe(meant);
});

test.each([
	...[
		"ada lovelace@exemple.fr",
		"a@exemple.fr; b@exemple.fr",
		"a@exemple.fr ou b@exemple.fr",
		"a@b.fr@c.fr",
		'"ada"@exemple.fr',
		"иван@почта.рф",
	],
	...["jean dupont@exemple.fr", "jean pierre dupont@exemple.fr", "ada@mel", "&lt;ada@exemple.fr&gt;"],
	...["-", "néant", "gmail.com", "@gmail.com", "adagmail.com.br", "a@1.2.3.4", "a@b", `${"a".repeat(300)},${"b".repeat(200)}@gmail,com`],
])("nobody guesses what %s means", (typed) => {
	expect(suggestEmail(typed)).toBeNull();
});

test.each([
	["ada@exemple.fr", undefined],
	["ada@gmial.com", undefined],
	["", "L'adresse email est requise"],
	["ada", "Format d'email invalide"],
	["ada@gmail,com", "Format d'email invalide. Vouliez-vous dire ada@gmail.com\u00a0?"],
	["jérôme@exemple.fr", "Écrivez cette adresse sans accents\u00a0: jerome@exemple.fr"],
])("a form without a button says of « %s »: %s", (typed, sentence) => {
	expect(explainEmail(typed)).toBe(sentence);
});

test.each([
	...["f", "r", "ft", "fe", "fd", "frr", "rf", "ffr"].map((ending) => [`orange.${ending}`, "orange.fr"]),
	...["c", "co", "cm", "om", "con", "cmo", "ocm", "vom", "xom", "comm", "coml", "cim"].map((ending) => [
		`outlook.${ending}`,
		"outlook.com",
	]),
	...["ne", "ner", "nte", "met", "nett", "bet"].map((ending) => [`laposte.${ending}`, "laposte.net"]),
	["freee.fr", "free.fr"],
	["m.com", "me.com"],
	["gmail.com@", "gmail.com"],
])("ada@%s is one slip away from %s", (domain, service) => {
	expect(suggestEmail(`ada@${domain}`)).toBe(`ada@${service}`);
});

test.each(["ferx.fr", "fexe.fr", "fxre.fr", "fxye.fr", "fxee.fr"])("ada@%s is two slips away, or a name of its own", (domain) => {
	expect(suggestEmail(`ada@${domain}`)).toBeNull();
});
