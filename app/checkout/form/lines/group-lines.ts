import { formatExtractCount } from "../../../orders/order.ts";
import type { FormPage } from "../form-state.ts";
import type { CheckedLine } from "./checked-line.ts";

/** The lines of a list as its page shows them (docs/rules.md, R237). Each keeps its place in what was sent. */
export interface GroupedLines {
	/** They need the customer: they are not ordered, or there is something to read about them. */
	open: CheckedLine[];
	/** Good lines of a long list. */
	folded: CheckedLine[];
	/** « 187 extraits à commander, 1 à vérifier, 3 à corriger » */
	counts: string;
}

/** A list of as many lines shows all of them. */
export const mostOpenLines = 12;

/** Whether a line is to be corrected, or has something to read. */
export const asksSomething = ({ company, problem, remarks }: CheckedLine): boolean =>
	problem !== null || remarks.length > 0 || (company !== null && company.notices.length > 0);

/** @returns first the lines to correct, then those to read, then the good ones. */
export function groupLines({ lines, errors, unseen }: Pick<FormPage, "lines" | "errors" | "unseen">): GroupedLines {
	const isWrong = ({ place, problem }: CheckedLine) => problem !== null || errors[`ligne-${place}`] !== undefined;
	const isRead = (line: CheckedLine) => asksSomething(line) || unseen.includes(line.place);
	const wrong = lines.filter(isWrong);
	const toRead = lines.filter((line) => !isWrong(line) && isRead(line));
	const good = lines.filter((line) => !isWrong(line) && !isRead(line));
	const counts = describeCounts(good.length, toRead.length, wrong.length);
	return lines.length <= mostOpenLines
		? { open: [...wrong, ...toRead, ...good], folded: [], counts }
		: { open: [...wrong, ...toRead], folded: good, counts };
}

/** « 187 extraits à commander, 3 à corriger »: what there is none of is left out, and the first has the noun. */
export function describeCounts(ready: number, toRead = 0, wrong = 0): string {
	const parts = [
		{ count: ready, state: "à commander" },
		{ count: toRead, state: "à vérifier" },
		{ count: wrong, state: "à corriger" },
	].filter(({ count }) => count > 0);
	const [first, ...others] = parts;
	if (!first) return "Aucune entreprise";
	return [`${formatExtractCount(first.count)} ${first.state}`, ...others.map(({ count, state }) => `${count} ${state}`)].join(", ");
}

/**
 * Where the page continues after a line is removed: at the line that is shown after it, or else before it.
 * @param shown the lines in the order of the page. @returns the id of that line by the place of the removed one; without any, none.
 */
export function listNextLines(shown: readonly CheckedLine[]): Map<number, `ligne-${number}`> {
	return new Map(
		shown.flatMap(({ place }, index) => {
			const next = shown[index + 1] ?? shown[index - 1];
			return next ? [[place, `ligne-${next.place > place ? next.place - 1 : next.place}`] as const] : [];
		}),
	);
}
