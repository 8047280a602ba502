import { randomUUID } from "node:crypto";
import type { Context } from "../../../../server/runtime.ts";
import { typedKeys } from "../../../../server/types/objects.ts";
import { keyKinds } from "../../../orders/keys.server.ts";
import type { Visit } from "../../../orders/visit.ts";
import { endSessionById, isSessionOpen } from "../../sign-in/sessions.server.ts";
import { deleteEndedVisits, hasEndedVisit, insertEndedVisit } from "./visits.store.server.ts";

export const createVisit = (): Visit => ({ kind: "own", id: randomUUID() });

/** Asks the database, so that a visit ends at once in every process. */
export const isVisitOpen = async ({ db, now }: Context, { kind, id }: Visit): Promise<boolean> =>
	kind === "space" ? isSessionOpen(db, id) : !(await hasEndedVisit(db, id, { since: getOldestKey(now()) }));

/** Ends a visit; one that came from the customer's space ends the session there. Also deletes what no key can name any more. */
export async function endVisit({ db, now }: Context, { kind, id }: Visit): Promise<void> {
	if (kind === "space") return endSessionById(db, id);
	await insertEndedVisit(db, { id, now: now() });
	await deleteEndedVisits(db, getOldestKey(now()));
}

/** The longest lifetime of a key that ends with a visit. */
const keySeconds = Math.max(...typedKeys(keyKinds).map((name) => (keyKinds[name].endsWith === "visit" ? keyKinds[name].seconds : 0)));

/** When the oldest key was made that may still be valid. */
const getOldestKey = (now: Date) => new Date(now.getTime() - keySeconds * 1000);
