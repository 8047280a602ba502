import { isKeyOf } from "../../../server/types/objects.ts";
import { isUuid } from "../../../server/uuid.ts";
import { serviceCodes } from "../../catalogue/services.ts";
import { type Claimant, claimMinutes } from "../../fulfilment/claims/claim.ts";
import { claimNext, claimOrder, releaseOrder, takeOverOrder } from "../../fulfilment/claims/claim-order.server.ts";
import type { Actor } from "../../operators/roles.ts";
import type { Order } from "../../orders/order.ts";
import type { Shop } from "../../shop.ts";
import { type Act, type ActRefusal, type ActResult, defineAct } from "../acts/act.ts";
import { describeClaimRefusal } from "./claim-sentences.ts";
import { listUntouchedClaims } from "./queue.store.server.ts";
import { queueLists } from "./queue-lists.ts";

const noOrder: ActRefusal = { ok: false, text: "Cette commande n’existe plus." };
const noAccount: ActRefusal = { ok: false, text: "Ouvrez une session au bureau pour prendre une commande." };

/** Who claims: an operator with an account. */
const toClaimant = ({ id, name }: Actor): Claimant | null => (id === null ? null : { id, name });

const describeClaimed = ({ order_number }: Order) => `La commande ${order_number} est à vous pour ${claimMinutes}\u00a0minutes.`;

/** Defines an act that claims one order, or gives it back. */
const defineClaimAct = (label: string, run: (shop: Shop, claimant: Claimant, order: Order) => Promise<ActResult>) =>
	defineAct({
		role: "serve",
		label,
		parse: () => ({ ok: true, input: null }),
		async run({ shop, actor, order }) {
			const claimant = toClaimant(actor);
			if (claimant === null) return noAccount;
			return order === null ? noOrder : run(shop, claimant, order);
		},
	});

/** What operators do with claims. */
export const claimActs = {
	"claim-next": defineAct({
		role: "serve",
		label: "Prendre la suivante",
		parse({ list = "", from = "" }) {
			const services = (isKeyOf(queueLists, list) && queueLists[list].services) || serviceCodes;
			return { ok: true, input: { services, from: isUuid(from) ? from : null } };
		},
		async run({ shop, actor }, { services, from }) {
			const claimant = toClaimant(actor);
			if (claimant === null) return noAccount;
			const untouched = (await listUntouchedClaims(shop.db, claimant.id, shop.now())).filter(
				// an order that the operator has open in another tab stays
				({ order_id }) => from === null || order_id === from,
			);
			const claimed = await claimNext(shop, claimant, { services, release: untouched });
			if (claimed === null) {
				const [mine] = untouched;
				const text = mine
					? `Aucune autre commande de cette liste n’attend qu’on la prenne. La commande ${mine.order_number} est encore à vous.`
					: "Aucune commande de cette liste n’attend qu’on la prenne.";
				return { ok: false, text };
			}
			const released = untouched.filter(({ order_id }) => claimed.released.includes(order_id)).map(({ order_number }) => order_number);
			return {
				ok: true,
				text: describeClaimed(claimed.order),
				after: { order: claimed.order.order_number, ...(released.length > 0 && { released: released.join(", ") }) },
			};
		},
	}),
	claim: defineClaimAct("Prendre la commande", async (shop, claimant, order) => {
		const claimed = await claimOrder(shop, claimant, order.id);
		return claimed.ok ? { ok: true, text: describeClaimed(order) } : { ok: false, text: describeClaimRefusal(claimed) };
	}),
	release: defineClaimAct("Rendre la commande", async (shop, claimant, order) => {
		await releaseOrder(shop, claimant, order.id);
		return { ok: true, text: `La commande ${order.order_number} attend de nouveau quelqu’un.` };
	}),
	"take-over": defineClaimAct("Prendre la commande à la place d’un autre", async (shop, claimant, order) => {
		const taken = await takeOverOrder(shop, claimant, order.id);
		if (!taken.ok) return { ok: false, text: describeClaimRefusal(taken) };
		const { previous } = taken;
		return {
			ok: true,
			text: `${describeClaimed(order)}${previous ? ` ${previous.operatorName} ne l’a plus.` : ""}`,
			...(previous && { before: { holder: previous.operatorName } }),
			after: { holder: claimant.name },
		};
	}),
} satisfies Record<string, Act>;
