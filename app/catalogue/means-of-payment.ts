/** What pages tell customers about the payment provider. Each provider has its own sentences; a link in them is Markdown. */
export interface PaymentTexts {
	/** Its name, after « confié à ». */
	name: string;
	/** Beside the button of the order form: « Paiement Stripe ». */
	assurance: string;
	/** The cards that it takes; empty where payments are simulated. */
	cards: readonly string[];
	/** What else to know before paying. */
	cardNote: string;
	/** Who receives the number of the card. */
	cardSentence: string;
	/** What its page stores in the browser. */
	policies: string;
	/** On the front page, among the facts about this installation. */
	badge: string;
}

/** How an order is paid, and where letters go: to be said before the order begins (C. conso. art. L221-14, al. 3; docs/rules.md, R200). */
export const describeMeansOfPayment = ({ cards, cardNote }: PaymentTexts): string =>
	[...(cards.length > 0 ? [`Paiement par carte\u00a0: ${cards.join(", ")}.`] : []), cardNote, "Courriers\u00a0: en France seulement."].join(
		" ",
	);

/** What the payment page says of cards, beside its button. `accepted`: null where the payment is simulated. */
export interface CardSentences {
	accepted: string | null;
	entry: string;
	note: string;
}

export const describeCards = ({ cards, cardNote }: PaymentTexts): CardSentences => ({
	accepted: cards.length > 0 ? `Cartes\u00a0: ${cards.join(", ")}.` : null,
	entry:
		"Vous saisirez votre carte sur la page sécurisée de notre prestataire. Nous n’y avons jamais accès, et vos données bancaires ne sont pas conservées.",
	note: cardNote,
});
