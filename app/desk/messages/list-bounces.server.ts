import { formatInstant } from "../../catalogue/instants.ts";
import { getOrderEmail } from "../../emails/order-emails.server.ts";
import { suggestEmail } from "../../mail/suggest-email.ts";
import { findOwnAddress } from "../../orders/resends.server.ts";
import type { Shop } from "../../shop.ts";
import { listBouncedMails, listBouncedReplies } from "./bounces.store.server.ts";

/** An address that refused e-mails of an order. */
export interface BouncedAddress {
	orderId: string;
	orderNumber: string;
	company: string;
	customer: string;
	phone: string | null;
	reader: "customer" | "delivery";
	email: string;
	/** What was probably meant. */
	suggestion: string | null;
	mails: { id: string; label: string; at: string; reason: string }[];
}

export interface BouncedReply {
	id: string;
	subject: string;
	email: string;
	at: string;
	reason: string;
}

const limit = 200;

/** The refused e-mails of orders by address, and the refused replies, newest first. */
export async function listBounces({ db }: Pick<Shop, "db">): Promise<{ addresses: BouncedAddress[]; replies: BouncedReply[] }> {
	const addresses = new Map<string, BouncedAddress>();
	for (const mail of await listBouncedMails(db, limit)) {
		const { order_id, order_number, company_name, customer_email, delivery_email, phone, first_name, last_name } = mail;
		const { to, label } = getOrderEmail(mail.kind);
		const reader = to === "delivery" ? "delivery" : "customer";
		const own = reader === "customer" ? await findOwnAddress(db, { id: order_id, delivery_email }) : null;
		const email = own ?? (reader === "delivery" ? delivery_email : customer_email) ?? "";
		const key = `${order_id} ${reader}`;
		const known = addresses.get(key) ?? {
			orderId: order_id,
			orderNumber: order_number,
			company: company_name,
			customer: `${first_name} ${last_name}`,
			phone,
			reader,
			email,
			suggestion: suggestEmail(email),
			mails: [],
		};
		known.mails.push({
			id: mail.id,
			label,
			at: mail.bounced_at ? formatInstant(mail.bounced_at) : "",
			reason: mail.bounce_reason ?? "",
		});
		addresses.set(key, known);
	}
	const replies = await listBouncedReplies(db, limit);
	return {
		addresses: [...addresses.values()],
		replies: replies.map(({ id, subject, email, bounced_at, bounce_reason }) => ({
			id,
			subject,
			email,
			at: bounced_at ? formatInstant(bounced_at) : "",
			reason: bounce_reason ?? "",
		})),
	};
}
