import { formatPeriod, retention } from "../../catalogue/retention.ts";
import type { EmailBlock, EmailContent } from "../../mail/email.ts";

/** Asks for confirmation. It contains no advertising, because anybody may have typed the address. */
export function confirmationEmail(url: string, shopName: string): EmailContent {
	return {
		subject: "Confirmez votre inscription à la lettre d’information",
		preheader: "Sans votre confirmation, vous ne recevrez pas la lettre.",
		title: "Confirmez votre inscription",
		blocks: [
			"Bonjour,",
			`Vous avez demandé à recevoir la lettre d’information ${shopName} à cette adresse : une lettre par mois au plus, sur le service et les formalités des entreprises.`,
			{ action: "Confirmer mon inscription", url },
			`Ce lien est valable ${formatPeriod(retention.newsletterRequests)}. Il ouvre une page où vous confirmez votre inscription.`,
			"Vous n’avez rien demandé ? Ignorez ce message : sans confirmation, vous ne recevrez pas la lettre.",
		],
	};
}

/** The end of each issue: the reason for sending it, and the unsubscribe link (CPCE art. L34-5). `since`: « 21 novembre 2026 ». */
export function unsubscribeFooter(url: string, since: string): EmailBlock[] {
	return [
		{ heading: "Pourquoi cette lettre ?" },
		`Vous avez demandé à recevoir cette lettre et l’avez confirmé le ${since}. Nous l’envoyons une fois par mois au plus.`,
		{ link: "Se désinscrire", url },
	];
}
