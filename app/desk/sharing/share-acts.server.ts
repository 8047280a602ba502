import { isUuid } from "../../../server/uuid.ts";
import { listShares, revokeShare } from "../../customer/sharing/shares.store.server.ts";
import { defineOrderAct, refuse } from "../acts/act.ts";
import { refuseField, value } from "../acts/fields.ts";

/** The links by which a customer shows an extract to others. */
export const shareActs = [
	defineOrderAct({
		name: "revoke-share",
		role: "serve",
		label: "Retirer un lien de partage",
		fields: { share: (typed = "") => (isUuid(typed) ? value(typed) : refuseField("Choisissez le lien à retirer.")) },
		async run({ shop, order }, { share: id }) {
			if (!(await listShares(shop.db, order.id)).some((share) => share.id === id)) return refuse("Ce lien n’est pas de cette commande.");
			await revokeShare(shop.db, { id, orderId: order.id, now: shop.now() });
			return { ok: true, text: "Le lien est retiré\u00a0: il n’ouvre plus rien." };
		},
	}),
];
