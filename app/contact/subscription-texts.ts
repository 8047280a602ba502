/** /abonnement: an offer that is announced, and an address to be told when it opens. */
export const subscriptionTexts = {
	/** The ISO date of these words, kept with each address: a new one goes with every change to `consent`. */
	textVersion: "2026-11-21",

	title: "{subscriptionName} : bientôt disponible",
	description:
		"L’abonnement {shopName} n’est pas encore ouvert et rien n’est prélevé. Laissez votre adresse pour être prévenu de son ouverture.",
	lead: "{subscriptionFirstPrice}, puis {subscriptionMonthlyPrice} par mois",

	notYet: [
		"Cet abonnement est annoncé : il n’est pas encore en vente. Vous ne pouvez pas le souscrire et rien n’est prélevé.",
		"Le prix et le contenu annoncés ici peuvent changer avant l’ouverture. Vous les retrouverez, complets, avant de vous engager à quoi que ce soit.",
		"Acheter un extrait à l’unité n’ouvre aucun abonnement : votre carte n’est pas enregistrée.",
	],
	featuresHeading: "Ce que l’abonnement doit comprendre",

	formHeading: "Être prévenu de l’ouverture",
	field: "Votre adresse e-mail",
	hint: "Par exemple : prenom.nom@exemple.fr",
	consent:
		"En envoyant votre adresse, vous acceptez que nous vous écrivions pour l’ouverture de l’abonnement, et pour rien d’autre. Nous la gardons {marketingRetention} au plus. Vous retirez votre accord quand vous le voulez en écrivant à [{shopEmail}](mailto:{shopEmail}). Le reste est dans la [politique de confidentialité](/politique-confidentialite).",
	button: "Me prévenir",

	thanksHeading: "C’est noté",
	thanks: "Nous vous écrirons quand l’abonnement ouvrira. Vous n’avez rien souscrit et rien ne vous sera prélevé.",
	meanwhile: "En attendant, vous pouvez [commander un extrait à l’unité](/commande).",
};
