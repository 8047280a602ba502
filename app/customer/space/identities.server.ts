import type { Context } from "../../../server/runtime.ts";
import type { Order } from "../../orders/order.ts";
import { listNewestOrderOfIdentities } from "./purchases.store.server.ts";

const maxIdentities = 100;

export type BillingIdentity = Awaited<ReturnType<typeof listIdentities>>[number];

/** The billing identities of a mailbox, read from its paid orders: nothing else is stored of them. */
export async function listIdentities({ db }: Pick<Context, "db">, mailbox: string) {
	return (await listNewestOrderOfIdentities(db, mailbox, maxIdentities)).map(describeIdentity);
}

function describeIdentity(order: Order) {
	const person = `${order.first_name} ${order.last_name}`.trim();
	return {
		/** The newest order with this identity. */
		number: order.order_number,
		name: order.billing_company ?? person,
		/** Null for a private person. */
		contact: order.billing_company === null ? null : person,
		siren: order.billing_siren,
		vat: order.billing_vat,
		address: [order.address, [order.postal_code, order.city].filter(Boolean).join(" ")].filter(Boolean).join(", "),
	};
}
