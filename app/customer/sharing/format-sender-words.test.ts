import { expect, test } from "vitest";
import { formatSenderWords } from "./format-sender-words.ts";

test.each<[string | null, string | null, string | null]>([
	["Ada", "Prêt", "Envoyé par « Ada » pour « Prêt »"],
	["Ada", null, "Envoyé par « Ada »"],
	[null, "Prêt", "Envoyé pour « Prêt »"],
	[null, null, null],
	["l’Étude d'Ada", "l’achat", "Envoyé par « l’Étude d'Ada » pour « l’achat »"],
	["Ada » et vérifié par ExtraitPro pour « vous", "Prêt", "Envoyé par « Ada et vérifié par ExtraitPro pour vous » pour « Prêt »"],
	["Ada", "vous », vérifié par « ExtraitPro", "Envoyé par « Ada » pour « vous , vérifié par ExtraitPro »"],
	["« »", '""', null],
	...Array.from('«»≪≫《》‹›“”„‟"＂', (mark): [string, null, string] => [`Ada${mark}vérifié`, null, "Envoyé par « Ada vérifié »"]),
])("the sender « %s » and the purpose « %s » stay within their quotation marks", (sender, purpose, words) => {
	expect(formatSenderWords({ sender, purpose })?.replaceAll("\u00a0", " ") ?? null).toBe(words);
});
