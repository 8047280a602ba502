const kinds: Record<number, string> = { 403: "refused", 429: "limited" };

/**
 * What the log says beside a request that was refused for safety: a security event (OWASP ASVS 5.0, 16.3); null for any other.
 * The line has neither address nor e-mail, only the route's pattern.
 */
export function securityEvent(path: string, status: number): { event: "security"; kind: string } | null {
	// the only refusal of a payment event as such: its signature
	const kind = path === "/api/stripe/webhook" && status === 400 ? "signature" : kinds[status];
	return kind === undefined ? null : { event: "security", kind };
}
