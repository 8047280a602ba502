import { describe, expect, test } from "vitest";
import { parseEnvironment } from "../../../server/environment/environment.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { serviceCodes, services } from "../../catalogue/services.ts";
import { sandboxTexts } from "../../payments/sandbox/sandbox-texts.ts";
import { fillIn } from "../fill-in.ts";
import { getText } from "../texts.ts";
import { gatherTextVariables } from "../variables.ts";
import { answerRules, type Choices, findAnswer, questions, readChoices } from "./kbis-need.ts";

const parsed = parseEnvironment({ OFFICIAL_PRICE_CENTS: "333" });
if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
const kbisGuide = getText("/ai-je-besoin-d-un-kbis");
const variables = gatherTextVariables(parsed.environment, sandboxTexts);

const keys = <Value extends string>(options: Record<Value, string>) => Object.keys(options) as Value[];
const every: Choices[] = keys(questions.demande.options).flatMap((demande) =>
	keys(questions.entreprise.options).flatMap((entreprise) =>
		keys(questions.forme.options).map((forme) => ({ demande, entreprise, forme })),
	),
);
const name = ({ demande, entreprise, forme }: Choices) => `${demande}, ${entreprise}, ${forme}`;
const all = every.map((choices) => ({ choices, is: name(choices), ...findAnswer(choices) }));
const plainSpaces = (text: string) => text.replaceAll("\u00a0", " ");
const read = (answer: object) => plainSpaces(Object.values(fillIn(answer, variables)).join("\n"));

test("all replies have exactly one answer, and each rule has replies", () => {
	expect(every).toHaveLength(6 * 6 * 3);
	for (const { demande, entreprise } of every) {
		const fitting = answerRules.filter((row) => row.demande.includes(demande) && row.entreprise.includes(entreprise));
		expect(fitting, `${demande}, ${entreprise}`).toHaveLength(1);
	}
	for (const { demande, entreprise } of answerRules)
		for (const replies of [demande, entreprise]) {
			expect(replies.length).toBeGreaterThan(0);
			expect(new Set(replies).size).toBe(replies.length);
		}
});

test("replies that no rule knows are a fault", () => {
	expect(() => findAnswer({ demande: "notaire", entreprise: "societe", forme: "pdf" } as unknown as Choices)).toThrow(
		"no answer for notaire, societe",
	);
});

test.each(all)("$is: the answer is clear, complete and filled in", ({ answer, sold }) => {
	expect(answer.heading).toMatch(/^(Oui, (il vous faut un Kbis\.$|si )|Pas de Kbis : )/);
	for (const part of [answer.document, answer.free, answer.greffe, answer.service, answer.link]) expect(part).not.toBe("");
	expect(read(answer)).not.toMatch(/[{}]|undefined/);
	expect(answer.link).toMatch(/^\[[^\]]+\]\(\/(commande|recherche)\)$|^\[[^\]]+ \(gratuit\)\]\(https:/);
	if (answer.heading.startsWith("Oui")) expect(sold).toBe(true);
});

describe("nobody is sold an unneeded document", () => {
	test.each(all.filter(({ sold }) => sold))("$is: the free route and the greffe's price come before ours", ({ answer }) => {
		expect(answer.free).toMatch(/monidenum\.fr|data\.inpi\.fr/);
		expect(Object.keys(answer).indexOf("free")).toBeLessThan(Object.keys(answer).indexOf("greffe"));
		expect(Object.keys(answer).indexOf("greffe")).toBeLessThan(Object.keys(answer).indexOf("service"));
		expect(answer.greffe).toContain("{officialPrice}");
		expect(answer.service).toContain("Inutile si");
	});

	test.each(all.filter(({ sold }) => !sold))("$is: there is nothing to buy, and no link to the order form", ({ answer }) => {
		expect(answer.heading).toMatch(/^Pas de Kbis : /);
		expect(Object.values(answer).join(" ")).not.toMatch(/\/commande|Price\}/);
		expect(answer.service).toBe("Inutile dans votre cas.");
	});

	test("an association, a micro-enterprise and a liberal profession are never offered one", () => {
		const theirs = all.filter(({ choices }) => ["association", "auto-entrepreneur", "artisan-liberal"].includes(choices.entreprise));
		expect(theirs).toHaveLength(3 * 6 * 3);
		for (const { sold, is } of theirs) expect(sold, is).toBe(false);
	});

	test("customers who only want information, or deal with the administration, have nothing to buy", () => {
		for (const { choices, sold, is } of all) if (["information", "administration"].includes(choices.demande)) expect(sold, is).toBe(false);
	});

	test("MonIdenum is always named with the places where it is not available", () => {
		for (const { answer, is } of all)
			if (answer.free.includes("monidenum.fr")) expect(answer.free, is).toContain("57, 67, 68 et en Nouvelle-Calédonie");
	});
});

test("the only amounts are the catalogue's and the configured official price", () => {
	const allowedAmounts = [...serviceCodes.map((code) => services[code].price), cents(333)].map((amount) =>
		plainSpaces(formatEuros(amount)),
	);
	const texts = [...all.map(({ answer }) => read(answer)), plainSpaces(JSON.stringify(fillIn(kbisGuide, variables)))];
	const printed = texts.flatMap((text) => text.match(/\d+(,\d+)? €/g) ?? []);
	expect(new Set(printed)).toEqual(new Set(allowedAmounts));
	expect(JSON.stringify([answerRules, kbisGuide])).not.toMatch(/\d\s*(€|euro)/);
});

test("an absent or unknown reply in the URL counts as none", () => {
	const readFrom = (query: string) => readChoices(new URLSearchParams(query));
	expect(readFrom("demande=banque&entreprise=societe&forme=pdf")).toEqual({ demande: "banque", entreprise: "societe", forme: "pdf" });
	expect(readFrom("")).toEqual({ demande: null, entreprise: null, forme: "indifferente" });
	expect(readFrom("demande=Banque&entreprise=toString&forme=__proto__")).toEqual({
		demande: null,
		entreprise: null,
		forme: "indifferente",
	});
});
