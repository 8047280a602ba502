import Stripe from "stripe";
import type { Outage, Refusal } from "../provider.ts";

/** Calls of Stripe's API, whose errors become outcomes. */

/** Calls Stripe and turns its errors into outcomes, without their messages: these may quote the customer's input. */
export async function attempt<Value>(
	call: () => Promise<Value>,
	outcome = toOutcome,
): Promise<{ ok: true; value: Value } | Outage | Refusal> {
	try {
		return { ok: true, value: await call() };
	} catch (error) {
		if (!(error instanceof Stripe.errors.StripeError)) throw error;
		return outcome(error);
	}
}

/** A read. Null when the object does not exist; any other refusal is a bug of ours. */
export async function read<Value>(call: () => Promise<Value>): Promise<{ ok: true; value: Value | null } | Outage> {
	const found = await attempt(call);
	if (found.ok || found.code === "unavailable") return found;
	if (found.providerCode === "resource_missing") return { ok: true, value: null };
	throw new Error(`Stripe refuses a question: ${found.providerCode}`);
}

/** Reads a list, which is empty when the object does not exist whose list it is. */
export async function list<Value>(call: () => Promise<Value[]>): Promise<{ ok: true; values: Value[] } | Outage> {
	const found = await read(call);
	return found.ok ? { ok: true, values: found.value ?? [] } : found;
}

/** Finds an object by its id. Stripe is not asked about an id of another format. */
export async function find<Value>(
	id: string,
	shape: RegExp,
	call: () => Promise<Value>,
): Promise<{ ok: true; value: Value | null } | Outage> {
	return shape.test(id) ? read(call) : { ok: true, value: null };
}

/**
 * No status: the network failed. 409: another request with the same key is running. 401, 403: our API key is wrong, and a retry may
 * succeed once it is corrected. 500: Stripe stores the error under the idempotency key.
 * Source: docs.stripe.com/api/errors, docs.stripe.com/error-low-level, docs.stripe.com/api/idempotent_requests.
 */
function toOutcome(error: Stripe.errors.StripeError): Outage | Refusal {
	const { statusCode } = error;
	const later = statusCode === undefined || statusCode >= 500 || [401, 403, 409, 429].includes(statusCode);
	return later ? { ok: false, code: "unavailable", ...(statusCode === 500 && { keyUsedUp: true }) } : toRefusal(error);
}

/**
 * Stripe repeats a stored error for a day, so a replayed error is a refusal. If the failed call created a session, nobody has its URL:
 * another one may be created under another key.
 */
export function toCreationOutcome(error: Stripe.errors.StripeError): Outage | Refusal {
	return error.headers?.["idempotent-replayed"] === "true" ? toRefusal(error) : toOutcome(error);
}

const toRefusal = ({ statusCode, code, rawType, param }: Stripe.errors.StripeError): Refusal => ({
	ok: false,
	code: "refused",
	providerCode: code ?? rawType ?? String(statusCode),
	...(param && { parameter: param }),
});

export const getId = (expandable: string | { id: string } | null | undefined): string | null =>
	typeof expandable === "string" ? expandable : (expandable?.id ?? null);
