/** The questions of the home page; those about an order stand on the support page too. Values stand between braces (see facts.ts), links as `[les mots]({trackingUrl})` (see legal-text.ts). */
export const faq: readonly { question: string; answer: string; about?: "order" }[] = [
	{
		question: "Qu’est-ce qu’un extrait Kbis ?",
		answer:
			"C’est la carte d’identité d’une société inscrite au registre du commerce et des sociétés : nom, forme, capital, siège, dirigeants. Il est établi par le greffe. La loi ne lui fixe pas de durée de validité ; il est généralement demandé daté de moins de trois mois.",
	},
	{
		question: "Pour quelle entreprise puis-je le demander ?",
		answer:
			"Pour toute société immatriculée, même si ce n’est pas la vôtre. Les associations, les professions libérales et les artisans hors du registre n’ont pas de Kbis : nous le disons avant toute commande. Un commerçant en nom propre a parfois un extrait K, à vérifier.",
	},
	{
		question: "En combien de temps vais-je recevoir l’extrait ?",
		answer:
			"Par e-mail : {standardTimeline} avec le {standardName}, {expressTimeline} avec le {expressName}. Sur papier : posté sous {postalTimeline}, donc reçu en 3 à 5 jours ouvrés. Nos heures ouvrées : {openingHours}. La date et l’heure sont affichées avant le paiement.",
		about: "order",
	},
	{
		question: "Combien cela coûte-t-il ?",
		answer:
			"{standardPrice} pour le {standardName}, {expressPrice} pour le {expressName}, {postalPrice} pour le {postalName}, dont {postalSupplement} d’envoi. Ces prix sont TTC et comprennent la demande, la vérification, l’envoi et l’assistance. Le prix affiché est celui que vous payez.",
	},
	{
		question: "Puis-je l’obtenir moins cher, ou gratuitement ?",
		answer:
			"Oui. Le greffe vend l’extrait électronique {officialPrice}. Le dirigeant d’une société l’obtient gratuitement sur [MonIdenum](https://monidenum.fr), sauf dans les départements 57, 67, 68 et en Nouvelle-Calédonie. L’extrait RNE, qui n’est pas un Kbis, est gratuit sur [data.inpi.fr](https://data.inpi.fr). {shopName} est un service privé, sans lien avec eux.",
	},
	{
		question: "Y a-t-il un abonnement caché ?",
		answer: "Non. Vous payez une fois, par carte. Votre carte n’est pas enregistrée et aucun autre prélèvement ne suit.",
		about: "order",
	},
	{
		question: "Comment suivre ma commande ?",
		answer:
			"Sur la page [Suivre ma commande]({trackingUrl}), avec votre e-mail et le numéro de commande. Vous y retrouvez les étapes et le document. Chaque lien de téléchargement est valable 24 heures ; la page en donne un nouveau à chaque visite.",
		about: "order",
	},
	{
		question: "Puis-je annuler ma commande ?",
		answer:
			"Oui, tant que l’extrait n’est ni disponible ni posté, depuis la page [Suivre ma commande]({trackingUrl}) : vous êtes remboursé aussitôt. La suite est dans les [conditions générales de vente]({termsUrl}).",
		about: "order",
	},
];

export const orderQuestions = faq.filter(({ about }) => about === "order");
