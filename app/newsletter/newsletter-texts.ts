/**
 * /lettre-information: what the newsletter is, and its form; then the pages behind the links of its mails.
 * A change to `content`, `consent` or the number of letters wants a new date in app/catalogue/newsletter-version.ts.
 */
export const newsletterTexts = {
	title: "Lettre d’information",
	description:
		"La lettre d’information {shopName} : au plus une par mois, sur le service et les formalités des entreprises. Inscription confirmée par e-mail, et dans chaque lettre un lien pour y mettre fin.",
	lead: "Au plus une lettre par mois, par e-mail.",

	contentHeading: "Ce que vous recevez",
	content: [
		"Les nouvelles du service : ce qui change dans les commandes, les délais, les prix.",
		"Les formalités des entreprises : ce qui change pour l’extrait Kbis, le registre, les déclarations.",
	],
	never: "Aucune offre d’un tiers. Votre adresse n’est transmise à personne pour qu’il vous écrive.",

	formHeading: "S’inscrire",
	field: "Votre adresse e-mail",
	hint: "Par exemple : prenom.nom@exemple.fr",
	consent:
		"En envoyant votre adresse, vous demandez à recevoir cette lettre. Nous vous envoyons d’abord un message : sans votre confirmation sous {newsletterRequestsRetention}, nous effaçons l’adresse. Chaque lettre porte un lien qui y met fin. Le reste est dans la [politique de confidentialité](/politique-confidentialite).",
	button: "S’inscrire",

	askedHeading: "Consultez votre messagerie",
	asked:
		"Si cette adresse n’est pas déjà inscrite, un message lui demande de confirmer. Vous ne le voyez pas ? Regardez parmi les indésirables. Un seul part par jour.",

	/** The pages behind a link to confirm. */
	confirmation: {
		asked: {
			title: "Confirmer votre inscription",
			lead: "Vous recevrez la lettre d’information {shopName}, au plus une fois par mois. Chaque lettre porte un lien qui y met fin.",
			button: "Confirmer mon inscription",
		},
		confirmed: {
			title: "Votre inscription est confirmée",
			lead: "Vous recevrez la prochaine lettre d’information. Chaque lettre porte un lien qui y met fin.",
			link: "Retour à l’accueil",
		},
		expired: {
			title: "Ce lien n’est plus valable",
			lead: "Il était valable {newsletterRequestsRetention}, ou l’inscription a pris fin depuis. Redemandez la lettre : un nouveau lien vous sera envoyé.",
			link: "Redemander la lettre",
		},
		wrong: {
			title: "Ce lien n’est pas valable",
			lead: "Il est peut-être incomplet. Ouvrez-le depuis notre message, ou redemandez la lettre.",
			link: "Redemander la lettre",
		},
	},

	/** The pages behind a link to unsubscribe. */
	end: {
		subscribed: {
			title: "Se désinscrire",
			lead: "Vous ne recevrez plus la lettre d’information {shopName}. Les messages sur vos commandes continuent.",
			button: "Me désinscrire",
		},
		ended: {
			title: "Votre désinscription est faite",
			lead: "Vous ne recevrez plus la lettre d’information. Pour la recevoir de nouveau, redemandez-la.",
			link: "Redemander la lettre",
		},
		wrong: {
			title: "Ce lien n’est pas valable",
			lead: "Il est peut-être incomplet. Ouvrez-le depuis la lettre, ou écrivez-nous à {shopEmail} : nous vous désinscrirons.",
			link: "Nous écrire",
		},
	},
};
