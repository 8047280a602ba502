import { createHash } from "node:crypto";
import type { Runtime } from "../../../server/runtime.ts";
import { typedEntries, typedFromEntries, typedKeys } from "../../../server/types/objects.ts";
import { orderFormHours } from "../../catalogue/retention.ts";
import { toStorableLine } from "../../ui/forms/text.ts";
import { createBrowserSecret, createFormCookies, createFormToken, isFormOf, readBrowserSecrets } from "./form-browser.server.ts";
import type { FormLine } from "./form-line.ts";
import { getMaxLength, type OrderField, type OrderValues } from "./order-form.ts";
import { findForm, insertForm, type StoredForm, updateForm, updateOrderKey } from "./order-forms.store.server.ts";

export { deleteExpiredForms, deleteFormsByEmail, listFormsByEmail, type StoredForm } from "./order-forms.store.server.ts";

/**
 * Order forms on the server, between the form and the payment: the link of a step names a form by an unguessable token, so that no
 * address contains personal data. The fields are plain, as in the order that they become: a person's export and erasure find them.
 */

export type StoreOutcome =
	/** `headers`: the cookies by which the browser that typed the form is known. */
	{ ok: true; token: string; headers: Headers } | { ok: false; code: "limited"; retryAfter: number };

/** A stored form, as one browser may see it (docs/rules.md, R215). */
export interface OpenedForm extends StoredForm {
	token: string;
	/** What pages may show of `fields`, which go on to the payment whole. */
	shown: Partial<OrderValues>;
	/** This browser typed it. */
	isOwn: boolean;
	/** Something that was typed is not shown. */
	isMasked: boolean;
}

/** What a form shows in any browser: what is ordered, not by whom. */
const publicFields: readonly OrderField[] = ["service"];

const hour = 3600;

/** Forms of one client in an hour, for each order that the client may place. */
const formsPerOrder = 4;

/** Changes of a client's own forms, whose lines are corrected and removed one at a time. */
const changesPerOrder = 20;

/** What was typed in a form, or filled in for its customer. */
export interface OrderForm {
	values: OrderValues;
	lines: readonly FormLine[];
	/** The rows of a list that name no company, for the page that shows the form next. */
	leftOut?: readonly string[];
}

interface FormSource {
	request: Request | null;
	token: string | null;
	client: string;
}

/**
 * Stores a form for `orderFormHours`.
 * @param request whose cookie says which browser typed the form; null: of a page to which that cookie is not sent.
 * @param token of the form that the customer changes. Unknown, expired or typed in another browser: the form gets a new one, and the
 * other stays as it is.
 * @param client the client's key for the limit.
 */
export async function storeForm(
	runtime: Runtime,
	{ values, lines, leftOut = [] }: OrderForm,
	{ request, token, client }: FormSource,
): Promise<StoreOutcome> {
	const { db, now, limits, environment } = runtime;
	const secrets = request === null ? [] : readBrowserSecrets(runtime, request);
	const secret = findOwner(secrets, token) ?? secrets[0] ?? createBrowserSecret();
	const own = token !== null && isFormOf(secret, token) ? token : null;
	const isChange = own !== null && (await findForm(db, hashToken(own), now())) !== null;
	if (environment.orderLimits) {
		const [name, most] = isChange ? ["order-form-changes", changesPerOrder] : ["order-forms", formsPerOrder];
		const taken = await limits(name, most * environment.orderLimits.client, hour).take(client);
		if (!taken.ok) return { ok: false, code: "limited", retryAfter: taken.retryAfter };
	}
	const fields = typedFromEntries(typedEntries(toStorableValues(values)).filter(([, text]) => text !== ""));
	const at = now();
	const expiresAt = new Date(at.getTime() + orderFormHours * hour * 1000);
	const content = { fields, lines, leftOut };
	const headers = createFormCookies(runtime, secret);
	if (own !== null && (await updateForm(db, hashToken(own), content, { expiresAt, now: at }))) return { ok: true, token: own, headers };
	const created = createFormToken(secret);
	await insertForm(db, hashToken(created), content, expiresAt);
	return { ok: true, token: created, headers };
}

/** @returns the secret of the browser that typed the form of a token; undefined: it is none of these. */
const findOwner = (secrets: readonly string[], token: string | null): string | undefined =>
	secrets.find((secret) => token !== null && isFormOf(secret, token));

/** One character more than allowed stays, so that a text that is too long is refused and not shortened without a word. */
const toStorableValues = (values: OrderValues): OrderValues =>
	typedFromEntries(typedEntries(values).map(([field, text]) => [field, toStorableLine(text, getMaxLength(field) + 1)] as const));

/** @returns the form of a link as the browser of a request may see it, or null when it has expired or never existed. */
export async function openStoredForm(
	runtime: Pick<Runtime, "db" | "now" | "environment" | "signer">,
	request: Request,
	token: string,
): Promise<OpenedForm | null> {
	const form = await findStoredForm(runtime, token);
	if (form === null) return null;
	const { isOwn } = recogniseBrowser(runtime, request, token);
	const masked = isOwn ? [] : typedKeys(form.fields).filter((field) => !publicFields.includes(field));
	const shown = { ...form.fields };
	for (const field of masked) delete shown[field];
	return { ...form, leftOut: isOwn ? form.leftOut : [], token, shown, isOwn, isMasked: masked.length > 0 };
}

/**
 * What the cookies of a request say of its browser.
 * @returns `isOwn`: it typed the form of the token. `isKnown`: it typed some form, so it takes cookies, and finds a form again by its link.
 */
export function recogniseBrowser(runtime: Pick<Runtime, "now" | "environment" | "signer">, request: Request, token: string | null) {
	const secrets = readBrowserSecrets(runtime, request);
	return { isOwn: findOwner(secrets, token) !== undefined, isKnown: secrets.length > 0 };
}

/** @returns what is stored under a token, or null when it has expired or never existed. */
export const findStoredForm = ({ db, now }: Pick<Runtime, "db" | "now">, token: string): Promise<StoredForm | null> =>
	findForm(db, hashToken(token), now());

/**
 * Gives a form a new key, so that it may place another order. Concurrent calls get the same key.
 * @returns the key; null when the form has expired or has other fields by now.
 */
export async function renewOrderKey({ db, now }: Pick<Runtime, "db" | "now">, token: string, form: StoredForm): Promise<string | null> {
	return updateOrderKey(db, hashToken(token), form, now());
}

const hashToken = (token: string) => createHash("sha256").update(token).digest();
