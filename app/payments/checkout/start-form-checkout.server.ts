import { renewOrderKey, type StoredForm } from "../../order-form/order-forms.server.ts";
import { isPayable } from "../../orders/lifecycle.ts";
import { findOrderByKey } from "../../orders/orders.server.ts";
import type { PaymentShop } from "../payment-shop.ts";
import { listSessions } from "../payments.store.server.ts";
import { refreshOrder, resumePayment } from "./resume-payment.server.ts";
import { type Checkout, type CheckoutOutcome, startCheckout } from "./start-checkout.server.ts";

export type FormCheckoutOutcome =
	| CheckoutOutcome
	/** The form's order is paid, or waits for the operator. `sessionId`: of its confirmation. */
	| { ok: false; code: "already-placed"; sessionId: string }
	/** The form has other fields by now. */
	| { ok: false; code: "form-changed" };

/**
 * Starts the checkout of a stored form. Its key has one order: a second submit resumes or shows that order, even if the register or the
 * terms have changed since. A new key is only for a form whose order has failed for good, as two payments must never be possible
 * (docs/decisions/0026-forms-on-the-server.md).
 */
export async function startFormCheckout(
	shop: PaymentShop,
	checkout: Omit<Checkout, "idempotencyKey">,
	{ token, fields, orderKey }: StoredForm & { token: string },
): Promise<FormCheckoutOutcome> {
	const started = await startCheckout(shop, { ...checkout, idempotencyKey: orderKey });
	if (started.ok || (started.code !== "key-reused" && started.code !== "already-paid")) return started;
	const placed = await findOrderByKey(shop.db, orderKey);
	const order = placed && (await refreshOrder(shop, placed.id));
	if (order === null) return started; // deleted meanwhile: the next submit places another
	if (isPayable(order)) {
		const opened = await resumePayment(shop, order, checkout.client);
		return opened.ok ? { ...opened, orderId: order.id } : opened;
	}
	if (order.status !== "failed" || order.set_aside_at !== null) {
		const sessions = await listSessions(shop.db, order.id);
		const shown = sessions.find(({ status }) => status === "complete") ?? sessions[0];
		return shown ? { ok: false, code: "already-placed", sessionId: shown.id } : started;
	}
	const newKey = await renewOrderKey(shop, token, { fields, orderKey });
	return newKey === null ? { ok: false, code: "form-changed" } : startCheckout(shop, { ...checkout, idempotencyKey: newKey });
}
