import type { ShopIdentity } from "../../../server/environment/shop-identity.ts";
import { replyTime } from "../../catalogue/after-sale.ts";
import { describeUnsent, sendAskedEmail } from "../../mail/asked-emails.server.ts";
import type { EmailContent } from "../../mail/email.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import { formatSupportHours } from "../../ui/french-spaces.ts";
import { findMessage, updateMessage } from "./contact.store.server.ts";
import { type ContactMessage, companyConcerns, isAboutOrder } from "./contact-message.ts";

/**
 * Sends a message to the shop and a receipt to its author, each once and independently. A mailbox that had the e-mails of a day gets no
 * receipt: anybody may have typed its address.
 * @param withReceipt false: none was to be sent.
 * @throws after a temporary failure of either; the next try sends only the missing one.
 */
export async function forwardMessage(
	context: MailContext,
	messageId: string,
	{ withReceipt = true }: { withReceipt?: boolean } = {},
): Promise<void> {
	const { db, now, log, environment, mailer } = context;
	const message = await findMessage(db, messageId);
	if (message === null) return; // the person was erased meanwhile
	const { shop } = environment;

	const toShop = async () => {
		if (message.forwarded_at) return; // the rule: once; net: the same Message-ID
		const email = renderEmail(forwardedMessageEmail(message), shop);
		const sent = await mailer.send({ id: message.id, to: shop.email, replyTo: message.email, ...email });
		// the shop must receive the message, so the job tries again after a refusal
		if (!sent.ok) throw new Error(`the shop's mailbox refuses a message: ${sent.reply}`);
		await updateMessage(db, messageId, { forwarded_at: now() });
	};

	const toAuthor = async () => {
		if (!withReceipt || message.acknowledged_at) return; // the rule: once; net: the same Message-ID
		const sent = await sendAskedEmail(context, {
			id: `${message.id}-receipt`,
			to: message.email,
			...renderEmail(acknowledgementEmail(message, shop), shop),
		});
		if (!sent.ok) log.warn({ message: messageId, reason: describeUnsent(sent) }, "a receipt was not sent");
		if (sent.ok || sent.code === "refused") await updateMessage(db, messageId, { acknowledged_at: now() });
	};

	const failed = (await Promise.allSettled([toShop(), toAuthor()])).find((result) => result.status === "rejected");
	if (failed) throw failed.reason;
}

interface StoredMessage extends ContactMessage {
	id: string;
}

/** The short reference of a message, in both e-mails. */
const reference = ({ id }: StoredMessage) => id.slice(0, 8).toUpperCase();

/** The message for the shop, which replies to it as to any e-mail. */
function forwardedMessageEmail(message: StoredMessage): EmailContent {
	const subject = message.subject && `${message.subject[0]?.toLowerCase()}${message.subject.slice(1)}`;
	const [form, title] = message.siren
		? [`Fiche ${message.siren}, ${subject}`, "Message au sujet d’une fiche"]
		: isAboutOrder(message)
			? [message.subject, "Message au sujet d’une commande"]
			: subject
				? [`Support, ${subject}`, "Message au support"]
				: ["Formulaire de contact", "Message du formulaire de contact"];
	return {
		subject: `${form} : message ${reference(message)}`,
		preheader: `Réponse promise sous ${replyTime}. Répondez à ce message : votre réponse est envoyée à son auteur.`,
		title,
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
function acknowledgementEmail(message: StoredMessage, shop: ShopIdentity): EmailContent {
	return {
		subject: `Nous avons reçu votre message (${reference(message)})`,
		preheader: `Notre équipe vous répond sous ${replyTime}.`,
		title: "Nous avons reçu votre message",
		blocks: [
			"Bonjour,",
			`Nous avons bien reçu votre message. Notre équipe vous répond par e-mail, à cette adresse, sous ${replyTime}.`,
			{ descriptionList: [["Référence", reference(message)]] },
			`Pour une commande en cours, vous pouvez aussi nous appeler au ${shop.phone} (${formatSupportHours(shop.supportHours)}).`,
			"Vous n’avez pas écrit ce message ? Quelqu’un a saisi votre adresse par erreur : ignorez cet e-mail.",
		],
	};
}
