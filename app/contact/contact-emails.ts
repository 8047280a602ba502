import type { ShopIdentity } from "../../server/environment/shop-identity.ts";
import type { EmailContent } from "../mail/email.ts";
import { type ContactMessage, companyConcerns } from "./contact-message.ts";

interface Kept extends ContactMessage {
	id: string;
}

/** Named to both sides, so that they speak of the same message. */
const reference = ({ id }: Kept) => id.slice(0, 8).toUpperCase();

/** For the shop, which answers it as it would any mail. */
export function forwardedMessageEmail(kept: Kept): EmailContent {
	const form = kept.siren ? `Fiche ${kept.siren}` : "Support";
	return {
		subject: `${kept.subject ? `${form}, ${kept.subject.toLowerCase()}` : "Formulaire de contact"} : message ${reference(kept)}`,
		preheader: "Une réponse est promise sous 24 h. Répondez à ce message : votre réponse part chez son auteur.",
		title: kept.siren ? "Un message sur une fiche" : kept.subject ? "Un message au support" : "Un message du formulaire de contact",
		blocks: [
			{
				descriptionList: [
					...(kept.subject ? ([["Sujet", kept.subject]] as const) : []),
					...(kept.siren ? ([["SIREN", kept.siren]] as const) : []),
					["Nom", kept.name],
					["E-mail", kept.email],
					...(kept.phone ? ([["Téléphone", kept.phone]] as const) : []),
					["Référence", reference(kept)],
				],
			},
			{ quote: kept.message.split("\n") },
			...(kept.siren && kept.subject === companyConcerns.donnees ? howToHide(kept.siren, reference(kept)) : []),
			"Répondez à ce message : votre réponse part chez son auteur. Une réponse lui est promise sous 24 h.",
		],
	};
}

/** Of the person concerned only, whom the operator makes sure of; the command names nobody. */
const howToHide = (siren: string, message: string) => [
	"Si la personne concernée demande que la fiche ne soit plus affichée, assurez-vous que c’est bien elle qui écrit, puis masquez la fiche :",
	{ command: `npm run companies:hide -- ${siren} --reason "message ${message}"` },
	"La réponse est due dans le mois qui suit la demande (RGPD, article 12).",
];

/** For its author. It repeats nothing that was typed: anybody could have it sent to anybody. */
export function acknowledgementEmail(kept: Kept, shop: ShopIdentity): EmailContent {
	return {
		subject: `Nous avons reçu votre message (${reference(kept)})`,
		preheader: "Nous répondons sous 24 h.",
		title: "Votre message est arrivé",
		blocks: [
			"Bonjour,",
			"Nous avons bien reçu votre message et nous répondons sous 24 h.",
			{ descriptionList: [["Référence", reference(kept)]] },
			`Pour une commande en cours, vous pouvez aussi nous appeler au ${shop.phone} (${shop.supportHours}).`,
			"Vous n’avez pas écrit ce message ? Quelqu’un a saisi votre adresse par erreur : ignorez ce courrier.",
		],
	};
}
