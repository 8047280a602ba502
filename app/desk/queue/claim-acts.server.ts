import { isKeyOf } from "../../../server/types/objects.ts";
import { serviceCodes } from "../../catalogue/services.ts";
import { claimMinutes } from "../../fulfilment/claims/claim.ts";
import { claimNext, claimOrder, releaseOrder, takeOverOrder } from "../../fulfilment/claims/claim-order.server.ts";
import type { Order } from "../../orders/order.ts";
import { defineAct, defineOrderAct, refuse } from "../acts/act.ts";
import { optionalId, value } from "../acts/fields.ts";
import { describeClaimRefusal } from "./claim-sentences.ts";
import { listUntouchedClaims } from "./queue.store.server.ts";
import { queueLists } from "./queue-lists.ts";

const describeClaimed = ({ order_number }: Order) => `La commande ${order_number} est à vous pour ${claimMinutes}\u00a0minutes.`;

/** What operators do with claims. */
export const claimActs = [
	defineAct({
		name: "claim-next",
		role: "serve",
		label: "Prendre la suivante",
		fields: {
			list: (typed = "") => value((isKeyOf(queueLists, typed) && queueLists[typed].services) || serviceCodes),
			from: optionalId,
		},
		async run({ shop, actor }, { list: services, from }) {
			const untouched = (await listUntouchedClaims(shop.db, actor.id, shop.now())).filter(
				// an order that the operator has open in another tab stays
				({ order_id }) => from === null || order_id === from,
			);
			const claimed = await claimNext(shop, actor, { services, release: untouched });
			if (claimed === null) {
				const [mine] = untouched;
				return refuse(
					mine
						? `Aucune autre commande de cette liste n’attend qu’on la prenne. La commande ${mine.order_number} est encore à vous.`
						: "Aucune commande de cette liste n’attend qu’on la prenne.",
				);
			}
			const released = untouched.filter(({ order_id }) => claimed.released.includes(order_id)).map(({ order_number }) => order_number);
			return {
				ok: true,
				text: describeClaimed(claimed.order),
				after: { order: claimed.order.order_number, ...(released.length > 0 && { released: released.join(", ") }) },
			};
		},
		changes: { order: "Commande", released: "Rendues" },
	}),
	defineOrderAct({
		name: "claim",
		role: "serve",
		label: "Prendre la commande",
		fields: {},
		async run({ shop, actor, order }) {
			const claimed = await claimOrder(shop, actor, order.id);
			return claimed.ok ? { ok: true, text: describeClaimed(order) } : refuse(describeClaimRefusal(claimed));
		},
	}),
	defineOrderAct({
		name: "release",
		role: "serve",
		label: "Rendre la commande",
		fields: {},
		async run({ shop, actor, order }) {
			await releaseOrder(shop, actor, order.id);
			return { ok: true, text: `La commande ${order.order_number} attend de nouveau quelqu’un.` };
		},
	}),
	defineOrderAct({
		name: "take-over",
		role: "serve",
		label: "Prendre la commande à la place d’un autre",
		fields: {},
		async run({ shop, actor, order }) {
			const taken = await takeOverOrder(shop, actor, order.id);
			if (!taken.ok) return refuse(describeClaimRefusal(taken));
			const { previous } = taken;
			return {
				ok: true,
				text: `${describeClaimed(order)}${previous ? ` ${previous.operatorName} ne l’a plus.` : ""}`,
				...(previous && { before: { holder: previous.operatorName } }),
				after: { holder: actor.name },
			};
		},
		changes: { holder: "Prise par" },
	}),
];
