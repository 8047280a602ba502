import { data } from "react-router";
import type { AccessKey } from "../../orders/access.ts";
import { requestStatuses } from "../../orders/request-statuses.ts";

const linkSentence = "Le lien d’un e-mail permet seulement de lire. Confirmez l’adresse e-mail de la commande pour aller plus loin.";
const pairSentence = "Pour aller plus loin, indiquez votre e-mail et votre numéro de commande sur la page de suivi.";

/** The customer and the operators may make all requests that their pages have; the others read why they may not. */
const sentences: Record<AccessKey, string> = {
	purchase: pairSentence,
	desk: pairSentence,
	line: "Vous avez ouvert un seul extrait d’une commande groupée. Pour voir la commande entière, sa facture ou ses adresses, cherchez-la par son propre numéro, ou passez par vos commandes.",
	link: linkSentence,
	"purchase-link": linkSentence,
	url: pairSentence,
	"payment-link": pairSentence,
};

/** Why a request is refused to the holder of this key (docs/rules.md, R147). */
export const describeAccessRefusal = (key: AccessKey): string => sentences[key];

/** Answers a request that the holder of this key may not make: 403 with the reason. */
export const refuseAccess = (key: AccessKey) => data({ refused: describeAccessRefusal(key) }, { status: requestStatuses["no-access"] });
