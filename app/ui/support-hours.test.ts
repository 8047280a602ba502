import { expect, test } from "vitest";
import { formatSupportHours } from "./support-hours.ts";

test.each([
	["7j/7, 8h-20h", "7 j/7, de 8 h à 20 h"],
	["du lundi au samedi, 9h-19h", "du lundi au samedi, de 9 h à 19 h"],
	["du lundi au vendredi, 9h30-12h et 14h-17h45", "du lundi au vendredi, de 9 h 30 à 12 h et de 14 h à 17 h 45"],
	["5j/7, 09h–18h", "5 j/7, de 9 h à 18 h"],
	["du lundi au vendredi, de 9 h à 18 h", "du lundi au vendredi, de 9 h à 18 h"],
	["24h/24", "24h/24"],
])("%s reads %s", (hours, sentence) => {
	expect(formatSupportHours(hours).replaceAll("\u00a0", " ")).toBe(sentence);
});
