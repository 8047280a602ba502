import { alertLinkDays, maxFollowedCompanies } from "../../catalogue/link-lifetimes.ts";
import { formatPeriod, retention } from "../../catalogue/retention.ts";
import type { EmailBlock, EmailContent } from "../../mail/email.ts";
import { type AlertChoices, formatChoices } from "./alert-choices.ts";

interface Confirmation {
	/** What waits for the confirmation, at least one. `company`: its name. */
	requests: readonly { company: string; siren: string; choices: AlertChoices }[];
	url: string;
	shopName: string;
}

/** Asks for confirmation. It contains no advertising, because anybody may have typed the address. */
export function confirmationEmail({ requests, url, shopName }: Confirmation): EmailContent {
	const isOne = requests.length === 1;
	return {
		subject: isOne ? `Confirmez votre alerte sur ${requests[0]?.company}` : `Confirmez vos alertes sur ${requests.length} entreprises`,
		preheader: "Sans votre confirmation, vous ne recevrez rien.",
		title: isOne ? "Confirmez votre alerte" : "Confirmez vos alertes",
		blocks: [
			"Bonjour,",
			`Vous avez demandé à ${shopName} de vous écrire à cette adresse quand une annonce paraît au BODACC, le bulletin officiel des annonces civiles et commerciales, sur ${isOne ? "cette entreprise" : "ces entreprises"} :`,
			...requests.map(
				({ company, siren, choices }): EmailBlock => ({
					descriptionList: [
						["Entreprise", company],
						["SIREN", siren],
						["Envoi", formatChoices(choices)],
					],
				}),
			),
			{ action: isOne ? "Confirmer mon alerte" : "Confirmer mes alertes", url },
			`Ce lien est valable ${formatPeriod(retention.newsletterRequests)}. Il ouvre une page où vous confirmez. C’est gratuit, et chaque e-mail permet d’arrêter.`,
			"Vous n’avez rien demandé ? Ignorez ce message : sans confirmation, vous ne recevrez rien.",
		],
	};
}

/**
 * Why a mailbox gets the link to its alerts: it was asked for; or somebody asked for a company that it follows, or for one more than it
 * may follow, which the form must not tell.
 */
export type AlertLinkReason = "asked" | "followed" | "full";

const linkReasons: Record<AlertLinkReason, string> = {
	asked: "Vous avez demandé le lien de vos alertes sur des entreprises.",
	followed:
		"Une alerte a été demandée pour cette adresse, sur une entreprise que vous suivez déjà. Vos alertes et vos choix restent les mêmes.",
	full: `Une alerte a été demandée pour cette adresse, mais vous suivez déjà ${maxFollowedCompanies} entreprises, le plus possible. Vos alertes restent les mêmes : pour en suivre une autre, arrêtez d’abord une alerte.`,
};

/** The link to the list of a mailbox's alerts. */
export function linkEmail(reason: AlertLinkReason, url: string): EmailContent {
	return {
		subject: "Vos alertes sur des entreprises",
		preheader: "Le lien pour voir, modifier et arrêter vos alertes.",
		title: "Vos alertes",
		blocks: [
			"Bonjour,",
			linkReasons[reason],
			{ action: "Voir mes alertes", url },
			`Ce lien est valable ${formatPeriod({ days: alertLinkDays })}. La page permet de modifier vos alertes, d’en ajouter et de les arrêter.`,
			"Vous n’avez rien demandé ? Ignorez ce message : il n’a été envoyé qu’à vous.",
		],
	};
}
