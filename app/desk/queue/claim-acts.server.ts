import { isKeyOf } from "../../../server/types/objects.ts";
import { serviceCodes } from "../../catalogue/services.ts";
import type { Claimant } from "../../fulfilment/claims/claim.ts";
import { claimNext, claimOrder, releaseOrder, takeOverOrder } from "../../fulfilment/claims/claim-order.server.ts";
import type { Actor } from "../../operators/roles.ts";
import { type Act, type ActCall, type ActRefusal, defineAct } from "../acts/act.ts";
import { describeClaimRefusal } from "./claim-sentences.ts";
import { queueLists } from "./queue-lists.ts";

const noOrder: ActRefusal = { ok: false, text: "Cette commande n’existe plus." };
const noAccount: ActRefusal = { ok: false, text: "Ouvrez une session au bureau pour prendre une commande." };

const parseNothing = () => ({ ok: true as const, input: null });

/** Who claims: an operator with an account. */
const toClaimant = ({ id, name }: Actor): Claimant | null => (id === null ? null : { id, name });

/** The order and the claimant of a call, or why there are none. */
function prepare({ order, actor }: ActCall) {
	const claimant = toClaimant(actor);
	if (claimant === null) return noAccount;
	return order === null ? noOrder : { ok: true as const, order, claimant };
}

/** What operators do with claims. */
export const claimActs = {
	"claim-next": defineAct({
		role: "serve",
		label: "Prendre la suivante",
		parse: ({ list = "" }) => ({ ok: true, input: { services: (isKeyOf(queueLists, list) && queueLists[list].services) || serviceCodes } }),
		async run({ shop, actor }, { services }) {
			const claimant = toClaimant(actor);
			if (claimant === null) return noAccount;
			const order = await claimNext(shop, claimant, { services });
			if (order === null) return { ok: false, text: "Aucune commande de cette liste n’attend qu’on la prenne." };
			return { ok: true, text: `La commande ${order.order_number} est à vous pour 20\u00a0minutes.`, after: { order: order.order_number } };
		},
	}),
	claim: defineAct({
		role: "serve",
		label: "Prendre la commande",
		parse: parseNothing,
		async run(call) {
			const prepared = prepare(call);
			if (!prepared.ok) return prepared;
			const { order, claimant } = prepared;
			const claimed = await claimOrder(call.shop, claimant, order.id);
			return claimed.ok
				? { ok: true, text: `La commande ${order.order_number} est à vous pour 20\u00a0minutes.` }
				: { ok: false, text: describeClaimRefusal(claimed) };
		},
	}),
	release: defineAct({
		role: "serve",
		label: "Rendre la commande",
		parse: parseNothing,
		async run(call) {
			const prepared = prepare(call);
			if (!prepared.ok) return prepared;
			await releaseOrder(call.shop, prepared.claimant, prepared.order.id);
			return { ok: true, text: `La commande ${prepared.order.order_number} attend de nouveau quelqu’un.` };
		},
	}),
	"take-over": defineAct({
		role: "serve",
		label: "Prendre la commande à la place d’un autre",
		parse: parseNothing,
		async run(call) {
			const prepared = prepare(call);
			if (!prepared.ok) return prepared;
			const { order, claimant } = prepared;
			const taken = await takeOverOrder(call.shop, claimant, order.id);
			if (!taken.ok) return { ok: false, text: describeClaimRefusal(taken) };
			const { previous } = taken;
			const whose = previous ? ` ${previous.operatorName} ne l’a plus.` : "";
			return {
				ok: true,
				text: `La commande ${order.order_number} est à vous pour 20\u00a0minutes.${whose}`,
				...(previous && { before: { holder: previous.operatorName } }),
				after: { holder: claimant.name },
			};
		},
	}),
} satisfies Record<string, Act>;
