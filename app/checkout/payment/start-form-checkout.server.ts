import { isPayable } from "../../orders/lifecycle.ts";
import { findOrder, findOrderByKey, listOrdersOfPurchase } from "../../orders/orders.store.server.ts";
import type { PaymentShop } from "../../payments/payment-shop.ts";
import { listSessions } from "../../payments/payments.store.server.ts";
import { renewOrderKey, type StoredForm } from "../form/order-forms.server.ts";
import { type Checkout, type CheckoutOutcome, type CheckoutRefusal, resumeCheckout, startCheckout } from "./start-checkout.server.ts";

export type FormCheckoutOutcome =
	| Extract<CheckoutOutcome, { ok: true }>
	/** `orderKey`: the key that the form has by now. */
	| (CheckoutRefusal & { orderKey: string })
	/** The form's order is paid, or waits for the operator. `sessionId`: of its confirmation. */
	| { ok: false; code: "already-placed"; sessionId: string }
	/** The form has other fields by now. */
	| { ok: false; code: "form-changed" };

export type OpenedStoredForm = StoredForm & { token: string };

/**
 * Starts the checkout of a stored form. Its key has one purchase: a second submit resumes or shows that purchase, even if the register or
 * the catalogue would refuse it by now. A new key is only for a form whose purchase has failed for good, with all its orders, as two
 * payments must never be possible (docs/decisions/0026-forms-on-the-server.md).
 */
export async function startFormCheckout(
	shop: PaymentShop,
	checkout: Omit<Checkout, "idempotencyKey" | "lines">,
	{ token, ...form }: OpenedStoredForm,
): Promise<FormCheckoutOutcome> {
	const { orderKey, lines } = form;
	const { client } = checkout;
	const startUnder = async (idempotencyKey: string) => {
		const started = await startCheckout(shop, { ...checkout, lines, idempotencyKey });
		return started.ok ? started : { ...started, orderKey: idempotencyKey };
	};
	const placed = await findOrderByKey(shop.db, orderKey);
	if (placed === null) return startUnder(orderKey);
	const resumed = await resumeCheckout(shop, placed, client);
	if (resumed.ok) return resumed;
	const order = await findOrder(shop.db, placed.id);
	// deleted meanwhile: the next submit places another
	if (order === null || isPayable(order)) return { ...resumed, orderKey };
	const purchase = await listOrdersOfPurchase(shop.db, order.purchase_id);
	if (purchase.some(({ status, set_aside_at }) => status !== "failed" || set_aside_at !== null)) {
		const sessions = await listSessions(shop.db, order.purchase_id);
		const shown = sessions.find(({ status }) => status === "complete") ?? sessions[0];
		return shown ? { ok: false, code: "already-placed", sessionId: shown.id } : { ...resumed, orderKey };
	}
	const newKey = await renewOrderKey(shop, token, form);
	return newKey === null ? { ok: false, code: "form-changed" } : startUnder(newKey);
}
