import { daySeconds } from "../../../../server/durations.ts";
import { takeTogether } from "../../../../server/rate-limits.ts";
import type { Context } from "../../../../server/runtime.ts";
import { isPosted } from "../../../catalogue/services.ts";
import { checkOrder, letterFields, type OrderErrors, type OrderValues } from "../../../checkout/form/order-form.ts";
import { queueOrderEmail } from "../../../emails/queue-order-email.server.ts";
import { listRequests } from "../../../fulfilment/extract-requests.store.server.ts";
import { lockRunsOf, removeFromRuns, updateUnprinted } from "../../../fulfilment/letters/letters.store.server.ts";
import { deleteMailsOfKind } from "../../../mail/mails.store.server.ts";
import { type AccessKey, mayAsk } from "../../../orders/access.ts";
import { getLetterAddress } from "../../../orders/letter-address.ts";
import { isInProgress } from "../../../orders/lifecycle.ts";
import type { Order } from "../../../orders/order.ts";
import { lockOrderWithPurchase, recordEvent, updateOrder } from "../../../orders/orders.store.server.ts";
import { correctionsPerPurchase } from "./correct-addresses.server.ts";

/** `too-late`: the letter is posted, or its order has ended. `printed`: its envelope is ready. `unchanged`: it goes there already. */
export type LetterCorrectionOutcome =
	| { ok: true }
	| { ok: false; code: "no-access" | "too-late" | "printed" | "unchanged" }
	| { ok: false; code: "invalid"; errors: OrderErrors }
	| { ok: false; code: "limited"; retryAfter: number };

/** Whether the order still has to post its letter. */
export const isLetterAwaited = (order: Order): boolean =>
	isPosted(order.product_code) && isInProgress(order.status) && order.erased_at === null;

/**
 * Corrects where the letter of an order goes, and the other letters of its purchase that are not printed yet, which were ordered to one
 * address (docs/rules.md, R244). An operator may correct it until it is posted: then it is to be printed again. The invoice keeps its own address.
 */
export async function correctLetter(
	context: Context,
	orderId: string,
	access: AccessKey,
	values: OrderValues,
): Promise<LetterCorrectionOutcome> {
	if (!mayAsk(access, "correct-addresses")) return { ok: false, code: "no-access" };
	const errors = checkOrder({ ...values, billTo: "other" }, letterFields, ["postal"]);
	if (Object.keys(errors).length > 0) return { ok: false, code: "invalid", errors };
	return context.db.transaction().execute(async (trx): Promise<LetterCorrectionOutcome> => {
		const locked = await lockOrderWithPurchase(trx, orderId);
		if (locked === null || !isLetterAwaited(locked.order)) return { ok: false, code: "too-late" };
		const letters = locked.purchase.filter((order) => isLetterAwaited(order) && !isSent(order, values));
		const ids = letters.map(({ id }) => id);
		// an operator who reports a PDF printed comes first, or finds these letters no more in it
		await lockRunsOf(trx, [orderId, ...ids]);
		const requests = await listRequests(trx, [orderId, ...ids]);
		const isPrinted = (id: string) => requests.some(({ order_id, printed_at }) => order_id === id && printed_at !== null);
		if (isPrinted(orderId) && access !== "desk") return { ok: false, code: "printed" };
		const corrected = letters.filter(({ id }) => id === orderId || !isPrinted(id));
		if (corrected.length === 0) return { ok: false, code: "unchanged" };
		const limit = { name: "correct-purchase", subject: locked.order.purchase_id, most: correctionsPerPurchase };
		const taken = await takeTogether(context, trx, [limit], { seconds: daySeconds, now: context.now() });
		if (!taken.ok) return { ok: false, code: "limited", retryAfter: taken.retryAfter };
		for (const { id } of corrected) {
			await updateOrder(trx, id, toColumns(values));
			await removeFromRuns(trx, id);
			await recordEvent(trx, { orderId: id, type: "address_corrected", payload: { letter: true }, now: context.now() });
		}
		if (isPrinted(orderId)) await updateUnprinted(trx, orderId);
		// an order has one: that of an earlier correction makes room
		await deleteMailsOfKind(trx, orderId, "letter-corrected");
		await queueOrderEmail(context, trx, { orderId, kind: "letter-corrected" });
		return { ok: true };
	});
}

const toColumns = (values: OrderValues) => ({
	delivery_name: values.deliveryName || null,
	delivery_complement: values.deliveryComplement || null,
	delivery_address: values.deliveryAddress,
	delivery_postal_code: values.deliveryPostalCode,
	delivery_city: values.deliveryCity,
});

/** Whether the letter goes to the typed address already. */
const isSent = (order: Order, values: OrderValues): boolean =>
	JSON.stringify(getLetterAddress(order)) === JSON.stringify(getLetterAddress({ ...order, ...toColumns(values) }));
