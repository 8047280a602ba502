import { expiringToken, type Signer } from "../../server/signing.ts";
import { typedKeys } from "../../server/types/objects.ts";

const seconds = 1800;

/** Open the confirmation of a withdrawal for half an hour. They name an order, and each key has its own. */
export const declarationTokens = {
	purchase: expiringToken("withdrawal", seconds),
	line: expiringToken("withdrawal-line", seconds),
} as const;

/** Open the receipt of a withdrawal for half an hour. They name a declaration. */
export const receiptTokens = {
	purchase: expiringToken("withdrawal-receipt", seconds),
	line: expiringToken("withdrawal-receipt-line", seconds),
} as const;

/** @returns what a token names, and the key with which it was made; null for any other token and after its time. */
export function readKeyToken(
	tokens: typeof declarationTokens | typeof receiptTokens,
	signer: Signer,
	token: string,
	now: Date,
): { id: string; access: "purchase" | "line" } | null {
	for (const access of typedKeys(tokens)) {
		const read = tokens[access].read(signer, token, now);
		if (read.ok) return { id: read.id, access };
	}
	return null;
}
