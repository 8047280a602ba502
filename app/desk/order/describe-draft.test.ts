import { expect, test } from "vitest";
import type { Siren } from "../../companies/siren.ts";
import type { ExtractFacts } from "../../fulfilment/extracts/judge-extract.ts";
import { describeFacts, formatBytes } from "./describe-draft.ts";

const now = new Date("2026-11-23T09:00:00Z");
const plain = (text: string) => text.replaceAll("\u00a0", " ");
const issued = (at: string, hasHour = true) => ({ issueDate: { at: new Date(at), hasHour } });

/** The questions, then the checks. */
function read(facts: Partial<ExtractFacts>) {
	const usual = { problem: null, readable: true, siren: "552032534", sirens: [], pages: 1, issueDate: null };
	const { checks, questions, deliverable } = describeFacts(
		{ ...usual, ...facts },
		{ siren: "552032534" as Siren, now, takesPictures: true },
	);
	return [deliverable ? questions.join(" ") : "refused", ...checks.map(({ kind, text }) => `${kind}: ${plain(text)}`)];
}

const isRead = "done: Le SIREN 552 032 534 se lit dans l’extrait.";
const scanned = "warning: C’est un document numérisé : son texte ne se lit pas. Comparez le SIREN et la date vous-même.";
const illegible = "warning: Le texte de ce PDF ne se lit pas. Comparez le SIREN et la date vous-même.";
const noDate = "warning: La date de délivrance ne se lit pas.";
const isFuture = "failed: Cet extrait porte une date à venir.";

test.each<[string, Partial<ExtractFacts>, string[]]>([
	["of today", issued("2026-11-23T07:00:00Z"), ["", isRead, "done: Il est daté du 23/11/2026 à 8 h."]],
	["dated without an hour", issued("2026-11-22T23:00:00Z", false), ["", isRead, "done: Il est daté du 23/11/2026."]],
	["a millisecond less than a day old", issued("2026-11-22T09:00:00.001Z"), ["", isRead, "done: Il est daté du 22/11/2026 à 10 h."]],
	["a day old", issued("2026-11-22T09:00:00Z"), ["old", isRead, "warning: Il est daté du 22/11/2026 à 10 h : il a plus d’un jour."]],
	["five minutes ahead", issued("2026-11-23T09:05:00Z"), ["", isRead, "done: Il est daté du 23/11/2026 à 10 h 05."]],
	["further ahead", issued("2026-11-23T09:05:00.001Z"), ["refused", isRead, isFuture]],
	["of the day that begins overseas", issued("2026-11-23T20:00:00Z", false), ["", isRead, "done: Il est daté du 23/11/2026."]],
	["of the day after", issued("2026-11-23T20:00:00.001Z", false), ["refused", isRead, isFuture]],
	[
		"of a clock that is ahead",
		{ issueDate: { at: new Date("2026-11-23T19:00:00Z"), hasHour: true, ahead: 36_000_000 } },
		["", isRead, "done: Il est daté du 23/11/2026 à 20 h."],
	],
	[
		"of a clock that is behind",
		{ issueDate: { at: new Date("2026-11-21T23:00:00Z"), hasHour: false, ahead: -39_600_000 } },
		["", isRead, "done: Il est daté du 22/11/2026."],
	],
	[
		"scanned, without a date",
		{ readable: false, isScan: true },
		["unreadable date", scanned, "warning: La date de délivrance ne se lit pas."],
	],
	[
		"in letters that cannot be read, without a date",
		{ readable: false },
		["unreadable date", illegible, "warning: La date de délivrance ne se lit pas."],
	],
	[
		"made of a photo",
		{ readable: false, isScan: true, isPhoto: true, ...issued("2026-11-23T07:00:00Z") },
		["unreadable", expect.stringMatching(/^warning: C’est une photo, mise sur une page A4\./), "done: Il est daté du 23/11/2026 à 8 h."],
	],
	[
		"made of a photo without an end",
		{ readable: false, isScan: true, isPhoto: true, isCut: true, ...issued("2026-11-23T07:00:00Z") },
		["unreadable", expect.stringMatching(/s’arrête avant la fin : le bas manque peut-être\./), "done: Il est daté du 23/11/2026 à 8 h."],
	],
	["of another company", { siren: "123456782" }, ["refused", "failed: Cet extrait est celui d’une autre entreprise, SIREN 123 456 782."]],
	[
		"of another company, when it names the ordered one",
		{ siren: "123456782", sirens: ["123456782", "552032534"], ...issued("2026-11-23T07:00:00Z") },
		[
			"company",
			expect.stringMatching(/^warning: Cet extrait cite plusieurs entreprises.+ SIREN lus aussi : 123 456 782\.$/),
			"done: Il est daté du 23/11/2026 à 8 h.",
		],
	],
	[
		"that does not name the company",
		{ siren: null },
		["company date", expect.stringMatching(/^warning: Le SIREN commandé ne se lit pas.+ dites pourquoi\.$/), noDate],
	],
	[
		"that names others only, without saying which one it is of",
		{ siren: null, sirens: ["123456782", "732829320", "404833048", "356000000"] },
		["company date", expect.stringMatching(/ SIREN lus aussi : 123 456 782, 732 829 320, 404 833 048\.$/), noDate],
	],
	[
		"that names it among others",
		{ siren: null, sirens: ["123456782", "552032534"] },
		["company date", expect.stringMatching(/^warning: Cet extrait cite plusieurs entreprises/), noDate],
	],
	["that names it alone", { siren: null, sirens: ["552032534"] }, ["date", isRead, noDate]],
	[
		"that is another document of the company",
		{ isOtherDocument: true, sirens: ["552032534", "123456782"], ...issued("2026-11-23T07:00:00Z") },
		[
			"company",
			expect.stringMatching(/^warning: Ce document ne se présente pas comme un extrait du greffe\..+ convient\.$/),
			"done: Il est daté du 23/11/2026 à 8 h.",
		],
	],
	["that looks like a picture", { problem: "picture" }, ["refused", expect.stringContaining("failed: ")]],
	["damaged", { problem: "damaged" }, ["refused", "failed: Ce PDF ne s’ouvre pas : il est endommagé."]],
])("an extract %s", (_, facts, lines) => {
	expect(read(facts)).toEqual(lines);
});

test.each([
	[1, "1 ko"],
	[1499, "1 ko"],
	[1500, "2 ko"],
	[999_999, "1000 ko"],
	[1_000_000, "1,0 Mo"],
	[2_060_000, "2,1 Mo"],
])("%i bytes are « %s »", (bytes, text) => {
	expect(plain(formatBytes(bytes))).toBe(text);
});
