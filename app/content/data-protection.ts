import type { LegalText } from "./legal-text.ts";

/** /politique-rgpd: the rights of a person, and how to use them. */
export const dataProtection: LegalText = {
	title: "Vos droits sur vos données (RGPD)",
	description:
		"Consulter, corriger, récupérer ou faire effacer vos données chez {shopName} : comment faire, en combien de temps, et ce que nous conservons.",
	introduction: [
		"Le règlement général sur la protection des données (RGPD) et la loi « Informatique et Libertés » vous donnent des droits. Un e-mail à [{shopEmail}](mailto:{shopEmail}) suffit pour les exercer.",
		"Ce que nous recueillons, et pourquoi, est décrit dans la [politique de confidentialité]({privacyUrl}).",
	],
	sections: [
		{
			anchor: "droits",
			heading: "Vos droits",
			content: [
				{
					list: [
						"**Accès :** savoir si nous avons des données sur vous, et en recevoir une copie.",
						"**Rectification :** faire corriger ce qui est faux ou incomplet.",
						"**Effacement :** faire supprimer ce que nous n’avons plus de raison de garder.",
						"**Limitation :** faire suspendre un usage, le temps d’examiner votre demande.",
						"**Portabilité :** recevoir les données que vous nous avez fournies dans un format lisible par une machine.",
						"**Opposition :** refuser un usage fondé sur notre intérêt légitime, et toute prospection sans avoir à vous justifier.",
						"**Retrait du consentement :** cesser de recevoir nos lettres, à tout moment, par le lien qui termine chacune.",
						"**Directives :** dire ce que deviendront vos données après votre mort.",
					],
				},
				"Nous ne prenons aucune décision automatisée qui produise des effets juridiques sur vous.",
			],
		},
		{
			anchor: "demande",
			heading: "Faire une demande",
			content: [
				"Écrivez à [{shopEmail}](mailto:{shopEmail}) ou à {legalEntity}, {shopAddress}. Dites ce que vous demandez. Si vous avez passé commande, écrivez de préférence depuis l’e-mail de la commande et donnez son numéro : nous saurons que la demande vient de vous. Nous ne demandons un autre justificatif qu’en cas de doute raisonnable.",
				"Nous répondons dans les trente jours, gratuitement. Si nous ne pouvons pas faire ce que vous demandez, nous disons pourquoi.",
				"Effacer vos données ne supprime pas les factures : la loi nous oblige à les conserver {invoicesRetention}. Elles ne servent plus alors qu’à la comptabilité.",
			],
		},
		{
			anchor: "durees",
			heading: "Durées de conservation",
			content: [
				{
					table: {
						caption: "Combien de temps nous gardons vos données, au plus",
						columns: ["Données", "Durée", "À partir de"],
						rows: [
							["Commandes, avec leurs étapes et leurs messages", "{ordersRetention}", "La dernière étape de la commande"],
							["Extraits livrés (PDF)", "{extractsRetention}", "La livraison"],
							["Factures, avoirs et comptabilité", "{invoicesRetention}", "La fin de l’année où elles sont établies"],
							["Lettre d’information", "{marketingRetention}", "Votre confirmation"],
							["Lettre d’information demandée, jamais confirmée", "{newsletterRequestsRetention}", "Votre demande"],
							["Preuve de votre accord pour cette lettre", "{marketingRetention}", "La fin de l’inscription"],
							["Demandes d’être prévenu", "{marketingRetention}", "Votre accord"],
							["Messages du formulaire de contact", "{messagesRetention}", "Leur envoi"],
							["Journaux techniques", "{logsRetention}", "Leur enregistrement"],
						],
					},
				},
			],
		},
		{
			anchor: "sous-traitants",
			heading: "Nos prestataires",
			content: [
				{
					table: {
						caption: "Qui travaille pour nous, et sur quelles données",
						columns: ["Rôle", "Prestataire", "Données reçues"],
						rows: [
							["Hébergement du site", "{host}", "Toutes celles du site, pour les conserver"],
							[
								"Paiement par carte",
								"{paymentProvider}",
								"Votre e-mail, le service, le montant, la référence de la commande et votre carte",
							],
							["Messagerie", "{mailCarrier}", "Votre adresse e-mail et nos messages"],
							["Courrier suivi", "l’opérateur postal, pour un {postalName}", "Le nom et l’adresse du destinataire"],
						],
					},
				},
				"Si un prestataire traite des données hors de l’Espace économique européen, ce transfert repose sur une décision d’adéquation ou sur les clauses contractuelles types de la Commission européenne (articles 45 et 46 du RGPD).",
			],
		},
		{
			anchor: "incident",
			heading: "En cas d’incident",
			content: [
				"Si une violation de données présente un risque pour vous, nous la notifions à la CNIL dans les 72 heures après en avoir eu connaissance. Si ce risque est élevé, nous vous prévenons aussi, dans les meilleurs délais, en disant ce qui s’est passé et ce que vous pouvez faire (articles 33 et 34 du RGPD).",
			],
		},
		{
			anchor: "contact",
			heading: "Contact et recours",
			content: [
				"Le responsable du traitement est {legalEntity}, {shopAddress}, SIREN {shopSiren}. E-mail : [{shopEmail}](mailto:{shopEmail}). Téléphone : {shopPhone} ({supportHours}).",
				"Si notre réponse ne vous convient pas, vous pouvez saisir la Commission nationale de l’informatique et des libertés : [cnil.fr/plaintes](https://www.cnil.fr/fr/plaintes) ou CNIL, 3 place de Fontenoy, TSA 80715, 75334 Paris Cedex 07.",
			],
		},
	],
};
