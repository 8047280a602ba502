import type { ServiceCode } from "../../catalogue/services.ts";

/** Who asks for an extract. The page of a kind is /destinataires/<kind>, and its text texts/destinataires/<kind>.md. */
export const recipientKinds = [
	"banque",
	"etablissement-de-paiement",
	"marche-public",
	"bailleur",
	"place-de-marche",
	"autorite-etrangere",
] as const;

export type RecipientKind = (typeof recipientKinds)[number];

interface RecipientKindDetails {
	/** On the page that lists the kinds. */
	label: string;
	/** What they ask for, in one sentence. */
	summary: string;
	/** The form that suits all of them. */
	form: string;
	/** The free way, in a few words. */
	free: string;
	/** The one service that suits; null: the shop has nothing to sell. */
	offer: ServiceCode | null;
}

export const recipientDetails: Readonly<Record<RecipientKind, RecipientKindDetails>> = {
	banque: {
		label: "Banque",
		summary: "Pour ouvrir ou garder un compte\u00a0: un Kbis récent ou, chez certaines, un document gratuit.",
		form: "Le PDF du greffe, tel que reçu",
		free: "MonIdenum, ou un avis Sirene chez Qonto",
		offer: "standard",
	},
	"etablissement-de-paiement": {
		label: "Établissement de paiement",
		summary: "Pour encaisser en ligne\u00a0: un Kbis récent, ou rien si la vérification automatique réussit.",
		form: "Le PDF du greffe, tel que reçu",
		free: "MonIdenum, ou rien chez Mollie",
		offer: "standard",
	},
	"marche-public": {
		label: "Marché public",
		summary: "Pour répondre à un acheteur public\u00a0: votre numéro SIREN suffit.",
		form: "Un numéro, dans votre candidature",
		free: "Votre numéro SIREN",
		offer: null,
	},
	bailleur: {
		label: "Bailleur ou loueur",
		summary: "Pour louer un local, un logement ou une voiture\u00a0: un Kbis récent, parfois un avis Sirene.",
		form: "Le PDF du greffe, ou sa copie",
		free: "MonIdenum, ou parfois un simple avis Sirene",
		offer: "standard",
	},
	"place-de-marche": {
		label: "Place de marché",
		summary: "Pour vendre sur une plateforme\u00a0: un Kbis récent, ou votre seul numéro.",
		form: "Le PDF du greffe, tel que reçu",
		free: "MonIdenum, ou un avis Sirene chez ComeUp",
		offer: "standard",
	},
	"autorite-etrangere": {
		label: "Autorité étrangère",
		summary: "Pour un registre ou un tribunal à l’étranger\u00a0: un original du greffe, souvent avec une apostille.",
		form: "Un original signé par le greffe",
		free: "Dans l’Union, le portail e-Justice",
		offer: null,
	},
};
