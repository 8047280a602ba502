import { typedKeys } from "../../server/types/objects.ts";
import type { Motive } from "../refunds/refund-motive.ts";

/** Why orders are refunded, as the public figures say it. */
export const motiveLabels: Record<Motive, string> = {
	late: "retard",
	cancelled: "annulation avant la livraison",
	failed: "commande impossible à servir",
	wrong: "extrait erroné ou inutilisable",
	withdrawal: "rétractation",
	duplicate: "commande ou paiement en double",
	other: "autre décision de notre part",
};

export type OtherMotive = Exclude<Motive, "late">;

export const otherMotives = typedKeys(motiveLabels).filter((motive) => motive !== "late");
