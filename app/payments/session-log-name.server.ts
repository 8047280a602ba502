import { createHash } from "node:crypto";

/**
 * The name of a payment session in the log. Its id opens the confirmation page, so the log must not contain it.
 * @returns the same as `printf %s <id> | sha256sum | cut -c1-16`.
 */
export function sessionLogName(sessionId: string): string {
	return createHash("sha256").update(sessionId).digest("hex").slice(0, 16);
}
