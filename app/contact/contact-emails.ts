import type { ShopIdentity } from "../../server/environment/shop-identity.ts";
import { replyTime } from "../catalogue/reply-time.ts";
import type { EmailContent } from "../mail/email.ts";
import { formatSupportHours } from "../ui/french-spaces.ts";
import { type ContactMessage, companyConcerns } from "./contact-message.ts";

interface StoredMessage extends ContactMessage {
	id: string;
}

/** The short reference of a message, in both e-mails. */
const reference = ({ id }: StoredMessage) => id.slice(0, 8).toUpperCase();

/** The message for the shop, which replies to it as to any e-mail. */
export function forwardedMessageEmail(message: StoredMessage): EmailContent {
	const form = message.siren ? `Fiche ${message.siren}` : "Support";
	return {
		subject: `${message.subject ? `${form}, ${message.subject.toLowerCase()}` : "Formulaire de contact"} : message ${reference(message)}`,
		preheader: `Réponse promise sous ${replyTime}. Répondez à ce message : votre réponse est envoyée à son auteur.`,
		title: message.siren ? "Message au sujet d’une fiche" : message.subject ? "Message au support" : "Message du formulaire de contact",
		blocks: [
			{
				descriptionList: [
					...(message.subject ? ([["Sujet", message.subject]] as const) : []),
					...(message.siren ? ([["SIREN", message.siren]] as const) : []),
					["Nom", message.name],
					["E-mail", message.email],
					...(message.phone ? ([["Téléphone", message.phone]] as const) : []),
					["Référence", reference(message)],
				],
			},
			{ quote: message.message.split("\n") },
			...(message.siren && message.subject === companyConcerns.donnees ? explainHiding(message.siren, reference(message)) : []),
			`Répondez à ce message : votre réponse est envoyée à son auteur. Nous lui avons promis une réponse sous ${replyTime}.`,
		],
	};
}

/** Explains to the operator how to hide a company's page when the person concerned asks for it. The command names no person. */
const explainHiding = (siren: string, reference: string) => [
	"Si la personne concernée demande que la fiche ne soit plus affichée, assurez-vous que c’est bien elle qui écrit, puis masquez la fiche :",
	{ command: `npm run companies:hide -- ${siren} --reason "message ${reference}"` },
	"Répondez dans le mois qui suit la demande (RGPD, article 12).",
];

/** The receipt for the author. It repeats no typed text, because anybody can enter another person's address. */
export function acknowledgementEmail(message: StoredMessage, shop: ShopIdentity): EmailContent {
	return {
		subject: `Nous avons reçu votre message (${reference(message)})`,
		preheader: `Nous répondons sous ${replyTime}.`,
		title: "Nous avons reçu votre message",
		blocks: [
			"Bonjour,",
			`Nous avons bien reçu votre message et nous répondons sous ${replyTime}.`,
			{ descriptionList: [["Référence", reference(message)]] },
			`Pour une commande en cours, vous pouvez aussi nous appeler au ${shop.phone} (${formatSupportHours(shop.supportHours)}).`,
			"Vous n’avez pas écrit ce message ? Quelqu’un a saisi votre adresse par erreur : ignorez cet e-mail.",
		],
	};
}
