import { href } from "react-router";
import { formatHour } from "../catalogue/instants.ts";
import { services } from "../catalogue/services.ts";
import type { UnservedOrder } from "./alerts.store.server.ts";
import type { PushMessage } from "./pusher.server.ts";

/** The notification about orders that are promised soon, the most urgent first. It names numbers and services, no company and no person. */
export function describePush(
	orders: readonly Pick<UnservedOrder, "order_number" | "product_code" | "promised_at">[],
	toPath: (number: string) => string,
): PushMessage {
	const [first, ...others] = orders;
	if (first === undefined) throw new Error("an alert has orders");
	const hour = formatHour(first.promised_at);
	return {
		title: others.length === 0 ? `À livrer avant ${hour}` : `${orders.length} commandes à livrer, la première avant ${hour}`,
		body:
			others.length === 0
				? `${first.order_number}, ${services[first.product_code].name}`
				: orders
						.slice(0, 3)
						.map(({ order_number, promised_at }) => `${order_number} avant ${formatHour(promised_at)}`)
						.join(", "),
		url: others.length === 0 ? toPath(first.order_number) : href("/bureau/commandes"),
		tag: "promises",
	};
}
