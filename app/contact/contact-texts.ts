/** What /contact and /support say alike: how to reach the shop, and how a form is sent. */
export const reachWords = {
	reachHeading: "Nous joindre",
	phone: "Téléphone",
	email: "E-mail",
	hours: "Support téléphonique",
	tracking: "Pour savoir où en est une commande, le plus rapide est la page [Suivre ma commande](/suivi-commande).",

	formHeading: "Nous écrire",
	emailField: "E-mail",
	emailHint: "Par exemple : prenom.nom@exemple.fr",
	messageField: "Message",
	messageHint: "Pour une commande, indiquez son numéro (KB-…). N’écrivez jamais un numéro de carte.",
	use: "Ce que vous écrivez ici ne sert qu’à vous répondre. Le reste est dans la [politique de confidentialité](/politique-confidentialite).",
	button: "Envoyer le message",

	thanksHeading: "Votre message est envoyé",
	thanks: "Un accusé de réception part à votre adresse. Nous répondons sous {replyTime}.",
};

/** /contact: how to reach the shop, and a short form. */
export const contactTexts = {
	...reachWords,
	title: "Contact",
	description:
		"Écrivez à {shopName} ou appelez le {shopPhone} ({supportHours}). Nous répondons sous {replyTime}, pour une commande, une facture ou une question.",
	lead: "Nous répondons sous {replyTime}.",
	nameField: "Nom",

	/** Where the form was reached from a company's page. */
	subjectField: "Objet",
	objection:
		"Si la fiche vous concerne, par exemple comme entrepreneur individuel, dites-nous si vous demandez qu’elle ne soit plus affichée. Nous la masquons dès que nous traitons votre demande, et nous vous répondons dans les trente jours au plus tard.",
	correction:
		"Dites-nous ce qui est faux. Les données viennent des répertoires de l’Insee et de l’INPI : une correction durable se demande aussi auprès d’eux.",
};
