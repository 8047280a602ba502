/** INSEE answers 30 requests a minute. Source: portail-api.insee.fr, plan « Accès public » of the API Sirene. */
export const mostRequests = 30;
/** A little more than a minute, as INSEE counts requests when they arrive. */
const span = 61_000;

/**
 * How long to wait before the next request may leave.
 * @param sent instants at which requests left, oldest first; instants and the answer are in milliseconds.
 */
export function waitBefore(sent: readonly number[], now: number): number {
	const first = sent.at(-mostRequests);
	return sent.length < mostRequests || first === undefined ? 0 : Math.max(0, first + span - now);
}
