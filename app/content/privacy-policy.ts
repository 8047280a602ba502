import type { LegalText } from "./legal-text.ts";

/** /politique-confidentialite: what is collected, why, for how long, who receives it. */
export const privacyPolicy: LegalText = {
	title: "Politique de confidentialité",
	description:
		"Les données recueillies par {shopName}, pourquoi, pendant combien de temps, et qui les reçoit. Aucun cookie publicitaire, aucun traceur.",
	introduction: [
		"Cette page dit ce que nous savons de vous, à quoi cela sert et quand nous l’effaçons. La page [Vos droits sur vos données]({rightsUrl}) dit comment nous demander de les consulter, de les corriger ou de les effacer.",
	],
	sections: [
		{
			anchor: "responsable",
			heading: "Qui est responsable de vos données",
			content: [
				"{legalEntity}, {shopAddress}, SIREN {shopSiren}, exploite le site {shopName} et répond du traitement de vos données. Pour toute question : [{shopEmail}](mailto:{shopEmail}) ou {shopPhone} ({supportHours}).",
			],
		},
		{
			anchor: "donnees",
			heading: "Ce que nous recueillons",
			content: [
				"**Quand vous commandez :** votre e-mail, votre prénom, votre nom, votre adresse de facturation, l’entreprise dont vous demandez l’extrait et le service choisi. Vous pouvez ajouter un téléphone, une société à facturer et une autre adresse e-mail pour l’extrait. Les champs obligatoires sont signalés : sans eux, nous ne pouvons ni livrer ni facturer.",
				"**Vos choix :** l’acceptation des conditions générales, la demande d’exécution immédiate et l’accord pour recevoir notre lettre d’information, avec leur date.",
				"**La vie de votre commande :** ses étapes, ses montants, les documents et les e-mails qui vous ont été adressés.",
				"**Votre paiement :** sa référence et son résultat, que nous donne le prestataire : {paymentProvider}. {cardSentence}",
				"**Quand vous nous écrivez :** votre nom, votre adresse et votre message. Quand vous demandez à être prévenu de l’ouverture d’un service : votre adresse e-mail et la date.",
				"**Quand vous demandez notre [lettre d’information]({newsletterUrl}) :** votre adresse e-mail, les dates de votre demande, de votre confirmation et de la fin, les lettres envoyées. Sans confirmation sous {newsletterRequestsRetention}, nous effaçons tout.",
				"Vous n’avez pas de compte à créer. Nous ne demandons ni date de naissance, ni pièce d’identité.",
			],
		},
		{
			anchor: "finalites",
			heading: "Pourquoi, et pendant combien de temps",
			content: [
				{
					table: {
						caption: "Usages de vos données",
						columns: ["Usage", "Fondement (RGPD, article 6)", "Durée maximale"],
						rows: [
							[
								"Traiter, livrer et suivre votre commande, répondre à vos réclamations",
								"Exécution du contrat (1, b)",
								"{ordersRetention} après la dernière étape de la commande",
							],
							["Tenir à votre disposition l’extrait livré", "Exécution du contrat (1, b)", "{extractsRetention} après la livraison"],
							[
								"Établir et conserver les factures et la comptabilité",
								"Obligation légale (1, c)",
								"{invoicesRetention} après la fin de l’année où elles sont établies",
							],
							[
								"Garder la preuve de vos consentements et de vos choix",
								"Obligation légale (1, c)",
								"Celle des données qu’ils concernent ; pour la lettre d’information, {marketingRetention} après sa fin",
							],
							[
								"Vous envoyer notre lettre d’information ou vous prévenir de l’ouverture d’un service",
								"Votre consentement (1, a)",
								"{marketingRetention}, ou jusqu’à ce que vous le retiriez",
							],
							["Répondre à un message sans commande", "Intérêt légitime à vous répondre (1, f)", "{messagesRetention} après votre message"],
							["Protéger le site contre les abus et les pannes", "Intérêt légitime à la sécurité (1, f)", "{logsRetention}"],
						],
					},
				},
				"Vous retirez votre consentement quand vous le voulez, par le lien qui termine chaque lettre ou en écrivant à [{shopEmail}](mailto:{shopEmail}).",
			],
		},
		{
			anchor: "entreprises",
			heading: "Les entreprises affichées sur le site",
			content: [
				"La recherche utilise le répertoire Sirene de l’Insee, publié sous Licence Ouverte. Certaines fiches concernent une personne, par exemple un entrepreneur individuel. Nous les affichons dans l’intérêt légitime de ceux qui cherchent une entreprise.",
				"Quand une personne a choisi auprès de l’Insee la diffusion partielle, nous ne conservons ni son nom ni son adresse. Vous pouvez aussi vous opposer à cet affichage en nous écrivant. Un extrait Kbis cite les dirigeants de l’entreprise : la loi rend ces informations publiques.",
			],
		},
		{
			anchor: "destinataires",
			heading: "Qui reçoit vos données",
			content: [
				"Les personnes qui traitent les commandes et répondent à vos messages, chez nous. Les prestataires dont nous avons besoin : hébergement, paiement, envoi des e-mails, courrier. La page [Vos droits sur vos données]({rightsUrl}) en donne la liste, et ce que reçoit chacun. L’administration et la justice, quand la loi l’impose.",
				"Pour obtenir un extrait, nous indiquons au greffe l’entreprise demandée, pas votre identité.",
				"Nous ne vendons, ne louons et n’échangeons aucune donnée. Nous ne faisons ni publicité ciblée, ni profilage, ni démarchage par téléphone.",
			],
		},
		{
			anchor: "cookies",
			heading: "Cookies et mémoire du navigateur",
			content: [
				"Nous n’utilisons que ce qui est nécessaire au service que vous demandez : la loi n’exige pas de recueillir votre accord, et le site n’affiche donc pas de bandeau.",
				{
					table: {
						caption: "Ce que votre navigateur garde",
						columns: ["Nom", "À quoi il sert", "Durée"],
						rows: [
							[
								"Cookie « suivi »",
								"Vous montrer votre commande sans redemander son numéro. Il est déposé quand vous l’avez retrouvée sur la page de suivi ; il est signé et illisible pour les scripts.",
								"Une heure",
							],
							[
								"Brouillon « kbis-draft » (mémoire locale)",
								"Vous rendre le formulaire de commande tel que vous l’avez laissé. Il reste dans votre navigateur et ne nous est pas envoyé.",
								"Jusqu’à la commande, ou jusqu’à ce que vous l’effaciez",
							],
						],
					},
				},
				"Nos pages ne chargent rien d’un autre site : ni mesure d’audience, ni police, ni image, ni bouton de réseau social. Le prestataire de paiement a sa propre page et ses propres règles.",
			],
		},
		{
			anchor: "securite",
			heading: "Comment nous les protégeons",
			content: [
				{
					list: [
						"Retrouver une commande demande son numéro, impossible à deviner, et l’e-mail du client. Les essais répétés sont bloqués.",
						"Pour compter ces essais, nous gardons une empreinte de l’adresse IP ou de l’e-mail, pas l’adresse elle-même, le temps du comptage.",
						"Un lien de téléchargement est signé, ne donne qu’un document et expire au bout de 24 heures.",
						"Les journaux techniques notent le type de page demandé, le résultat et la durée. Ils ne contiennent ni adresse IP, ni ce que vous avez saisi.",
					],
				},
				"Si un incident touche vos données, nous suivons les règles décrites à la page [Vos droits sur vos données]({rightsUrl}#incident).",
			],
		},
		{
			anchor: "modification",
			heading: "Modification de cette page",
			content: [
				"Nous tenons cette page à jour quand le site change. Si un changement touche des données déjà recueillies, nous vous en informons avant qu’il s’applique.",
			],
		},
	],
};
