import { typedKeys } from "../../server/types/objects.ts";
import type { OperatorCause } from "../refunds/operator-causes.ts";
import type { Refund } from "../refunds/refunds.server.ts";

/** Why orders are refunded, as the public figures say it. */
export const motiveLabels = {
	late: "retard",
	cancelled: "annulation avant la livraison",
	failed: "commande impossible à servir",
	wrong: "extrait erroné ou inutilisable",
	withdrawal: "rétractation",
	duplicate: "commande ou paiement en double",
	other: "autre décision de notre part",
} as const;

export type Motive = keyof typeof motiveLabels;
export type OtherMotive = Exclude<Motive, "late">;

export const motives = typedKeys(motiveLabels);
export const otherMotives = motives.filter((motive) => motive !== "late");

const motivesOfReasons: Record<Refund["reason"], Motive> = {
	failed: "failed",
	cancelled: "cancelled",
	late: "late",
	withdrawal: "withdrawal",
	guarantee: "wrong",
	operator: "other",
	surplus: "duplicate",
	dashboard: "other",
};

const motivesOfCauses: Record<OperatorCause, Motive> = {
	"wrong-extract": "wrong",
	"wrong-company": "other",
	late: "late",
	duplicate: "duplicate",
	"not-available": "failed",
	"customer-asked": "other",
	mismatch: "other",
	other: "other",
};

/** The motive of a refund: what an operator chose says more than the reason. */
export const getMotive = ({ reason, cause }: { reason: Refund["reason"]; cause: OperatorCause | null }): Motive =>
	cause === null ? motivesOfReasons[reason] : motivesOfCauses[cause];
