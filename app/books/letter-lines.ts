import { type Entry, letteredAccounts } from "./entry.ts";
import type { Day } from "./month.ts";

/** The letter of a line, with the day on which its group was balanced. */
export interface Letter {
	code: string;
	day: Day;
	/** The id of the entry that balanced the group. */
	balancedBy: number;
}

/** Letters of lines by entry and position of the line. */
export type Letters = ReadonlyMap<string, Letter>;

export const getLetterKey = (entry: Pick<Entry, "id">, position: number) => `${entry.id}/${position}`;

/**
 * Letters the lines that settle each other: of each order and account, in the order of their posting, the lines since the last balance get
 * the next letter once they balance again. The rest has none.
 */
export function letterLines(entries: readonly Entry[]): Letters {
	const letters = new Map<string, Letter>();
	const groups = new Map<string, { sum: number; keys: string[]; days: Day[]; count: number }>();
	for (const entry of entries)
		for (const [position, { account, debit, credit }] of entry.lines.entries()) {
			if (!letteredAccounts.has(account)) continue;
			const name = `${account} ${entry.subject}`;
			const group = groups.get(name) ?? { sum: 0, keys: [], days: [], count: 0 };
			groups.set(name, group);
			group.sum += debit - credit;
			group.keys.push(getLetterKey(entry, position));
			group.days.push(entry.day);
			if (group.sum !== 0) continue;
			const letter = { code: formatLetter(group.count), day: group.days.sort().at(-1) ?? entry.day, balancedBy: entry.id };
			for (const key of group.keys) letters.set(key, letter);
			groups.set(name, { sum: 0, keys: [], days: [], count: group.count + 1 });
		}
	return letters;
}

/** 0 → « A », 25 → « Z », 26 → « AA » */
export function formatLetter(index: number): string {
	const rest = Math.floor(index / 26) - 1;
	return `${rest < 0 ? "" : formatLetter(rest)}${String.fromCharCode(65 + (index % 26))}`;
}
