const kindsByStatus: Record<number, string> = { 403: "refused", 429: "limited" };

/**
 * Returns the log fields of a request refused for security (OWASP ASVS 5.0, 16.3); null for other requests.
 * @param route its pattern.
 */
export function findSecurityEvent(route: string, status: number): { event: "security"; kind: string } | null {
	// the webhook answers 400 only to a wrong signature
	const kind = route === "/api/stripe/webhook" && status === 400 ? "signature" : kindsByStatus[status];
	return kind === undefined ? null : { event: "security", kind };
}
