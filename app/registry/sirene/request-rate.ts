/** Requests per minute. Source: portail-api.insee.fr, plan « Accès public » of the API Sirene. */
export const maxRequestsPerMinute = 30;
/** Milliseconds. Slightly more than a minute, because INSEE counts requests when they arrive. */
const windowMs = 61_000;

/**
 * Returns the milliseconds to wait before the next request.
 * @param sentAt the instants of earlier requests in milliseconds, oldest first.
 */
export function getWaitMs(sentAt: readonly number[], now: number): number {
	const oldest = sentAt.at(-maxRequestsPerMinute);
	return sentAt.length < maxRequestsPerMinute || oldest === undefined ? 0 : Math.max(0, oldest + windowMs - now);
}
