import { type ReceiveMailOutcome, receiveMail } from "../emails/messages/receive-mail.server.ts";
import { type Command, done, refuse } from "./command.ts";

export const receive: Command = {
	usage: "- < message.eml",
	description: "reçoit un e-mail écrit à la boutique, lu sur l’entrée standard : réponse d’un client, ou avis de non-remise",
	argCount: [0, 1],
	async run({ shop, readInput }) {
		const raw = await readInput();
		if (raw === null || raw.byteLength === 0)
			return refuse("Donnez l’e-mail sur l’entrée standard : npm run orders -- receive - < message.eml");
		const received = await receiveMail(shop, raw);
		// the mail server tries again
		if (!received.ok) return refuse("Trop d’e-mails en une heure : réessayez plus tard.");
		const { what, orderNumber } = received;
		return { ...done(receivedSentences[what]), ...(orderNumber && { subject: orderNumber }) };
	},
};

/** All of these end with success, so that no mail server answers the sender with an error. */
const receivedSentences: Record<Extract<ReceiveMailOutcome, { ok: true }>["what"], string> = {
	started: "Le message est dans la liste du bureau.",
	continued: "La réponse est dans son fil de messages.",
	known: "Cet e-mail était déjà reçu.",
	bounce: "L’avis de non-remise est noté.",
	automatic: "C’est un envoi automatique : rien n’est noté.",
	own: "C’est un e-mail de la boutique elle-même : rien n’est noté.",
	unreadable: "Cet e-mail n’a pas d’expéditeur lisible : rien n’est noté.",
};
