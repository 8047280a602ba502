import { executedWhen } from "../../catalogue/cancellation.ts";

/** The two boxes of the order form, which are part of what a customer accepts (docs/rules.md, R9). `before` and `after` a link to the terms. */
export const termsSentence = { before: "J’accepte les ", link: "conditions générales de vente", after: "." } as const;

export const waiverSentence = `Je demande l’exécution immédiate et je reconnais perdre mon droit de rétractation une fois le service pleinement exécuté\u00a0: ${executedWhen.any}.`;

export const waiverHint = "Sinon, la commande est traitée de même, et vous gardez quatorze jours pour vous rétracter.";
