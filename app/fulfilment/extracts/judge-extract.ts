import { day, hour, minute } from "../../../server/durations.ts";
import type { Siren } from "../../companies/siren.ts";
import type { IssueDate } from "./extract-text.ts";
import type { PdfFinding } from "./pdf-summary.ts";

/** The operator's confirmations after looking at the file. */
export interface Confirmations {
	/** The extract may be more than a day old. */
	old?: boolean;
	/** The text is not machine-readable, but the company is right. */
	unreadable?: boolean;
	/** Why it is the extract of the ordered company, although its text leaves a doubt. */
	company?: string | undefined;
	/** The date of issue, if the text has none. */
	issuedAt?: Date;
}

/** Of the reasons that operators type, in characters. */
export const maxReasonLength = 500;

/** The reason why an extract is refused. */
export type ExtractProblem =
	| "empty"
	| "too-large"
	| "picture" // a photo, where a PDF is needed
	| "photo" // where the file of the greffe is needed
	| "scan" // the same, as a PDF
	| "other-picture" // in a format that is not taken
	| "damaged-picture"
	| "large-picture"
	| "not-pdf"
	| "truncated"
	| "more-than-pdf"
	| "damaged"
	| "encrypted"
	| "heavy"
	| "no-page"
	| "too-many-pages"
	| PdfFinding
	| "unreadable"
	| "other-company"
	| "no-siren"
	| "doubtful-company" // it names the ordered one among others
	| "other-document" // not an extract of the greffe, by its text
	| "specimen"
	| "undated"
	| "future"
	| "old";

/** What the operator confirmed, or should know, of an accepted extract. */
export type ExtractWarning = "unreadable" | "company-confirmed" | "date-given" | "day-without-hour" | "old";

export type ExtractCheck =
	/** `confirmed`: the confirmations without which the extract would be refused. */
	| { ok: true; issuedAt: Date; warnings: ExtractWarning[]; confirmed: (keyof Confirmations)[] }
	/** `confirm`: the confirmation that would accept the extract, if any. */
	| { ok: false; code: ExtractProblem; confirm: keyof Confirmations | null };

/** What a file says, whatever it is for. */
export interface ExtractFacts {
	/** Refuses the file for any order; null when it may be an extract. */
	problem: ExtractProblem | null;
	/** Whether the text can be read by a machine. */
	readable: boolean;
	/** The SIREN of the extract's company; null when the text does not say for certain which one it is. */
	siren: string | null;
	/** Every SIREN in the text, the company's first. */
	sirens: string[];
	/** The text does not call itself an extract of the greffe. */
	isOtherDocument?: boolean;
	/** The date of issue in the text; null when there is none. */
	issueDate: IssueDate | null;
	/** 0 when the file was not parsed. */
	pages: number;
	/** The pages are pictures, with or without text that a scanner recognised. */
	isScan?: boolean;
	/** And the file is the PDF that the shop makes of a photo. */
	isPhoto?: boolean;
	/** And the file of the photo had no end. */
	isCut?: boolean;
}

/** Milliseconds from its issue. */
const maxAge = day;
/** Milliseconds by which the greffe's clock may be ahead. */
const maxClockSkew = 5 * minute;
/** A greffe prints its own day, which begins up to eleven hours before that of Paris (Wallis-et-Futuna). */
const maxDaySkew = 11 * hour;

/** What an extract is judged for. */
interface Judged {
	/** Of the ordered company. */
	siren: Siren;
	now: Date;
	confirmed?: Confirmations;
	/** Only where a letter is posted (docs/rules.md, R206). */
	takesPictures?: boolean;
}

/**
 * Judges what a file says: it must name the ordered company (docs/rules.md, R22) and be less than a day old. A date without an hour counts
 * from midnight in Paris, so that today's date is accepted. Only what is certain refuses a file for good; the first problem that the
 * operator's confirmations leave refuses it until they answer.
 */
export function judgeExtract(facts: ExtractFacts, { siren, now, confirmed = {}, takesPictures = false }: Judged): ExtractCheck {
	const picture = takesPictures ? null : findPicture(facts);
	const problem = picture ?? facts.problem;
	if (problem) return refuse(problem);
	const warnings: ExtractWarning[] = [];
	const doubt = findDoubt(facts, siren);
	if (doubt) {
		if (doubt === "other-company" || !confirmed.company) return refuse(doubt);
		warnings.push("company-confirmed");
	}
	if (!facts.readable) {
		if (!confirmed.unreadable) return refuse("unreadable");
		warnings.push("unreadable");
	}
	const issuedAt = facts.issueDate?.at ?? confirmed.issuedAt;
	if (issuedAt === undefined) return refuse("undated");
	const age = now.getTime() - issuedAt.getTime() + (facts.issueDate?.ahead ?? 0);
	if (-age > (facts.issueDate?.hasHour === false ? maxDaySkew : maxClockSkew)) return refuse("future");
	if (!facts.issueDate) warnings.push("date-given");
	else if (!facts.issueDate.hasHour) warnings.push("day-without-hour");
	if (age >= maxAge) {
		if (!confirmed.old) return refuse("old");
		warnings.push("old");
	}
	const used = (["unreadable", "company", "issuedAt", "old"] as const).filter((name) => warnings.includes(warningsByConfirmation[name]));
	return { ok: true, issuedAt, warnings, confirmed: used };
}

/** The confirmation that overrides each of these problems. */
const confirmationsByProblem: Partial<Record<ExtractProblem, keyof Confirmations>> = {
	unreadable: "unreadable",
	"no-siren": "company",
	"doubtful-company": "company",
	"other-document": "company",
	undated: "issuedAt",
	old: "old",
};

const warningsByConfirmation: Record<keyof Confirmations, ExtractWarning> = {
	unreadable: "unreadable",
	company: "company-confirmed",
	issuedAt: "date-given",
	old: "old",
};

const refuse = (code: ExtractProblem): ExtractCheck => ({ ok: false, code, confirm: confirmationsByProblem[code] ?? null });

/**
 * Why a file that can be read may not be of a company. `other-company`, which is certain: the text says whose it is, and does not name this
 * one. `doubtful-company`: it names others as well, and its parts do not agree that it is of this one; or a scanner has recognised another.
 */
export function findCompanyProblem(
	{ readable, siren: own, sirens, isScan }: ExtractFacts,
	siren: Siren,
): "other-company" | "no-siren" | "doubtful-company" | null {
	if (!readable || own === siren) return null;
	if (sirens.includes(siren)) return sirens.length > 1 ? "doubtful-company" : null;
	if (own === null) return "no-siren";
	return isScan ? "doubtful-company" : "other-company";
}

/** Why the text of a file does not say for certain that it is the extract of a company. */
export const findDoubt = (facts: ExtractFacts, siren: Siren) =>
	findCompanyProblem(facts, siren) ?? (facts.readable && facts.isOtherDocument ? "other-document" : null);

/** Why a file is not the greffe's own (docs/rules.md, R206): it is a photo, or its pages are pictures. Null when it may be. */
export const findPicture = ({ problem, isScan, isPhoto }: ExtractFacts): "photo" | "scan" | null =>
	problem === "picture" || isPhoto ? "photo" : isScan ? "scan" : null;
