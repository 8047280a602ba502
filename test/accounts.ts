import { type Insertable, sql } from "kysely";
import type { ServiceCode } from "../app/catalogue/services.ts";
import { creditRefund, invoiceOrder } from "../app/fulfilment/invoice-order.server.ts";
import type { createInvoicePdf } from "../app/orders/invoices/make-invoice.server.ts";
import type { Order } from "../app/orders/order.ts";
import type { RecordedPayment } from "../app/orders/refunds/refunds.store.server.ts";
import type { ProviderMovements } from "../server/database/database-types.gen.ts";
import { createOrderFixture, type OrderValues } from "./orders.ts";

/** A constant in place of each PDF, which takes most of the time. */
const makePdf: typeof createInvoicePdf = async ({ number }) => new TextEncoder().encode(`%PDF-1.7 ${number}`);

export type AccountsFixture = Awaited<ReturnType<typeof createAccountsFixture>>;

/** Orders with payments, invoices and refunds at instants that the test chooses. */
export async function createAccountsFixture(startsAt: string, variables?: Record<string, string>) {
	const orders = await createOrderFixture({ startsAt, ...(variables && { variables }) });
	const shop = { ...orders, makePdf };
	const setClock = (at: string) => {
		orders.clock.now = new Date(at);
	};
	/** Lets the provider's balance agree with all payments and refunds, and be read until now. */
	async function readProvider(at: string): Promise<void> {
		setClock(at);
		const { rows: movements } = await sql<Insertable<ProviderMovements>>`
			select * from (
				select 'txn_' || id as id, 'charge' as kind, amount_cents, 114 as fee_cents, currency, id as payment_id, null as source_id,
					created_at as occurred_at
				from payments
				union all
				-- the provider has one refund where the orders of a purchase share it
				select 'txn_' || provider_id, 'refund', -sum(amount_cents)::integer, 0, 'eur', min(payment_id), provider_id, min(settled_at)
				from refunds where status = 'succeeded' group by provider_id
			) movement where not exists (select from provider_movements where provider_movements.id = movement.id)`.execute(orders.db);
		if (movements.length > 0) await orders.db.insertInto("provider_movements").values(movements).execute();
		await orders.db.insertInto("provider_readings").values({ until: orders.now(), read_at: orders.now() }).execute();
	}
	return {
		...shop,
		setClock,
		readProvider,
		/** Inserts an order that was paid at an instant, and invoices it then or later. */
		async sell(at: string, { invoicedAt = at, ...values }: OrderValues & { invoicedAt?: string } = {}) {
			setClock(at);
			const sold = await orders.insertPaidOrder({ status: "completed", ...values });
			setClock(invoicedAt);
			await invoiceOrder(shop, sold.order.id);
			return sold;
		},
		/** Inserts a purchase of several orders that was paid and invoiced at an instant. */
		async sellSeveral(at: string, services: readonly ServiceCode[]) {
			setClock(at);
			const sold = await orders.insertPaidPurchase(services, { status: "completed" });
			await invoiceOrder(shop, sold.orders[0].id);
			return sold;
		},
		/** Inserts a refund that succeeded at an instant, and its credit note then or later. */
		async refund(
			payment: RecordedPayment,
			at: string,
			{ amount, creditedAt = at, orderId }: { amount?: number; creditedAt?: string; orderId?: string } = {},
		) {
			setClock(at);
			const refund = await orders.insertRefund(payment, {
				...(amount !== undefined && { amount_cents: amount }),
				...(orderId !== undefined && { order_id: orderId }),
				...{ requested_at: orders.now(), settled_at: orders.now(), provider_id: `re_${crypto.randomUUID()}` },
			});
			setClock(creditedAt);
			await creditRefund(shop, refund.id);
			return refund;
		},
		/** Inserts a payment of an order that paid nothing, such as a duplicate one. */
		async payAgain(order: Order, at: string, role: "surplus" | "mismatch" = "surplus") {
			setClock(at);
			return orders.insertPayment(order, { role });
		},
	};
}
