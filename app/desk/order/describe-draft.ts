import { formatDay, formatHour } from "../../catalogue/instants.ts";
import { formatSiren, type Siren } from "../../companies/siren.ts";
import { extractProblems } from "../../fulfilment/extracts/extract-sentences.ts";
import { type ExtractFacts, type ExtractProblem, findDoubt, judgeExtract } from "../../fulfilment/extracts/judge-extract.ts";

/** One line of the checks of a dropped file. */
export interface DraftCheck {
	kind: "done" | "warning" | "failed";
	text: string;
}

/** What the operator has to say before a file can be delivered. */
export type DraftQuestion = "old" | "unreadable" | "company" | "date";

export interface DescribedFacts {
	checks: DraftCheck[];
	questions: DraftQuestion[];
	/** False: no confirmation makes this file the order's extract. */
	deliverable: boolean;
}

/** Describes what a dropped file says, for the operator, as it is judged when it is delivered. */
export function describeFacts(
	facts: ExtractFacts,
	{ siren, now, takesPictures }: { siren: Siren; now: Date; takesPictures: boolean },
): DescribedFacts {
	const everything = { old: true, unreadable: true, company: "vu", issuedAt: now };
	const judged = judgeExtract(facts, { siren, now, takesPictures, confirmed: everything });
	const named = describeCompany(facts, siren);
	if (!judged.ok) {
		const failed: DraftCheck = { kind: "failed", text: describeProblem(facts, judged.code) };
		return { checks: judged.code === "future" ? [named, failed] : [failed], questions: [], deliverable: false };
	}
	const questions = judged.confirmed.map((name) => (name === "issuedAt" ? "date" : name));
	return { checks: [named, describeDate(facts, questions.includes("old"))], questions, deliverable: true };
}

function describeCompany(facts: ExtractFacts, siren: Siren): DraftCheck {
	if (!facts.readable) return { kind: "warning", text: describeUnreadable(facts) };
	const doubt = findDoubt(facts, siren);
	if (doubt === null) return { kind: "done", text: `Le SIREN ${formatSiren(siren)} se lit dans l’extrait.` };
	const others = facts.sirens.filter((each) => each !== siren).slice(0, maxNamedSirens);
	const read = others.length > 0 ? ` SIREN lus aussi\u00a0: ${others.map(formatSiren).join(", ")}.` : "";
	return { kind: "warning", text: extractProblems[doubt] + (doubt === "other-document" ? "" : read) };
}

/** Of the other companies in an extract. */
const maxNamedSirens = 3;

function describeDate({ issueDate }: ExtractFacts, isOld: boolean): DraftCheck {
	if (issueDate === null) return { kind: "warning", text: "La date de délivrance ne se lit pas." };
	const dated = `Il est daté du ${formatIssueDate(issueDate)}`;
	return isOld ? { kind: "warning", text: `${dated}\u00a0: il a plus d’un jour.` } : { kind: "done", text: `${dated}.` };
}

function describeUnreadable({ isPhoto, isCut, isScan }: ExtractFacts): string {
	if (isPhoto && isCut)
		return "C’est une photo dont le fichier s’arrête avant la fin\u00a0: le bas manque peut-être. S’il manque, reprenez-la. Sinon, comparez le SIREN et la date vous-même.";
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

/** « 184 ko », « 2,1 Mo ». */
export const formatBytes = (bytes: number): string =>
	bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))}\u00a0ko` : `${(bytes / 1_000_000).toFixed(1).replace(".", ",")}\u00a0Mo`;
