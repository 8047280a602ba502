import type { RecreateResult } from "./recreate-order.server.ts";

/** What became of an order that is recreated from its copy, at the desk and in the terminal. */
export const recreatedLabels: Record<Extract<RecreateResult, { ok: true }>["what"], string> = {
	made: "recréée",
	"brought-forward": "remise à jour d’après sa copie",
	here: "rien à faire, elle a tout ce que sa copie contient",
};

/** Why it is not recreated. */
export const recreateRefusals: Record<Extract<RecreateResult, { ok: false }>["code"], string> = {
	"no-copy": "Il n’y a pas de copie de cette commande.",
	unreadable:
		"La copie de cette commande ne se lit pas\u00a0: il manque la clé qui l’a chiffrée, ou elle est abîmée. Si la clé est perdue et que la commande est complète ici, supprimez la copie au terminal\u00a0: npm run orders -- recreate <commande> --discard-copy.",
	"went-on":
		"Cette commande a continué ici depuis la restauration, et sa copie dit autre chose. Comparez-la avec le prestataire de paiement et servez-la, puis supprimez la copie au terminal\u00a0: npm run orders -- recreate <commande> --discard-copy.",
	erased: "Le client de cette commande a été effacé depuis.",
	numbers: "Une autre commande a déjà ses numéros de facture.",
	conflict: "Une autre commande a déjà le même fichier ou le même paiement.",
	"first-missing":
		"La première commande de la commande groupée manque, ou il lui manque le paiement ou la facture auxquels celle-ci renvoie.",
};
