/**
 * What opened an order in a browser: all orders that were opened from there, such as the lines of a purchase, end together. `space`: a
 * session of the customer's space, with its id. `own`: anything else.
 */
export interface Visit {
	kind: "space" | "own";
	id: string;
}

/** As a key names it. */
export const formatVisit = ({ kind, id }: Visit): string => `${kind}-${id}`;

/** @returns null for anything else than a visit. */
export function parseVisit(text: string): Visit | null {
	const kind = (["space", "own"] as const).find((kind) => text.startsWith(`${kind}-`));
	return kind === undefined ? null : { kind, id: text.slice(kind.length + 1) };
}
