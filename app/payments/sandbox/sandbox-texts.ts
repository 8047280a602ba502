import type { PaymentTexts } from "../../catalogue/means-of-payment.ts";

export const sandboxTexts: PaymentTexts = {
	name: "la page de paiement de démonstration, qui n’encaisse rien",
	assurance: "Paiement simulé",
	cards: [],
	cardNote: "Démonstration\u00a0: paiement simulé, aucune carte réelle n’est débitée.",
	cardSentence: "Cette démonstration n’accepte que des cartes de test\u00a0: n’y saisissez jamais une vraie carte.",
	policies: "Dans cette démonstration, la page de paiement appartient au site\u00a0: elle ne conserve rien dans votre navigateur.",
	badge: "Page de démonstration\u00a0: aucune carte réelle n’est débitée.",
};
