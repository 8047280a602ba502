import type { Context } from "../../../server/runtime.ts";
import { isUuid } from "../../../server/uuid.ts";
import type { AccessKey } from "../../orders/access.ts";
import { listDeclaration } from "../../orders/customer-requests.store.server.ts";
import { type KeyName, keyKinds, readClaim, verifyKey } from "../../orders/keys.server.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import type { Visit } from "../../orders/visit.ts";
import { isVisitOpen } from "./visits/visits.server.ts";

/** The kinds that lead to an order and say what may be asked of it. */
type OpeningKeyName = { [Name in KeyName]: (typeof keyKinds)[Name]["opens"] extends readonly [] ? never : Name }[KeyName];

/** `id`: of what the key names. `visit`: of the kinds that end with one. */
export type OpenedKey =
	| { ok: true; id: string; order: Order; access: AccessKey; visit: Visit | null }
	| { ok: false; code: "tampered" | "expired" };

/**
 * The way from a key to its order and to what its holder may ask. (The page that resumes a payment and the end of a watch know their order and
 * what they allow, and only verify the key.) The keys of an erased order are expired: nothing can verify them, because the address that their
 * signature covers is erased.
 * @param known the order, where the caller has found it; the key of another one is none.
 */
export async function openKey(context: Context, name: OpeningKeyName, token: string, known?: Order): Promise<OpenedKey> {
	const { id, access } = readClaim(name, token);
	if (access === null || !isUuid(id)) return { ok: false, code: "tampered" };
	const order = known === undefined ? await findNamed(context, name, id) : known.id === id ? known : null;
	if (order !== null && order.erased_at !== null) return { ok: false, code: "expired" };
	const read = await verifyKey(context, name, token, { subject: order ?? {}, isVisitOpen: (visit) => isVisitOpen(context, visit) });
	if (!read.ok) return read;
	return order === null ? { ok: false, code: "expired" } : { ok: true, id, order, access, visit: read.key.visit };
}

/** Finds the order that a key names, or the first one of a declaration. */
async function findNamed({ db }: Context, name: OpeningKeyName, id: string): Promise<Order | null> {
	if (keyKinds[name].names === "order") return findOrder(db, id);
	const [first] = await listDeclaration(db, id);
	return first?.order ?? null;
}
