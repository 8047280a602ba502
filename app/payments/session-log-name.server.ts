import { createHash } from "node:crypto";

/**
 * A payment session as the log names it: its id opens the confirmation page, so no log may hold it.
 * @returns the same as `printf %s <id> | sha256sum | cut -c1-16`.
 */
export function sessionLogName(sessionId: string): string {
	return createHash("sha256").update(sessionId).digest("hex").slice(0, 16);
}
