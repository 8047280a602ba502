import { describe, expect, test } from "vitest";
import type { CheckedLine, LineProblem } from "./checked-line.ts";
import { maxPlaces } from "./line-fields.ts";
import {
	askForService,
	describeChoice,
	describeNothingOrdered,
	describeNotOrdered,
	describeOtherService,
	describeUnseen,
	describeWrong,
} from "./line-sentences.ts";

/** Lines from 1, of which those at `wrong` are not ordered. */
const makeLines = (count: number, wrong: readonly number[], service = "express") =>
	Array.from({ length: count }, (_, index): CheckedLine => {
		const problem: LineProblem | null = wrong.includes(index + 1) ? { code: "empty" } : null;
		const line = { company: "", reference: "", service } as CheckedLine["line"];
		return { place: index + 1, line, service: null, siren: null, company: null, choices: [], problem, remarks: [] };
	});
const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test.each<[Partial<Parameters<typeof describeChoice>[0]>, string]>([
	[{}, "BEAUVAIS DIS, 419 629 415, 60000 Beauvais"],
	[{ matchedName: "CARREFOUR" }, "CARREFOUR – BEAUVAIS DIS, 419 629 415, 60000 Beauvais"],
	[{ headOffice: null }, "BEAUVAIS DIS, 419 629 415"],
])("a company to choose (%j) reads « %s »", (change, text) => {
	const company = { name: "BEAUVAIS DIS", siren: "419629415", headOffice: { postalCode: "60000", city: "Beauvais" }, matchedName: null };
	expect(describeChoice({ ...company, ...change } as Parameters<typeof describeChoice>[0]).replaceAll("\u00a0", " ")).toBe(text);
});

describe("lines that are not ordered", () => {
	test.each<[wrong: readonly number[], of: number, title: string, text: string]>([
		[[2], 3, "1 ligne sur 3 ne sera pas commandée.", "Corrigez-la ou continuez sans elle"],
		[[1, 3], 3, "2 lignes sur 3 ne seront pas commandées.", "Corrigez-les ou continuez sans elles"],
		[[1], 1, "1 ligne sur 1 ne sera pas commandée.", "Corrigez-la"],
		[[1, 2], 2, "2 lignes sur 2 ne seront pas commandées.", "Corrigez-les"],
	])("%j of %i", (wrong, of, title, text) => {
		expect(describeWrong(makeLines(of, wrong))).toEqual([{ title, text, places: wrong, more: "", stopped: false }]);
	});

	test("none says nothing, and links are bounded", () => {
		expect(describeWrong(makeLines(3, []))).toEqual([]);
		expect(describeUnseen([])).toEqual([]);
		const [message] = describeWrong(makeLines(200, count(1, 150)));
		expect(message).toMatchObject({ places: count(1, message?.places.length ?? 0), more: "…" });
		expect(message?.places.length).toBe(maxPlaces);
		expect(describeWrong(makeLines(200, message?.places ?? []))).toMatchObject([{ more: "" }]);
		expect(describeUnseen([4])).toMatchObject([{ places: [4], stopped: true }]);
	});

	test("are counted before the payment", () => {
		expect([0, 1, 2].map(describeNotOrdered)).toEqual([
			null,
			"1 ligne de votre liste n’est pas commandée.",
			"2 lignes de votre liste ne sont pas commandées.",
		]);
	});

	test.each([
		[0, /^Ajoutez/],
		[1, /^Cette ligne ne peut pas .* corrigez-la/],
		[2, /^Aucune ligne ne peut .* corrigez-les/],
	])("of %i, none is", (lines, sentence) => {
		expect(describeNothingOrdered(lines)).toMatch(sentence);
	});
});

test.each<[places: readonly number[], of: number, sentence: string]>([
	[[1, 2], 2, "Choisissez un service."],
	[[2], 3, "Choisissez un service commun, ou un service à la ligne 2."],
	[[2, 3], 4, "Choisissez un service commun, ou un service aux lignes 2, 3."],
])("asks for the service of the lines %j of %i", (places, of, sentence) => {
	expect(askForService(places, of)).toBe(sentence);
});

test("a list of lines that goes on ends in one « … », and no dot follows", () => {
	expect(askForService(count(1, 60), 61)).toMatch(/aux lignes 1, 2, .*\d…$/);
	expect(describeOtherService(makeLines(60, []), makeLines(1, [])[0] as CheckedLine)).toMatch(/aux lignes 1, 2, .*\d…$/);
});

test.each<[services: readonly string[], sentence: string]>([
	[["", "express"], "Choisissez un autre service."],
	[["express"], "Choisissez-en un autre à la ligne 1."],
	[["express", "", "express", "standard"], "Choisissez-en un autre aux lignes 1, 3."],
])("names the lines with the closed service of %j", (services, sentence) => {
	const closed = services.map((service, index) => ({ ...makeLines(1, [], service)[0], place: index + 1 }) as CheckedLine);
	expect(describeOtherService(closed, closed[0] as CheckedLine)).toBe(sentence);
});
