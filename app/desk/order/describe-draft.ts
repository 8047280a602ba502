import { day } from "../../../server/durations.ts";
import { formatDay, formatHour } from "../../catalogue/instants.ts";
import type { ExtractFacts, ExtractProblem } from "../../extracts/check-extract.server.ts";
import { extractProblems } from "../../extracts/extract-sentences.ts";
import { findPicture } from "../../extracts/find-picture.ts";

/** One line of the checks of a dropped file. */
export interface DraftCheck {
	kind: "done" | "warning" | "failed";
	text: string;
}

/** What the operator has to say before a file can be delivered. */
export type DraftQuestion = "old" | "unreadable" | "date";

export interface DescribedFacts {
	checks: DraftCheck[];
	questions: DraftQuestion[];
	/** False: no confirmation makes this file the order's extract. */
	deliverable: boolean;
}

const maxAgeMs = day; // as in check-extract.server.ts

/** Describes what the checks found in a dropped file, for the operator. The checks are made again when it is delivered. */
export function describeFacts(
	facts: ExtractFacts,
	{ siren, now, takesPictures }: { siren: string; now: Date; takesPictures: boolean },
): DescribedFacts {
	const picture = takesPictures ? null : findPicture(facts);
	if (picture) return { checks: [{ kind: "failed", text: extractProblems[picture] }], questions: [], deliverable: false };
	if (facts.problem !== null)
		return { checks: [{ kind: "failed", text: describeProblem(facts, facts.problem) }], questions: [], deliverable: false };
	const checks: DraftCheck[] = [
		facts.readable
			? { kind: "done", text: `Le SIREN ${formatSiren(siren)} se lit dans l’extrait.` }
			: { kind: "warning", text: describeUnreadable(facts) },
	];
	const questions: DraftQuestion[] = facts.readable ? [] : ["unreadable"];
	const { issueDate } = facts;
	if (issueDate === null) {
		checks.push({ kind: "warning", text: "La date de délivrance ne se lit pas." });
		questions.push("date");
	} else if (issueDate.at.getTime() > now.getTime() + 300_000) {
		return { checks: [...checks, { kind: "failed", text: extractProblems.future }], questions: [], deliverable: false };
	} else if (now.getTime() - issueDate.at.getTime() >= maxAgeMs) {
		checks.push({ kind: "warning", text: `Il est daté du ${formatIssueDate(issueDate)}\u00a0: il a plus d’un jour.` });
		questions.push("old");
	} else checks.push({ kind: "done", text: `Il est daté du ${formatIssueDate(issueDate)}.` });
	return { checks, questions, deliverable: true };
}

function describeUnreadable({ isPhoto, isScan }: ExtractFacts): string {
	if (isPhoto)
		return "C’est une photo, mise sur une page A4. Vérifiez qu’elle est entière et nette, et comparez le SIREN et la date vous-même.";
	const what = isScan ? "C’est un document numérisé\u00a0: son texte ne se lit pas." : "Le texte de ce PDF ne se lit pas.";
	return `${what} Comparez le SIREN et la date vous-même.`;
}

function describeProblem({ siren }: ExtractFacts, problem: ExtractProblem): string {
	if (problem === "other-company" && siren !== null) return `Cet extrait est celui d’une autre entreprise, SIREN ${formatSiren(siren)}.`;
	return extractProblems[problem];
}

const formatIssueDate = ({ at, hasHour }: { at: Date; hasHour: boolean }) =>
	hasHour ? `${formatDay(at)} à ${formatHour(at)}` : formatDay(at);

/** « 552 032 534 », with no-break spaces. */
export const formatSiren = (siren: string): string => siren.replace(/(\d{3})(\d{3})(\d{3})/, "$1\u00a0$2\u00a0$3");

/** « 184 ko », « 2,1 Mo ». */
export const formatBytes = (bytes: number): string =>
	bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))}\u00a0ko` : `${(bytes / 1_000_000).toFixed(1).replace(".", ",")}\u00a0Mo`;
