import { cents } from "../../app/catalogue/money.ts";
import { refreshOrder, resumePayment } from "../../app/checkout/payment/resume-payment.server.ts";
import { cancelOrder } from "../../app/customer/tracking/cancel-order.server.ts";
import { withdraw } from "../../app/customer/tracking/withdraw.server.ts";
import { correctInvoice } from "../../app/fulfilment/invoice-correction/correct-invoice.server.ts";
import { findInvoiceOfPurchase } from "../../app/orders/invoices/invoices.store.server.ts";
import type { Order } from "../../app/orders/order.ts";
import { grantRefund } from "../../test/refunds.ts";
import type { Command } from "./history.ts";
import type { HistoryShop } from "./shop.ts";

const day = 24 * 3_600_000;
const part = cents(1000);

/** Has the invoice in force made out to another company, each time another. */
async function correctInvoiceInForce(shop: HistoryShop["shop"], id: string): Promise<void> {
	const { number } = (await findInvoiceOfPurchase(shop.db, id)) ?? {};
	if (number === undefined) return;
	const buyer = { name: `ANALYSE ${number}`, contact: "Ada Lovelace", address: "2 quai Perrache", postalCode: "69002", city: "Lyon" };
	await correctInvoice(shop, id, "purchase", { seen: number, buyer: { ...buyer, siren: "356000000", vat: "FR39356000000" } });
}

/** The functions behind the commands, for an order, of a purchase by the id of its first order. */
export function createCommands(
	{ shop, books, desk, advanceClock }: HistoryShop,
	{ id, purchase_id: purchaseId, price_cents: price }: Order,
): Record<Command, () => unknown> {
	const payments = () => [...books.payments.values()];
	const sessions = () => [...books.sessions.values()];

	function payOne(status: "open" | "expired", change = {}): boolean {
		const session = sessions().find((known) => known.status === status);
		if (session) books.pay(session, change);
		return session !== undefined;
	}
	async function upload(result: "ready" | "not-found"): Promise<void> {
		if (desk.has(id)) return;
		desk.set(id, result);
		await shop.db.transaction().execute((trx) => shop.jobs.send(trx, "fulfil-order", { orderId: id, because: "uploaded" }));
	}
	function refundElsewhere(amount?: number): void {
		const payment = payments().find((known) => !books.isDisputed(known) && books.left(known) >= (amount ?? 1));
		if (payment) books.giveBack(payment, amount ?? books.left(payment), null, null);
	}
	function closeDispute(status: "won" | "lost"): void {
		const payment = payments().find(({ dispute }) => dispute?.status === "open");
		if (payment) books.closeDispute(payment, status);
	}

	return {
		pay: () => payOne("open"),
		"pay-late": () => payOne("expired") || payOne("open"),
		"pay-wrong": () => payOne("open", { amount: 100 }),
		expire: () => {
			for (const session of sessions()) if (session.status === "open") books.expire(session);
		},
		async resume() {
			const order = await refreshOrder(shop, id);
			if (order) await resumePayment(shop, order, "a client");
		},
		"extract-ready": () => upload("ready"),
		"extract-not-found": () => upload("not-found"),
		"promise-passes": () => advanceClock(5 * day),
		cancel: () => cancelOrder(shop, id, "purchase"),
		withdraw: () => withdraw(shop, id, "purchase"),
		"correct-invoice": () => correctInvoiceInForce(shop, purchaseId),
		"refund-part-elsewhere": () => refundElsewhere(part),
		"refund-order-elsewhere": () => refundElsewhere(price),
		"refund-rest-elsewhere": () => refundElsewhere(),
		"refund-part": () => grantRefund(shop, id, part),
		"refund-rest": () => grantRefund(shop, id),
		dispute: () => {
			const payment = payments().find((known) => !books.isDisputed(known) && known.dispute === null && books.left(known) > 0);
			if (payment) books.openDispute(payment);
		},
		"dispute-won": () => closeDispute("won"),
		"dispute-lost": () => closeDispute("lost"),
		"bank-returns-refund": () => {
			for (const payment of payments()) {
				const refund = payment.refunds.find(({ status }) => status === "succeeded");
				if (refund) return books.endRefund(payment, refund, "failed");
			}
		},
	};
}
