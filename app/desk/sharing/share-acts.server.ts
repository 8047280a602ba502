import { isUuid } from "../../../server/uuid.ts";
import { listShares, revokeShare } from "../../sharing/shares.store.server.ts";
import { type ActResult, defineAct } from "../acts/act.ts";

/** The links by which a customer shows an extract to others. */
export const shareActs = {
	"revoke-share": defineAct({
		role: "serve",
		label: "Retirer un lien de partage",
		parse: ({ share = "" }) =>
			isUuid(share) ? { ok: true, input: share } : { ok: false, text: "Choisissez le lien à retirer.", field: "share" },
		async run({ shop, order }, id): Promise<ActResult> {
			const shares = order === null ? [] : await listShares(shop.db, order.id);
			if (order === null || !shares.some((share) => share.id === id)) return { ok: false, text: "Ce lien n’est pas de cette commande." };
			await revokeShare(shop.db, { id, orderId: order.id, now: shop.now() });
			return { ok: true, text: "Le lien est retiré\u00a0: il n’ouvre plus rien." };
		},
	}),
};
