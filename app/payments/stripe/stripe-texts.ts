import type { PaymentTexts } from "../../catalogue/means-of-payment.ts";

/** Stripe's certificate, which the badge names. The shop has none. */
const certification = "https://docs.stripe.com/security";

export const stripeTexts: PaymentTexts = {
	name: "Stripe (Stripe Payments Europe, Limited, Irlande)",
	assurance: "Paiement Stripe",
	cards: ["Visa", "Mastercard", "American Express"],
	// docs/decisions/0015-apple-pay-only-where-stripe-offers-it.md
	cardNote: "Apple Pay aussi, si la page de paiement le propose sur votre appareil.",
	cardSentence: "Vous saisissez le numéro de votre carte chez ce prestataire\u00a0; il ne passe jamais par nos serveurs.",
	policies:
		"Sur sa page, Stripe applique sa [politique de confidentialité](https://stripe.com/fr/privacy) et sa [politique relative aux cookies](https://stripe.com/cookies-policy/legal).",
	badge: `Confié à Stripe, qui publie sa [certification PCI DSS](${certification})\u00a0: nous n’avons jamais accès à votre carte.`,
};
