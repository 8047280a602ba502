/** Days for which a share works (docs/rules.md, R160). */
export const shareDays = { default: 7, min: 1, max: 90 } as const;

/** Active shares of the documents of one order. */
export const maxShares = 20;

/** Characters of the name that the customer gives a link, and of each of the two fields that its reader sees. */
export const maxLabelLength = 60;
export const codeLength = { min: 4, max: 60 } as const;

/** Wrong passcodes, of all clients together, after which a share stays closed. Four digits are found in one of two hundred cases by then. */
export const maxCodeFailures = 50;

/**
 * Whether a reader may see what the customer typed: nothing in it is an address, so that a page of ours leads nobody elsewhere
 * (docs/decisions/0073-links-that-say-what-they-open.md).
 */
export const hasNoAddress = (text: string): boolean => !/@|:\/\/|[\p{L}\d]\.[\p{Ll}]{2}/u.test(text);

/** `blocked`: too many wrong passcodes. */
export type ShareState = "active" | "revoked" | "expired" | "blocked";

export function getShareState(
	{ revoked_at, expires_at, code_failures }: { revoked_at: Date | null; expires_at: Date; code_failures: number },
	now: Date,
): ShareState {
	if (revoked_at !== null) return "revoked";
	if (expires_at <= now) return "expired";
	return code_failures >= maxCodeFailures ? "blocked" : "active";
}
