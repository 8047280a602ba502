import { expect, test } from "vitest";
import { describeCoverage } from "./bulletin-source.ts";

const importedAt = new Date("2026-11-25T05:00:00Z");
const covered = (from: string, to = "2026-11-24") => ({ importedAt, covered: { from, to } });

test.each([
	["all was read", covered("2008-01-01"), 3, null],
	["the reading began late", covered("2026-01-01"), 3, "Toutes les annonces parues depuis le 1er janvier 2026 ont été relevées."],
	["the last issue is of three days ago", covered("2008-01-01", "2026-11-22"), 3, null],
	["the last issue is of four days ago, after a holiday", covered("2008-01-01", "2026-11-21"), 3, null],
	[
		"the last issue is older",
		covered("2008-01-01", "2026-11-20"),
		3,
		"Toutes les annonces parues du 1er janvier 2008 au 20 novembre 2026 ont été relevées.",
	],
	[
		"the reading has stopped",
		covered("2008-01-01", "2026-11-10"),
		3,
		"Toutes les annonces parues du 1er janvier 2008 au 10 novembre 2026 ont été relevées.",
	],
	["some were read", { importedAt, covered: null }, 3, "Seules quelques annonces ont été relevées\u00a0: d’autres peuvent manquer."],
	[
		"all was read, and nothing found",
		covered("2008-01-01"),
		0,
		"Aucune annonce reçue depuis le 1er janvier 2008 (dernier relevé le 25 novembre 2026).",
	],
	[
		"the reading has stopped, and nothing was found",
		covered("2008-01-01", "2026-11-10"),
		0,
		"Aucune annonce reçue depuis le 1er janvier 2008 (dernier relevé le 25 novembre 2026, complet jusqu’au 10 novembre 2026).",
	],
])("%s", (_case, reading, total, sentence) => {
	expect(describeCoverage(reading, total)).toBe(sentence);
});
