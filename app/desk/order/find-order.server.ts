import { data } from "react-router";
import { isUuid } from "../../../server/uuid.ts";
import { type ShownEmail, showOrderEmail } from "../../emails/sent-emails.server.ts";
import type { Order } from "../../orders/order.ts";
import { parseOrderNumber } from "../../orders/order-number.server.ts";
import { findOrderByReference } from "../../orders/orders.store.server.ts";
import type { Shop } from "../../shop.ts";
import type { Actor } from "../operators/roles.ts";
import { recordLook } from "./record-look.server.ts";

/** @returns the order of a page's address. @throws 404 when there is none. */
export async function findOrderOfPage({ db }: Pick<Shop, "db">, typed: string): Promise<Order> {
	const number = parseOrderNumber(typed);
	const order = number && (await findOrderByReference(db, { number }));
	if (!order) throw data(`La commande ${typed.slice(0, 40)} n’existe pas.`, { status: 404 });
	return order;
}

/** @returns the e-mail of a page's address, and records that it was read. @throws 404 when there is none, or it has not left. */
export async function findEmailOfPage(shop: Shop, actor: Actor, { number, mail }: { number: string; mail: string }): Promise<ShownEmail> {
	const order = await findOrderOfPage(shop, number);
	const email = isUuid(mail) ? await showOrderEmail(shop, order, mail) : null;
	if (email === null) throw data("Cet e-mail n’est pas parti, ou les données de son client ont été effacées.", { status: 404 });
	await recordLook(shop, actor, "read-email", order.order_number);
	return email;
}
