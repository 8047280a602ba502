import { isKeyOf } from "../types/objects.ts";

/** The accounts of the journal, with the numbers of the French chart of accounts (PCG) that shops usually give them. */
export const defaultAccountNumbers = {
	customers: "411000",
	disputed: "416000",
	vat: "445710",
	provider: "467000",
	suspense: "471000",
	bank: "512000",
	fees: "627000",
	losses: "654000",
	sales: "706000",
} as const;

export type AccountName = keyof typeof defaultAccountNumbers;
export type AccountNumbers = Readonly<Record<AccountName, string>>;

/**
 * Parses a setting such as `sales=706100,bank=512001`. Accounts that it omits keep their defaults.
 * @param text undefined when the variable is not set.
 * @returns the numbers, or the problem in English. The first three characters are digits (LPF art. A47 A-1).
 */
export function parseAccountNumbers(text: string | undefined): { ok: true; value: AccountNumbers } | { ok: false; problem: string } {
	const accountNumbers: Record<AccountName, string> = { ...defaultAccountNumbers };
	for (const pair of text?.split(",") ?? []) {
		const [name = "", number = "", ...rest] = pair.split("=").map((part) => part.trim());
		if (!isKeyOf(defaultAccountNumbers, name))
			return { ok: false, problem: `« ${name} » is none of ${Object.keys(defaultAccountNumbers).join(", ")}` };
		if (rest.length > 0 || !/^[1-9]\d{2}[0-9A-Z]{0,12}$/.test(number))
			return { ok: false, problem: `« ${name} » is not followed by = and an account number` };
		accountNumbers[name] = number;
	}
	return { ok: true, value: accountNumbers };
}

/** Formats account numbers as a setting, for examples. */
export const formatAccountNumbers = (numbers: Partial<AccountNumbers>): string =>
	Object.entries(numbers)
		.map(([name, number]) => `${name}=${number}`)
		.join(",");
