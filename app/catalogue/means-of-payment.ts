/** The cards that Stripe takes for the shop. */
const acceptedCards = ["Visa", "Mastercard", "American Express"] as const;

/** Apple Pay has its condition: docs/decisions/0015-apple-pay-only-where-stripe-offers-it.md. */
const applePay = "Apple Pay aussi, si la page de paiement le propose sur votre appareil.";

/**
 * How an order is paid, and where letters go: to be said before the order begins (C. conso. art. L221-14, al. 3; docs/rules.md, R200).
 * @param provider the payment provider: « stripe », or « sandbox » in a demo.
 */
export const describeMeansOfPayment = (provider: string): string =>
	provider === "sandbox"
		? `${simulated} ${lettersInFrance}`
		: `Paiement par carte\u00a0: ${acceptedCards.join(", ")}. ${applePay} ${lettersInFrance}`;

/** What the payment page says of cards, beside its button. `accepted`: null where the payment is simulated. */
export interface CardSentences {
	accepted: string | null;
	entry: string;
	note: string;
}

/** @param provider as for describeMeansOfPayment. */
export const describeCards = (provider: string): CardSentences => ({
	accepted: provider === "sandbox" ? null : `Cartes\u00a0: ${acceptedCards.join(", ")}.`,
	entry:
		"Vous saisirez votre carte sur la page sécurisée de notre prestataire. Nous n’y avons jamais accès, et vos données bancaires ne sont pas conservées.",
	note: provider === "sandbox" ? simulated : applePay,
});

const simulated = "Démonstration\u00a0: paiement simulé, aucune carte réelle n’est débitée.";
const lettersInFrance = "Courriers\u00a0: en France seulement.";
