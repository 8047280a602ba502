import type { ShareRefusal } from "./open-share.server.ts";

export type ShareRefusalCode = ShareRefusal["code"] | "page-expired";

interface Refusal {
	status: number;
	title: string;
	sentence: string;
	/** Seconds. */
	retryAfter?: number;
}

const askForAnother = "Demandez un nouveau lien à la personne qui vous l’a transmis.";
const wrongLink = {
	title: "Ce lien ne fonctionne pas",
	sentence: `Il est incomplet ou a été modifié. Copiez-le en entier, ou ${askForAnother.replace("D", "d")}`,
};
const unavailable = "Document momentanément indisponible";

/** Status and texts of a link that shows no document. They say nothing of the customer or the order. */
export const shareRefusals: Record<ShareRefusalCode, Refusal> = {
	unknown: { status: 404, ...wrongLink },
	tampered: { status: 403, ...wrongLink },
	gone: { status: 410, title: "Ce document n’est plus disponible", sentence: "Il a été supprimé, et le lien ne fonctionne plus." },
	revoked: { status: 410, title: "Ce lien a été retiré", sentence: `Il n’ouvre plus aucun document. ${askForAnother}` },
	expired: { status: 410, title: "Ce lien a expiré", sentence: askForAnother },
	blocked: {
		status: 403,
		title: "Ce lien est bloqué",
		sentence: `Trop de codes erronés ont été saisis. ${askForAnother}`,
	},
	frozen: {
		status: 403,
		title: "Ce document ne peut pas être ouvert",
		sentence: "Adressez-vous à la personne qui vous a transmis le lien.",
	},
	"page-expired": {
		status: 410,
		title: "Ce téléchargement a expiré",
		sentence: "La page du document était ouverte depuis plus d’une heure. Ouvrez de nouveau le lien que vous avez reçu.",
	},
	lost: {
		status: 503,
		title: unavailable,
		sentence:
			"Le fichier que nous conservons est absent, ou n’est plus identique à celui que nous avons livré. Nous ne pouvons donc pas vous le remettre\u00a0: notre équipe est prévenue.",
		retryAfter: 300,
	},
	unavailable: {
		status: 503,
		title: unavailable,
		sentence: "Nous n’arrivons pas à ouvrir le document pour le moment. Le lien reste valable\u00a0: réessayez dans quelques minutes.",
		retryAfter: 300,
	},
};
