import type { LegalText } from "./legal-text.ts";

/** /cgv. Every change takes a new date in app/catalogue/terms-version.ts: orders keep the version they accepted. */
export const termsOfSale: LegalText = {
	title: "Conditions générales de vente",
	description:
		"Ce que vous achetez sur {shopName}, à quel prix, dans quels délais, et comment vous pouvez annuler, vous rétracter ou être remboursé.",
	introduction: [
		"Ces conditions s’appliquent à toute commande passée sur le site {shopName}. Vous les acceptez en cochant la case prévue, avant de payer. Version du {termsDay}.",
		"Dans ce texte, « nous » désigne le vendeur et « vous » la personne qui passe commande, qu’elle soit un consommateur ou un professionnel.",
	],
	sections: [
		{
			anchor: "vendeur",
			heading: "Le vendeur",
			content: [
				"Le site est exploité par {legalEntity}, {shopAddress}. Son numéro SIREN est {shopSiren} ; son numéro de TVA est {shopVat}.",
				"Vous pouvez nous écrire à [{shopEmail}](mailto:{shopEmail}) ou nous appeler au {shopPhone} ({supportHours}).",
			],
		},
		{
			anchor: "service-prive",
			heading: "Un service privé et indépendant",
			content: [
				"{shopName} est un service privé. Nous ne sommes ni un greffe, ni Infogreffe, ni l’INPI, ni une administration, et nous ne sommes affiliés à aucun d’eux.",
				"Les extraits Kbis sont établis par les greffes des tribunaux de commerce et des tribunaux des activités économiques. Nous demandons l’extrait pour vous, nous vérifions qu’il porte sur l’entreprise commandée, nous vous le remettons et nous vous assistons. Nous ne fabriquons et ne modifions aucun extrait : vous le recevez tel que le greffe l’a établi.",
				"Vous pouvez vous passer de nos services :",
				{
					list: [
						"le greffe vend l’extrait électronique au prix de {officialPrice} (source : {officialPriceSource}, {officialPriceDate}) ;",
						"le dirigeant d’une entreprise immatriculée obtient gratuitement son extrait avec [MonIdenum](https://monidenum.fr), sauf dans les départements 57, 67 et 68 et en Nouvelle-Calédonie ;",
						"l’extrait du registre national des entreprises (RNE) est gratuit et ouvert à tous sur [data.inpi.fr](https://data.inpi.fr). Ce n’est pas un Kbis.",
					],
				},
			],
		},
		{
			anchor: "extraits",
			heading: "Les extraits que nous proposons",
			content: [
				"L’extrait Kbis existe pour les personnes morales immatriculées au registre du commerce et des sociétés. Un commerçant en nom propre peut avoir un extrait\u00a0K : nous le vérifions au cas par cas. Les associations, les professions libérales et les artisans qui n’y sont pas immatriculés n’ont ni l’un ni l’autre : le site le dit avant toute commande, et ne la prend pas.",
				"Un extrait montre l’état du registre le jour où il est établi. La loi ne lui fixe pas de durée de validité ; il est généralement demandé daté de moins de trois mois. Vérifiez ce qu’exige la personne à qui vous le destinez.",
				"L’extrait d’une entreprise cessée ou radiée le mentionne. La page de l’entreprise vous en avertit lorsque nous en avons connaissance.",
				"Les renseignements affichés sur le site viennent de fichiers publics. Ils vous aident à reconnaître l’entreprise et ne remplacent pas l’extrait.",
			],
		},
		{
			anchor: "prix",
			heading: "Services et prix",
			content: [
				{
					table: {
						caption: "Nos trois services",
						columns: ["Service", "Remise", "Prix TTC", "Prix HT"],
						rows: [
							["{standardName}", "{standardDelivery}", "{standardPrice}", "{standardPriceExclVat}"],
							["{expressName}", "{expressDelivery}", "{expressPrice}", "{expressPriceExclVat}"],
							["{postalName}", "{postalDelivery}", "{postalPrice}", "{postalPriceExclVat}"],
						],
					},
				},
				"Les prix sont en euros et comprennent la TVA au taux de 20 %. Le prix du {postalName} se compose de {postalBasePrice} pour l’extrait et de {postalSupplement} pour l’envoi.",
				"Le prix dû est celui du récapitulatif que vous voyez avant de payer. Il comprend le coût de l’extrait ; aucun autre frais ne s’y ajoute.",
			],
		},
		{
			anchor: "commande",
			heading: "Passer commande",
			content: [
				"Vous choisissez l’entreprise et le service, puis vous indiquez vos coordonnées. Avant de payer, un récapitulatif montre l’entreprise, le service, le prix total et la date limite de remise. Vous pouvez encore tout modifier.",
				"Le bouton qui termine la commande porte la mention « Commander avec obligation de paiement » (article L221-14 du code de la consommation). Le contrat est conclu lorsque votre paiement est accepté. Nous vous le confirmons par e-mail, en rappelant la version de ces conditions que vous avez acceptée.",
				"Le contrat est conclu en français. Vérifiez le numéro SIREN : c’est lui qui désigne l’entreprise dont nous demandons l’extrait.",
			],
		},
		{
			anchor: "paiement",
			heading: "Paiement",
			content: [
				"Vous payez par carte, en une fois, à la commande. Le paiement est confié à un prestataire : {paymentProvider}. {cardSentence}",
				"Une commande n’ouvre aucun abonnement. Votre carte n’est pas enregistrée et aucun autre prélèvement ne suit.",
				"Si le paiement est refusé ou abandonné, la commande n’est pas exécutée et vous ne devez rien.",
			],
		},
		{
			anchor: "delais",
			heading: "Délais",
			content: [
				"Les délais courent à partir de l’acceptation du paiement. Ils se comptent pendant nos heures d’ouverture : {openingHours}. Un paiement reçu hors de ces heures compte à partir de la réouverture.",
				{
					list: [
						"{standardName} : extrait envoyé par e-mail en {standardTimeline} au plus.",
						"{expressName} : extrait envoyé par e-mail en {expressTimeline} au plus.",
						"{postalName} : extrait posté sous {postalTimeline}, c’est-à-dire avant la fermeture du deuxième jour ouvré qui suit. L’acheminement demande ensuite un à trois jours ouvrés, soit trois à cinq jours ouvrés en tout.",
					],
				},
				"Avant le paiement, le site affiche la date et l’heure limites pour un paiement immédiat. Celles qui nous engagent sont calculées à l’instant du paiement et figurent sur votre confirmation.",
			],
		},
		{
			anchor: "livraison",
			heading: "Livraison",
			content: [
				"Par e-mail, l’extrait est un fichier PDF. Il est envoyé à votre adresse, ou à l’autre adresse que vous avez indiquée. Chaque lien de téléchargement est valable 24 heures ; la page [Suivi de commande]({trackingUrl}) en donne un nouveau à qui indique le numéro de la commande et l’e-mail du client. Le fichier y reste disponible {extractsRetention} après la livraison, puis il est supprimé : enregistrez-le.",
				"Par courrier, l’extrait imprimé est posté en courrier suivi à l’adresse de la commande, en France. Le numéro de suivi vous est communiqué par e-mail.",
				"Si vous ne recevez rien, regardez dans vos courriers indésirables, puis écrivez-nous.",
			],
		},
		{
			anchor: "manquement",
			heading: "Si nous ne tenons pas notre engagement",
			content: [
				"Si nous ne pouvons pas exécuter la commande, par exemple parce que le registre ne contient pas l’entreprise, nous vous en informons et nous vous remboursons aussitôt la totalité du prix.",
				"Si un {expressName} n’est pas envoyé dans son délai, la totalité de son prix vous est remboursée, sans rien demander. L’extrait vous est remis quand même.",
				"Si une autre commande est en retard, nous vous en informons : vous pouvez attendre l’extrait ou [annuler](#annulation). Les droits que vous tenez des articles L216-6 et L216-7 du code de la consommation restent entiers.",
			],
		},
		{
			anchor: "annulation",
			heading: "Annuler avant la livraison",
			content: [
				"Tant que l’extrait n’est ni disponible ni posté, vous pouvez annuler sans motif et sans frais, depuis la page [Suivi de commande]({trackingUrl}). La totalité du prix vous est remboursée aussitôt, et un e-mail vous le confirme.",
			],
		},
		{
			anchor: "retractation",
			heading: "Droit de rétractation",
			content: [
				"Le consommateur dispose d’un droit de rétractation (articles L221-18 et suivants du code de la consommation). Nous l’accordons à tous nos clients, professionnels compris.",
				"**Le délai.** Vous avez quatorze jours pour vous rétracter, sans donner de motif. Le délai court à partir de la conclusion du contrat ou, pour un {postalName}, de la réception du courrier. S’il finit un samedi, un dimanche ou un jour férié, il est prolongé jusqu’au premier jour ouvrable suivant.",
				"**La demande.** Avant la fin du délai, le plus simple est la page [Renoncer au contrat ici]({withdrawalUrl}), sans compte : vous recevez aussitôt un accusé de réception daté. Vous pouvez aussi nous envoyer le [formulaire ci-dessous](#formulaire) ou toute autre déclaration dénuée d’ambiguïté, par e-mail à [{shopEmail}](mailto:{shopEmail}) ou par courrier à {legalEntity}, {shopAddress}.",
				"**Le remboursement.** Nous vous remboursons la totalité du prix, envoi compris, sans retard et au plus tard quatorze jours après avoir reçu votre décision. Nous utilisons le même moyen de paiement que vous, sans frais pour vous. Vous n’avez rien à nous renvoyer.",
				"**L’exécution immédiate.** Un extrait est en principe livré bien avant la fin de ce délai. Avant de payer, une case vous propose donc de demander l’exécution immédiate et de reconnaître que vous perdrez votre droit de rétractation une fois l’extrait livré (article L221-28, 1°, du code de la consommation). Cette case n’est pas cochée d’avance.",
				{
					list: [
						"Si vous la cochez, vous pouvez vous rétracter jusqu’à la livraison. Ensuite, votre droit est perdu.",
						"Si vous ne la cochez pas, votre commande est traitée de la même façon et vous gardez votre droit jusqu’à la fin des quatorze jours, même après la livraison.",
					],
				},
			],
		},
		{
			anchor: "erreur",
			heading: "Extrait erroné ou inutilisable : trente jours",
			content: [
				"Si l’extrait reçu ne porte pas sur l’entreprise commandée, ou s’il est incomplet, illisible ou inutilisable, demandez-en le remboursement dans les trente jours qui suivent la livraison, depuis la page [Suivi de commande]({trackingUrl}). Nous répondons sous 24 heures. Après vérification, nous vous remboursons la totalité du prix.",
				"Une mention que le greffe a inscrite au registre ne rend pas l’extrait erroné, même si elle ne vous convient pas : c’est au greffe qu’elle se corrige.",
				"Cette garantie s’ajoute à vos droits légaux ; elle n’en remplace aucun.",
			],
		},
		{
			anchor: "garanties",
			heading: "Responsabilité et garanties légales",
			content: [
				"Nous répondons de plein droit de la bonne exécution du contrat (article L221-15 du code de la consommation), sauf si le manquement vient de vous, du fait imprévisible et insurmontable d’un tiers, ou d’un cas de force majeure.",
				"Lorsque la loi les prévoit pour ce que vous avez acheté, vous bénéficiez de la garantie légale de conformité (articles L217-3 et suivants du code de la consommation pour un bien, articles L224-25-12 et suivants pour un contenu numérique) et de la garantie des vices cachés (articles 1641 et suivants du code civil). Vous les mettez en œuvre en nous écrivant ; elles ne vous coûtent rien.",
			],
		},
		{
			anchor: "facture",
			heading: "Facture",
			content: [
				"Chaque commande payée donne lieu à une facture, et chaque remboursement à un avoir. Nous vous les adressons par e-mail et nous les conservons {invoicesRetention}.",
				"Pour un professionnel : le paiement anticipé ne donne droit à aucun escompte. Une somme payée en retard porte intérêt au taux suivant : {latePenalty}, avec une indemnité forfaitaire de 40 € pour frais de recouvrement (articles L441-10 et D441-5 du code de commerce).",
			],
		},
		{
			anchor: "donnees",
			heading: "Données personnelles",
			content: [
				"La [politique de confidentialité]({privacyUrl}) dit quelles données nous recueillons et pourquoi. La page [Vos droits sur vos données]({rightsUrl}) dit comment les consulter, les corriger ou les faire effacer.",
			],
		},
		{
			anchor: "mediation",
			heading: "Réclamations et médiation",
			content: [
				"Adressez d’abord votre réclamation à [{shopEmail}](mailto:{shopEmail}). Nous répondons dans les 24 heures.",
				"Si notre réponse ne vous satisfait pas et que vous êtes un consommateur, vous pouvez saisir gratuitement le médiateur de la consommation dont nous relevons : {mediator}. Vous avez pour cela un an à partir de votre réclamation écrite (articles L612-1 et L612-2 du code de la consommation).",
			],
		},
		{
			anchor: "droit",
			heading: "Droit applicable et juridiction",
			content: [
				"Le contrat est soumis au droit français. Un consommateur qui réside dans un autre pays de l’Union européenne garde la protection des règles impératives de ce pays.",
				"Le consommateur peut saisir, à son choix, l’une des juridictions compétentes en vertu du code de procédure civile, ou celle du lieu où il demeurait lors de la conclusion du contrat ou de la survenance du fait dommageable (article R631-3 du code de la consommation).",
			],
		},
		{
			anchor: "modification",
			heading: "Modification de ces conditions",
			content: [
				"Nous pouvons modifier ces conditions. Une commande reste soumise à la version que vous avez acceptée en la passant. Nous vous la communiquons sur demande.",
			],
		},
		{
			anchor: "formulaire",
			heading: "Modèle de formulaire de rétractation",
			content: [
				"Modèle prévu par l’article R221-1 du code de la consommation. Vous pouvez le copier dans un e-mail.",
				{
					letter: [
						"(Veuillez compléter et renvoyer le présent formulaire uniquement si vous souhaitez vous rétracter du contrat.)",
						"À l’attention de : {legalEntity}, {shopAddress}, {shopEmail}",
						"Je/nous (*) vous notifie/notifions (*) par la présente ma/notre (*) rétractation du contrat portant sur la vente du bien (*)/pour la prestation de services (*) ci-dessous :",
						"Commandé le (*)/reçu le (*) :",
						"Nom du (des) consommateur(s) :",
						"Adresse du (des) consommateur(s) :",
						"Signature du (des) consommateur(s) (uniquement en cas de notification du présent formulaire sur papier) :",
						"Date :",
						"(*) Rayez la mention inutile.",
					],
				},
				"Indiquez aussi, si vous l’avez sous la main, le numéro de la commande.",
			],
		},
	],
};
