import { formatHour, formatInstant } from "../../catalogue/instants.ts";
import { services } from "../../catalogue/services.ts";
import { listReplyTemplates } from "../../emails/messages/reply-templates.store.server.ts";
import { refundTemplates } from "../../emails/messages/reply-templates.ts";
import { getReplyValues, isAddressOfCustomer } from "../../emails/messages/reply-values.server.ts";
import { findThread, type ThreadMessage } from "../../emails/messages/thread.server.ts";
import { statusLabels } from "../../orders/lifecycle.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { listEffectiveRefunds } from "../../orders/refunds/refunds.store.server.ts";
import type { Shop } from "../../shop.ts";
import { describeTimeToAnswer } from "./time-to-answer.ts";

export type ShownMessage = Omit<ThreadMessage, "at"> & { at: string };
export type MessageView = NonNullable<Awaited<ReturnType<typeof describeMessage>>>;

/** A conversation for its page; null when it does not exist, or is erased. */
export async function describeMessage({ db, environment, now }: Shop, id: string) {
	const thread = await findThread(db, id);
	if (thread === null) return null;
	const order = thread.orderId === null ? null : await findOrder(db, thread.orderId);
	const { kind, subject, email, name, phone, siren, orderFound, waitingSince, lastAt, claim, decision, messages } = thread;
	const hasRefund = order !== null && (await listEffectiveRefunds(db, order.id)).length > 0;
	const templates = await listReplyTemplates(db);
	const isClaimed = claim !== null && claim.until > now();
	return {
		id,
		kind,
		subject,
		email,
		name,
		phone,
		siren,
		orderFound,
		decision,
		lastAt: lastAt.toISOString(),
		messages: messages.map((message): ShownMessage => ({ ...message, at: formatInstant(message.at) })),
		wait: waitingSince && describeTimeToAnswer(waitingSince, now()),
		claim: isClaimed ? { id: claim.id, name: claim.name, until: formatHour(claim.until) } : null,
		order: order && {
			id: order.id,
			number: order.order_number,
			company: order.company_name,
			siren: order.siren,
			service: services[order.product_code].name,
			status: statusLabels[order.status],
			/** False: a stranger may have typed the number. */
			isOwn: isAddressOfCustomer(order, email),
		},
		values: getReplyValues(environment, order, email, { isNamed: true }),
		/** While the order is a guess: its number, and what is known without it. The operator confirms the order, or does not name it. */
		guess:
			order !== null && orderFound === "address" && isAddressOfCustomer(order, email)
				? { number: order.order_number, values: getReplyValues(environment, order, email, { isNamed: false }) }
				: null,
		templates: templates.filter(({ id }) => hasRefund || !refundTemplates.has(id)),
		/** Templates that announce a refund are not offered. */
		lacksRefund: order !== null && !hasRefund,
	};
}
