import { createHash, randomBytes } from "node:crypto";
import type { Runtime } from "../../server/runtime.ts";
import { typedEntries, typedFromEntries } from "../../server/types/objects.ts";
import { orderFormHours } from "../catalogue/retention.ts";
import { toStorableLine } from "../forms/text.ts";
import { clearUnusedFields, getMaxLength, type OrderValues } from "./order-form.ts";
import { type FormLine, findForm, insertForm, type StoredForm, updateForm, updateOrderKey } from "./order-forms.store.server.ts";

export { deleteExpiredForms, deleteFormsByEmail, type FormLine, listFormsByEmail, type StoredForm } from "./order-forms.store.server.ts";

/**
 * Order forms on the server, between the form and the payment: the link of a step names a form by an unguessable token, so that no
 * address contains personal data. The fields are plain, as in the order that they become: a person's export and erasure find them.
 */

export type StoreOutcome = { ok: true; token: string } | { ok: false; code: "limited"; retryAfter: number };

const hour = 3600;

/** Forms of one client in an hour, for each order that the client may place. */
const formsPerOrder = 4;

/** Changes of forms of several orders, whose lines are corrected and removed one at a time. */
const changesPerOrder = 20;

/**
 * Stores a form for `orderFormHours`: that of one order once it is checked, that of several after each change.
 * @param token of the form that the customer changes; unknown or expired: the form gets a new one.
 * @param client the client's key for the limit.
 * @param lines of a purchase of several orders; null: the values are of one order.
 */
export async function storeForm(
	{ db, now, limits, environment: { orderLimits } }: Runtime,
	values: OrderValues,
	{ token, client, lines = null }: { token: string | null; client: string; lines?: readonly FormLine[] | null },
): Promise<StoreOutcome> {
	const isChange = lines !== null && token !== null && (await findForm(db, hashToken(token), now())) !== null;
	if (orderLimits) {
		const [name, most] = isChange ? ["order-form-changes", changesPerOrder] : ["order-forms", formsPerOrder];
		const taken = await limits(name, most * orderLimits.client, hour).take(client);
		if (!taken.ok) return { ok: false, code: "limited", retryAfter: taken.retryAfter };
	}
	// which fields count in a purchase of several depends on the services of its lines
	const used = lines === null ? clearUnusedFields(values) : toStorableValues(values);
	const fields = typedFromEntries(typedEntries(used).filter(([, text]) => text !== ""));
	const at = now();
	const expiresAt = new Date(at.getTime() + orderFormHours * hour * 1000);
	const content = { fields, lines };
	if (token !== null && (await updateForm(db, hashToken(token), content, { expiresAt, now: at }))) return { ok: true, token };
	const created = randomBytes(32).toString("base64url");
	await insertForm(db, hashToken(created), content, expiresAt);
	return { ok: true, token: created };
}

/** One character more than allowed stays, so that a text that is too long is refused and not shortened without a word. */
const toStorableValues = (values: OrderValues): OrderValues =>
	typedFromEntries(typedEntries(values).map(([field, text]) => [field, toStorableLine(text, getMaxLength(field) + 1)] as const));

/** @returns the form of a link, or null when it has expired or never existed. */
export async function findStoredForm({ db, now }: Pick<Runtime, "db" | "now">, token: string): Promise<StoredForm | null> {
	return findForm(db, hashToken(token), now());
}

/**
 * Gives a form a new key, so that it may place another order. Concurrent calls get the same key.
 * @returns the key; null when the form has expired or has other fields by now.
 */
export async function renewOrderKey({ db, now }: Pick<Runtime, "db" | "now">, token: string, form: StoredForm): Promise<string | null> {
	return updateOrderKey(db, hashToken(token), form, now());
}

const hashToken = (token: string) => createHash("sha256").update(token).digest();
