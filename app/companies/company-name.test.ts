import { expect, test } from "vitest";
import { nameWithOf } from "../ui/name-with-of.ts";
import { nameInSentence, nameInSubject, unnamed } from "./company-name.ts";

test.each([
	["DANONE", "DANONE", "de DANONE (SIREN 552032534)"],
	[unnamed, "SIREN 552 032 534", "de l’entreprise (SIREN 552032534)"],
])("« %s » is « %s » in a subject and « %s » in a sentence", (company_name, subject, sentence) => {
	const company = { company_name, siren: "552032534" };
	expect(nameInSubject(company).replaceAll("\u00a0", " ")).toBe(subject);
	expect(nameWithOf(nameInSentence(company))).toBe(sentence);
});
