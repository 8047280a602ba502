/** The cards that Stripe takes for the shop. */
export const acceptedCards = ["Visa", "Mastercard", "American Express"] as const;

/** Apple Pay has its condition: docs/decisions/0015-apple-pay-only-where-stripe-offers-it.md. */
export const applePay = "Apple Pay aussi, si la page de paiement le propose sur votre appareil.";

/**
 * How an order is paid, and where letters go: to be said before the order begins (C. conso. art. L221-14, al. 3; docs/rules.md, R200).
 * @param provider the payment provider: « stripe », or « sandbox » in a demo.
 */
export const describeMeansOfPayment = (provider: string): string =>
	provider === "sandbox"
		? `Démonstration\u00a0: paiement simulé, aucune carte réelle n’est débitée. ${lettersInFrance}`
		: `Paiement par carte\u00a0: ${acceptedCards.join(", ")}. ${applePay} ${lettersInFrance}`;

const lettersInFrance = "Courriers\u00a0: en France seulement.";
