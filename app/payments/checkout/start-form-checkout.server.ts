import { renewOrderKey, type StoredForm } from "../../order-form/order-forms.server.ts";
import { isPayable } from "../../orders/lifecycle.ts";
import { findOrder, findOrderByKey } from "../../orders/orders.server.ts";
import type { PaymentShop } from "../payment-shop.ts";
import { listSessions } from "../payments.store.server.ts";
import { type Checkout, type CheckoutOutcome, type CheckoutRefusal, resumeCheckout, startCheckout } from "./start-checkout.server.ts";

export type FormCheckoutOutcome =
	| Extract<CheckoutOutcome, { ok: true }>
	/** `orderKey`: the key that the form has by now. */
	| (CheckoutRefusal & { orderKey: string })
	/** The form's order is paid, or waits for the operator. `sessionId`: of its confirmation. */
	| { ok: false; code: "already-placed"; sessionId: string }
	/** The form has other fields by now. */
	| { ok: false; code: "form-changed" };

/**
 * Starts the checkout of a stored form. Its key has one order: a second submit resumes or shows that order, even if the register or the
 * catalogue would refuse it by now. A new key is only for a form whose order has failed for good, as two payments must never be possible
 * (docs/decisions/0026-forms-on-the-server.md).
 */
export async function startFormCheckout(
	shop: PaymentShop,
	checkout: Omit<Checkout, "idempotencyKey">,
	{ token, fields, orderKey }: StoredForm & { token: string },
): Promise<FormCheckoutOutcome> {
	const placed = await findOrderByKey(shop.db, orderKey);
	if (placed === null) return startUnderKey(shop, checkout, orderKey);
	const resumed = await resumeCheckout(shop, placed, checkout.client);
	if (resumed.ok) return resumed;
	const order = await findOrder(shop.db, placed.id);
	// deleted meanwhile: the next submit places another
	if (order === null || isPayable(order)) return { ...resumed, orderKey };
	if (order.status !== "failed" || order.set_aside_at !== null) {
		const sessions = await listSessions(shop.db, order.purchase_id);
		const shown = sessions.find(({ status }) => status === "complete") ?? sessions[0];
		return shown ? { ok: false, code: "already-placed", sessionId: shown.id } : { ...resumed, orderKey };
	}
	const newKey = await renewOrderKey(shop, token, { fields, orderKey });
	return newKey === null ? { ok: false, code: "form-changed" } : startUnderKey(shop, checkout, newKey);
}

async function startUnderKey(
	shop: PaymentShop,
	checkout: Omit<Checkout, "idempotencyKey">,
	orderKey: string,
): Promise<FormCheckoutOutcome> {
	const started = await startCheckout(shop, { ...checkout, idempotencyKey: orderKey });
	return started.ok ? started : { ...started, orderKey };
}
