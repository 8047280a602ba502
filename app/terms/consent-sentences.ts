import { executedWhen } from "../catalogue/cancellation.ts";

/** The two boxes of the order form, which are part of what a customer accepts (docs/rules.md, R9). `before` and `after` a link to the terms. */
export const termsSentence = { before: "J’accepte les ", link: "conditions générales de vente", after: "." } as const;

export const waiverSentence = `Je demande l’exécution immédiate de ma commande. Je reconnais perdre mon droit de rétractation une fois le service pleinement exécuté, c’est-à-dire ${executedWhen.any}.`;

export const waiverHint =
	"Si vous ne la cochez pas, votre commande est traitée de la même façon et vous conservez quatorze jours pour vous rétracter.";
