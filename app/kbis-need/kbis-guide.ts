import type { Block } from "../content/text.ts";

/** The words of /ai-je-besoin-d-un-kbis around its questions, and a short guide below them (see text.ts for how it is written). */
export const kbisGuide = {
	title: "Ai-je besoin d’un Kbis ?",
	description:
		"Trois questions pour savoir quel document il vous faut : Kbis, extrait K ou document gratuit. Ce qui est gratuit, ce que demande le greffe ({officialPrice}), et quand un service payant est utile.",
	lead: "Un document gratuit peut suffire. Trois questions pour le savoir avant de payer.",

	formHeading: "Votre situation",
	changeHeading: "Changer vos réponses",
	button: "Voir la réponse",

	documentLabel: "Le document",
	freeLabel: "Gratuitement",
	greffeLabel: "Au greffe",
	shapeLabel: "PDF ou papier",
	serviceLabel: "Par notre service",

	guide: [
		{
			heading: "Ce qu’est un extrait Kbis",
			content: [
				"C’est un extrait du registre du commerce et des sociétés (RCS), établi par le greffe : nom, forme, capital, siège, dirigeants. Il porte un code qui permet de le vérifier.",
				"Seules les personnes morales inscrites à ce registre en ont un : SARL, SAS, SA, SCI, GIE… Un commerçant en nom propre a un extrait K. Une association, une profession libérale ou un artisan hors du registre n’a ni l’un ni l’autre.",
			],
		},
		{
			heading: "Qui le demande",
			content: [
				"Surtout des banques, des fournisseurs, des clients et des bailleurs, qui veulent savoir avec qui ils traitent.",
				"Depuis novembre 2021, l’administration ne le demande plus : elle trouve ces informations avec le numéro SIREN, y compris pour un marché public.",
			],
		},
		{
			heading: "« Moins de trois mois » : un usage, pas une loi",
			content: [
				"La loi ne fixe pas de durée de validité. L’extrait montre l’entreprise telle que le registre la connaissait ce jour-là ; c’est pourquoi on le demande récent. Le vôtre a quatre mois ? Demandez s’il convient avant d’en chercher un autre.",
			],
		},
		{
			heading: "Quel document, où, à quel prix",
			content: [
				{
					table: {
						caption: "Prix du greffe : {officialPriceSource}, {officialPriceDate}.",
						columns: ["Document", "Pour qui", "Prix", "Où"],
						rows: [
							[
								"Extrait Kbis de sa société",
								"Son dirigeant",
								"Gratuit",
								"[MonIdenum](https://monidenum.fr), sauf dans les départements 57, 67, 68 et en Nouvelle-Calédonie",
							],
							["Extrait RNE", "Tout le monde", "Gratuit", "INPI, [data.inpi.fr](https://data.inpi.fr)"],
							[
								"Avis de situation Sirene",
								"Tout le monde",
								"Gratuit",
								"Insee, [avis-situation-sirene.insee.fr](https://avis-situation-sirene.insee.fr)",
							],
							[
								"Fiche d’une entreprise",
								"Tout le monde",
								"Gratuit",
								"[Annuaire des entreprises](https://annuaire-entreprises.data.gouv.fr), ou [notre recherche](/recherche)",
							],
							[
								"Annonce d’une association",
								"Tout le monde",
								"Gratuit",
								"Journal officiel, [journal-officiel.gouv.fr](https://www.journal-officiel.gouv.fr)",
							],
							["Extrait Kbis électronique", "Tout le monde", "{officialPrice}", "Greffe, [infogreffe.fr](https://www.infogreffe.fr)"],
							["Extrait K", "Tout le monde", "Affiché avant l’achat", "Greffe, [infogreffe.fr](https://www.infogreffe.fr)"],
							[
								"Extrait Kbis par notre service",
								"Tout le monde",
								"{standardPrice}, {postalPrice} ou {expressPrice}",
								"[Commander](/commande)",
							],
						],
					},
				},
			],
		},
	] satisfies readonly { heading: string; content: readonly Block[] }[],
};
