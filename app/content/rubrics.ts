/** A rubric of the drawn extract, with invented content. */
export interface Rubric {
	/** Of its explanation, in the URL: `#rubrique-observations`. */
	anchor: string;
	/** Its heading on the sheet, in lines. */
	heading: readonly string[];
	rows: readonly (readonly [label: string, value: string])[];
}

/** The rubrics of an extract, in their order and with their labels (C. com. art. A123-65). Names, numbers and dates are invented. */
export const rubrics: readonly Rubric[] = [
	{
		anchor: "rubrique-en-tete",
		heading: ["Extrait d’immatriculation principale", "au registre du commerce et des sociétés"],
		rows: [
			["Greffe", "nom du greffe"],
			["N°\u00a0de gestion", "2020 B 00000"],
			["À jour au", "23\u00a0novembre 2026"],
		],
	},
	{
		anchor: "rubrique-identification",
		heading: ["Identification de la personne morale"],
		rows: [
			["Immatriculation au RCS, numéro", "000 000 000 R.C.S. Ville"],
			["Date d’immatriculation", "12\u00a0mars 2020"],
			["Dénomination ou raison sociale", "EXEMPLE"],
			["Forme juridique", "Société par actions simplifiée"],
			["Capital social", "10 000,00 euros"],
			["Adresse du siège", "1 rue du Modèle, 00000 Ville"],
			["Activités principales", "Conseil aux entreprises"],
			["Durée de la personne morale", "Jusqu’au 11\u00a0mars 2119"],
			["Date de clôture de l’exercice", "31\u00a0décembre"],
		],
	},
	{
		anchor: "rubrique-direction",
		heading: ["Gestion, direction, administration, contrôle,", "associés ou membres"],
		rows: [
			["Président", ""],
			["Nom, prénoms", "MODÈLE Camille"],
			["Date et lieu de naissance", "1er\u00a0janvier 1980, Ville"],
			["Nationalité", "Française"],
		],
	},
	{
		anchor: "rubrique-activite",
		heading: ["Renseignements relatifs à l’activité", "et à l’établissement principal"],
		rows: [
			["Adresse de l’établissement", "1 rue du Modèle, 00000 Ville"],
			["Activité(s) exercée(s)", "Conseil aux entreprises"],
			["Date de commencement d’activité", "12\u00a0mars 2020"],
			["Origine du fonds ou de l’activité", "Création"],
			["Mode d’exploitation", "Exploitation directe"],
		],
	},
	{
		anchor: "rubrique-observations",
		heading: ["Observations et renseignements complémentaires"],
		rows: [["Mention n°\u00a01 du 5\u00a0février 2024", "Transfert du siège"]],
	},
	{
		anchor: "rubrique-fin",
		heading: ["Fin de l’extrait"],
		rows: [
			["Le greffier", ""],
			["Code de vérification", ""],
		],
	},
];
