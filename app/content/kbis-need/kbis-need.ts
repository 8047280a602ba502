import { href } from "react-router";
import { isKeyOf } from "../../../server/types/objects.ts";
import type { RichText } from "../../ui/markdown/rich-text.ts";
import { readRichText } from "../read-text.ts";

/**
 * « Ai-je besoin d’un Kbis ? »: the questions, and one answer for each pair of replies. Answers have variables in braces, and links as
 * `[les mots](/recherche)`. Free documents always come before sold ones.
 */
export const questions = {
	demande: {
		legend: "Qui vous demande le document ?",
		missing: "Indiquez qui vous demande le document.",
		options: {
			banque: "Une banque",
			administration: "Une administration ou un marché public",
			partenaire: "Un fournisseur, un client ou un bailleur",
			juridique: "Un greffe, un notaire ou un avocat",
			information: "Personne : je veux des informations sur une entreprise",
			autre: "Quelqu’un d’autre",
		},
	},
	entreprise: {
		legend: "De quelle entreprise s’agit-il ?",
		missing: "Indiquez de quelle entreprise il s’agit.",
		options: {
			societe: "La mienne : une société (SARL, SAS, SCI…)",
			"auto-entrepreneur": "Je suis auto-entrepreneur (micro-entreprise)",
			commerce: "La mienne : une entreprise individuelle commerçante",
			"artisan-liberal": "La mienne : une entreprise individuelle artisanale ou libérale",
			association: "Une association",
			autrui: "L’entreprise de quelqu’un d’autre",
		},
	},
	forme: {
		legend: "Sous quelle forme ?",
		options: {
			indifferente: "Peu importe",
			pdf: "En PDF",
			papier: "Sur papier",
		},
	},
} as const;

type Asker = keyof typeof questions.demande.options;
type Kind = keyof typeof questions.entreprise.options;
type Shape = keyof typeof questions.forme.options;

export interface Choices {
	demande: Asker;
	entreprise: Kind;
	forme: Shape;
}

export interface KbisAnswer {
	heading: string;
	/** The document, with the reason. */
	document: string;
	/** Where it is free. */
	free: string;
	/** The price at the greffe. */
	greffe: string;
	/** A remark on PDF or paper; may be empty. */
	shape: string;
	/** What our service adds, and when it is not worth its price. */
	service: string;
	/** The next step. */
	link: string;
}

/** An answer and its replies. Each pair of replies is in one rule; kbis-need.test.ts checks this. */
interface AnswerRule extends Omit<KbisAnswer, "shape"> {
	demande: readonly Asker[];
	entreprise: readonly Kind[];
	/** Whether there is a document to buy. */
	sold: boolean;
}

const monIdenum = "[MonIdenum](https://monidenum.fr)";
const inpi = "[data.inpi.fr](https://data.inpi.fr)";
const inseeUrl = "https://avis-situation-sirene.insee.fr";
const insee = `[avis-situation-sirene.insee.fr](${inseeUrl})`;
const journalUrl = "https://www.journal-officiel.gouv.fr/pages/associations-recherche/";
const journal = `[journal-officiel.gouv.fr](${journalUrl})`;
const directory = "[Annuaire des entreprises](https://annuaire-entreprises.data.gouv.fr)";
/** The answer of merchants; findAnswer adds the other replies. */
const merchantPath = `${href("/ai-je-besoin-d-un-kbis")}?entreprise=commerce`;
const elsewhere = "sauf dans les départements 57, 67, 68 et en Nouvelle-Calédonie";
// in force on 1 November 2021; for public buyers: code de la commande publique, article R2143-9
const since2021 =
	"Depuis novembre 2021, une administration ou un acheteur public trouve ces informations avec le numéro SIREN (décret n°\u00a02021-631 du 21 mai 2021). La Nouvelle-Calédonie n’est pas concernée.";
const ifTheyInsist = `Votre interlocuteur insiste ? Demandez-lui quel texte l’exige, et proposez l’extrait RNE : il est gratuit sur ${inpi}.`;
const kbisPrice =
	"L’extrait Kbis électronique coûte {officialPrice}. Tout le monde peut l’acheter, sur [infogreffe.fr](https://www.infogreffe.fr).";

const withUs =
	"À partir de {standardPrice}, nous le demandons pour vous : date de livraison annoncée, suivi, facture. Utile si vous préférez confier la démarche ou s’il vous faut un courrier suivi.";

const nothingSold = { greffe: "Rien à acheter.", service: "Inutile dans votre cas.", sold: false } as const;

const askers = ["banque", "partenaire", "juridique", "autre"] as const satisfies readonly Asker[];

export const answerRules: readonly AnswerRule[] = [
	{
		demande: ["banque", "partenaire"],
		entreprise: ["societe"],
		heading: "Oui, il vous faut un Kbis.",
		document: "L’extrait Kbis de votre société, en général daté de moins de trois mois.",
		free: `Vous la dirigez ? Il est gratuit sur ${monIdenum}, ${elsewhere}.`,
		greffe: kbisPrice,
		service: `${withUs} Inutile si vous le téléchargez vous-même : c’est gratuit ou moins cher.`,
		link: "[Commander l’extrait de votre société](/commande)",
		sold: true,
	},
	{
		demande: ["juridique"],
		entreprise: ["societe"],
		heading: "Oui, il vous faut un Kbis.",
		document:
			"L’extrait Kbis de votre société. Demandez d’abord à votre interlocuteur s’il ne l’obtient pas lui-même : le registre est public.",
		free: `Vous la dirigez ? Il est gratuit sur ${monIdenum}, ${elsewhere}.`,
		greffe: kbisPrice,
		service: `${withUs} Inutile si votre interlocuteur l’obtient lui-même.`,
		link: "[Commander l’extrait de votre société](/commande)",
		sold: true,
	},
	{
		demande: ["autre"],
		entreprise: ["societe"],
		heading: "Oui, si c’est bien un Kbis qu’on vous demande.",
		document:
			"L’extrait Kbis de votre société, si on vous le demande sous ce nom. Sinon, l’extrait RNE peut suffire : posez la question à votre interlocuteur.",
		free: `L’extrait RNE est gratuit pour tous sur ${inpi}. Le Kbis l’est pour le dirigeant sur ${monIdenum}, ${elsewhere}.`,
		greffe: kbisPrice,
		service: `${withUs} Inutile si un extrait RNE convient.`,
		link: "[Commander l’extrait de votre société](/commande)",
		sold: true,
	},
	{
		demande: askers,
		entreprise: ["commerce"],
		heading: "Pas de Kbis : votre document est l’extrait K.",
		document: "L’extrait K : c’est ainsi que s’appelle l’extrait d’un commerçant en nom propre. Beaucoup disent « Kbis » pour les deux.",
		free: `L’extrait RNE, gratuit pour tous sur ${inpi}, peut suffire : posez la question à votre interlocuteur. Sinon, demandez d’abord l’extrait K sur ${monIdenum} : il peut y être gratuit pour le chef d’entreprise, ${elsewhere}.`,
		greffe:
			"Le greffe vend l’extrait K et en affiche le prix avant l’achat, sur [infogreffe.fr](https://www.infogreffe.fr). Pour comparer, l’extrait Kbis électronique coûte {officialPrice}.",
		service: `${withUs} Si le greffe n’en a pas, vous êtes remboursé en totalité. Inutile si vous l’achetez vous-même au greffe : c’est moins cher.`,
		link: "[Rechercher votre entreprise](/recherche)",
		sold: true,
	},
	{
		demande: ["administration"],
		entreprise: ["societe", "auto-entrepreneur", "commerce", "artisan-liberal"],
		heading: "Pas de Kbis : votre numéro SIREN suffit.",
		document: `Aucun. ${since2021}`,
		free: ifTheyInsist,
		...nothingSold,
		link: "[Retrouver votre numéro SIREN](/recherche)",
	},
	{
		demande: askers,
		entreprise: ["auto-entrepreneur"],
		heading: "Pas de Kbis : un auto-entrepreneur n’en a pas.",
		document: `L’extrait RNE ou l’avis de situation Sirene : l’un ou l’autre prouve que votre entreprise existe. Le Kbis est réservé aux sociétés. Vous êtes commerçant, par exemple dans la vente ou la restauration ? Vous avez un extrait K : choisissez [« entreprise individuelle commerçante »](${merchantPath}).`,
		free: `L’extrait RNE sur ${inpi} et l’avis de situation sur ${insee} sont gratuits.`,
		...nothingSold,
		link: `[Télécharger l’avis de situation (gratuit)](${inseeUrl})`,
	},
	{
		demande: askers,
		entreprise: ["artisan-liberal"],
		heading: "Pas de Kbis : votre entreprise n’en a pas.",
		document: `L’extrait RNE ou l’avis de situation Sirene : l’un ou l’autre prouve que votre entreprise existe. Le Kbis est réservé aux sociétés, l’extrait K aux commerçants. Si vous êtes aussi inscrit au registre du commerce, choisissez [« entreprise individuelle commerçante »](${merchantPath}).`,
		free: `L’extrait RNE sur ${inpi} et l’avis de situation sur ${insee} sont gratuits.`,
		...nothingSold,
		link: `[Télécharger l’avis de situation (gratuit)](${inseeUrl})`,
	},
	{
		demande: [...askers, "administration"],
		entreprise: ["association"],
		heading: "Pas de Kbis : une association n’en a pas.",
		document:
			"Le récépissé de sa déclaration, remis par la préfecture, et l’annonce parue au Journal officiel (JOAFE). Dans les départements 57, 67 et 68, c’est le tribunal qui tient le registre des associations. Si l’association a un numéro SIREN, son avis de situation prouve aussi son existence.",
		free: `L’annonce se télécharge gratuitement sur ${journal}, l’avis de situation sur ${insee}.`,
		...nothingSold,
		link: `[Trouver l’annonce de l’association (gratuit)](${journalUrl})`,
	},
	{
		demande: ["administration"],
		entreprise: ["autrui"],
		heading: "Pas de Kbis : le numéro SIREN suffit.",
		document: `Aucun : donnez le numéro SIREN de l’entreprise. ${since2021}`,
		free: ifTheyInsist,
		...nothingSold,
		link: "[Retrouver un numéro SIREN](/recherche)",
	},
	{
		demande: askers,
		entreprise: ["autrui"],
		heading: "Oui, si cette entreprise a un Kbis.",
		document:
			"L’extrait Kbis d’une société, ou l’extrait K d’un commerçant en nom propre : le registre est public, chacun peut le demander. Les associations, les professions libérales et les artisans hors du registre n’en ont pas : notre recherche vous l’indique avant tout achat.",
		free: `Demandez-le au dirigeant : il l’obtient gratuitement sur ${monIdenum}, ${elsewhere}. L’extrait RNE, qui n’est pas un Kbis, est gratuit pour tous sur ${inpi}.`,
		greffe: kbisPrice,
		service: `${withUs} Inutile si vous l’achetez vous-même au greffe : c’est moins cher.`,
		link: "[Rechercher l’entreprise](/recherche)",
		sold: true,
	},
	{
		demande: ["information"],
		entreprise: ["societe", "auto-entrepreneur", "commerce", "artisan-liberal", "autrui"],
		heading: "Pas de Kbis : ces informations sont gratuites.",
		document: "Aucun. Le nom, l’adresse, l’activité et les dirigeants d’une entreprise sont publiés en ligne.",
		free: `L’${directory}, l’extrait RNE sur ${inpi} et l’avis de situation Sirene sur ${insee} sont gratuits pour tous. Notre recherche l’est aussi.`,
		...nothingSold,
		link: "[Rechercher une entreprise](/recherche)",
	},
	{
		demande: ["information"],
		entreprise: ["association"],
		heading: "Pas de Kbis : ces informations sont gratuites.",
		document: "Aucun. L’annonce parue au Journal officiel donne le nom, l’objet et le siège de l’association.",
		free: `L’annonce est sur ${journal}. Si l’association a un numéro SIREN, l’${directory} et l’avis de situation sur ${insee} donnent d’autres informations.`,
		...nothingSold,
		link: "[Rechercher une association](/recherche)",
	},
];

/** The remark on PDF or paper, for a sold document and for a free one. */
const shapeRemarks: Record<Shape, { sold: string; free: string }> = {
	indifferente: { sold: "", free: "" },
	pdf: { sold: "Le PDF du greffe porte un code qui permet de le vérifier.", free: "" },
	papier: {
		sold: "Demandez d’abord si un PDF est accepté : il porte un code qui permet de le vérifier. Le greffe délivre aussi des extraits sur papier. Chez nous, c’est le {postalName} : {postalPrice}, posté sous {postalTimeline}.",
		free: "Si l’on vous demande un papier, imprimez le document gratuit.",
	},
};

/** Reads the replies from a URL. An absent or unknown reply is null, and for `forme` « Peu importe ». */
export function readChoices(query: URLSearchParams): { [Question in keyof Choices]: Choices[Question] | null } & { forme: Shape } {
	const read = <Value extends string>(name: keyof Choices, options: Record<Value, string>): Value | null => {
		const value = query.get(name);
		return value !== null && isKeyOf(options, value) ? value : null;
	};
	return {
		demande: read("demande", questions.demande.options),
		entreprise: read("entreprise", questions.entreprise.options),
		forme: read("forme", questions.forme.options) ?? "indifferente",
	};
}

/** An answer with parsed links, for the page. */
export type DescribedAnswer = Record<Exclude<keyof KbisAnswer, "heading">, RichText> & Pick<KbisAnswer, "heading">;

/** Finds the answer to these replies, with parsed links. */
export function describeAnswer(choices: Choices): { answer: DescribedAnswer; sold: boolean } {
	const { answer, sold } = findAnswer(choices);
	const { heading, ...sentences } = answer;
	const read = Object.entries(sentences).map(([name, sentence]) => [name, readRichText(sentence)]);
	return { answer: { ...Object.fromEntries(read), heading }, sold };
}

/** Finds the answer to these replies, and whether there is a document to buy. */
export function findAnswer({ demande, entreprise, forme }: Choices): { answer: KbisAnswer; sold: boolean } {
	const rule = answerRules.find((candidate) => candidate.demande.includes(demande) && candidate.entreprise.includes(entreprise));
	if (rule === undefined) throw new Error(`no answer for ${demande}, ${entreprise}`);
	const { sold, heading, free, greffe, service, link } = rule;
	const document = rule.document.replace(merchantPath, `${merchantPath}&demande=${demande}&forme=${forme}`);
	return { answer: { heading, document, free, greffe, shape: shapeRemarks[forme][sold ? "sold" : "free"], service, link }, sold };
}
