import { correctionPeriod, maxCorrections } from "../../../catalogue/invoice-correction.ts";
import type { InvoiceCorrectionRefusal } from "../../../fulfilment/invoice-correction/correct-invoice.server.ts";

/** The sentence for a customer whose correction is refused. */
export const correctionRefusals: Record<InvoiceCorrectionRefusal | "limited" | "unavailable", string> = {
	"no-invoice": "Cette commande n’a pas encore de facture.",
	"not-ready": "Votre facture est en préparation. Revenez dans un instant.",
	"too-late": `Une facture peut être corrigée en ligne pendant ${correctionPeriod}. Ce délai est dépassé\u00a0: écrivez-nous.`,
	disputed: "Le paiement de cette commande est contesté auprès de la banque\u00a0: sa facture ne peut pas être corrigée.",
	refunded: "Cette commande est remboursée, ou va l’être\u00a0: un avoir corrige sa facture, qui ne peut plus être modifiée.",
	"too-many": `Cette facture a déjà été corrigée ${maxCorrections}\u00a0fois. Pour une autre correction, écrivez-nous.`,
	unchanged: "Rien n’a changé\u00a0: votre facture porte déjà ces informations.",
	"corrected-meanwhile": "Votre facture vient d’être corrigée. Vérifiez-la sur la page de suivi avant de la modifier à nouveau.",
	limited: "Trop d’essais. Réessayez dans une heure.",
	unavailable: "Votre facture n’a pas pu être corrigée. Elle est inchangée\u00a0: réessayez dans quelques minutes.",
};
