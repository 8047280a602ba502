import { failOrder } from "../../fulfilment/fail-order.server.ts";
import { isInProgress } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { coded, defineOrderAct, refuse } from "../acts/act.ts";

/** Whether an order is open though all of its price went back, such as on the provider's pages. A late one is still owed (docs/rules.md, R24). */
export const isRefundedAndOpen = (order: Order): boolean =>
	isInProgress(order.status) && order.refunded_cents >= order.price_cents && order.late_at === null;

/** The end of an order whose money went back already: a refund stops every other one. */
export const stopActs = [
	defineOrderAct({
		name: "stop",
		role: "refund",
		label: "Arrêter la commande",
		exclusive: true,
		fields: {},
		async run({ shop, order, actor }) {
			if (!isRefundedAndOpen(order) || !(await failOrder(shop, order.id, "operator", { by: actor.name })))
				return refuse("Cette commande n’est plus en cours, ou elle n’est pas remboursée en entier\u00a0: rechargez la page.");
			return { ok: true, text: "La commande est arrêtée, et le client est prévenu.", after: { order: "stopped" } };
		},
		changes: { order: coded("Commande", { stopped: "arrêtée" }) },
	}),
];
