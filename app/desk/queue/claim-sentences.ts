import { formatHour } from "../../catalogue/instants.ts";
import type { ClaimRefusal } from "../../fulfilment/claims/claim-order.server.ts";

const sentences = {
	"unknown-order": "Cette commande n’existe plus.",
	ended: "Cette commande est déjà terminée ou annulée.",
} as const;

/** Why a claim, or an act on an order that somebody else has, is refused. */
export function describeClaimRefusal(refusal: ClaimRefusal): string {
	if (refusal.code !== "held-by-other") return sentences[refusal.code];
	return `${refusal.holder} s’occupe de cette commande jusqu’à ${formatHour(refusal.until)}. Pour vous en charger, prenez-la à sa place.`;
}
