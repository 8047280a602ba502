import { randomUUID } from "node:crypto";
import type { Context } from "../../../server/runtime.ts";
import { endSessionById, isSessionOpen } from "../../customer-sign-in/sessions.server.ts";
import { trackingCookieLifetime } from "../../orders/tracking-tokens.server.ts";
import { deleteEndedVisits, hasEndedVisit, insertEndedVisit } from "./visits.store.server.ts";

/**
 * What opened an order in a browser: all orders that were opened from there, such as the lines of a purchase, end together. `space`: a
 * session of the customer's space, with its id. `own`: anything else.
 */
export interface Visit {
	kind: "space" | "own";
	id: string;
}

export const createVisit = (): Visit => ({ kind: "own", id: randomUUID() });

/** As cookies name it, beside a token whose signature covers it: only then is it read from the database. */
export const formatVisit = ({ kind, id }: Visit): string => `${kind}-${id}`;

/** @returns null for anything else than a visit. */
export function parseVisit(text: string): Visit | null {
	const kind = (["space", "own"] as const).find((kind) => text.startsWith(`${kind}-`));
	return kind === undefined ? null : { kind, id: text.slice(kind.length + 1) };
}

/** Asks the database, so that a visit ends at once in every process. */
export const isVisitOpen = async ({ db, now }: Context, { kind, id }: Visit): Promise<boolean> =>
	kind === "space" ? isSessionOpen(db, id) : !(await hasEndedVisit(db, id, { since: getOldestCookie(now()) }));

/** Ends a visit; one that came from the customer's space ends the session there. Also deletes what no cookie can name any more. */
export async function endVisit({ db, now }: Context, { kind, id }: Visit): Promise<void> {
	if (kind === "space") return endSessionById(db, id);
	await insertEndedVisit(db, { id, now: now() });
	await deleteEndedVisits(db, getOldestCookie(now()));
}

/** When the oldest cookie was made that may still be valid. */
const getOldestCookie = (now: Date) => new Date(now.getTime() - trackingCookieLifetime * 1000);
