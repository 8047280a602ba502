import { checkEmail } from "../mail/email-address.ts";
import { type ReceiveMailOutcome, receiveMail } from "../messages/receive-mail.server.ts";
import { type BounceOutcome, receiveBounce } from "../order-emails/bounces.server.ts";
import { orderEmailKinds } from "../order-emails/order-emails.server.ts";
import { type ResendOutcome, resendEmail } from "../order-emails/resend-email.server.ts";
import { type Command, done, type OrderCommand, refuse } from "./command.ts";
import { getOperatorName } from "./run-recorded.server.ts";

export const resend: OrderCommand = {
	usage: "KB-… <e-mail, par exemple document-ready> [--to adresse]",
	description: "envoie de nouveau un e-mail ; --to corrige l’adresse de la commande",
	argCount: [1, 1],
	options: { to: { type: "string" } },
	async run({ shop, args, options }, order) {
		const kind = orderEmailKinds.find((each) => each === args[0]);
		if (kind === undefined) return refuse(`« ${args[0]} » n’est pas un e-mail de la boutique : ${orderEmailKinds.join(", ")}.`);
		const to = typeof options.to === "string" ? options.to.trim() : undefined;
		if (to !== undefined && checkEmail(to)) return refuse("Cette adresse e-mail n’est pas valide.");
		const resent = await resendEmail(shop, { orderId: order.id, kind, to, by: getOperatorName(options.as) });
		if (resent.ok) return done(`L’e-mail ${kind} part de nouveau${to === undefined ? "" : `, à ${to}`}.`);
		return refuse(resendRefusals[resent.code](kind, resent.kinds));
	},
};

const resendRefusals: Record<Extract<ResendOutcome, { ok: false }>["code"], (kind: string, kinds: readonly string[]) => string> = {
	erased: () => "Le client de cette commande a été effacé : il n’y a plus à qui écrire.",
	purged: () => "Le document de cet e-mail n’est plus conservé.",
	"operators-own": () => "Cet e-mail s’adresse à la boutique : son adresse est dans OPERATOR_EMAIL, ou SHOP_EMAIL.",
	"never-written": (kind, kinds) =>
		kinds.length === 0
			? "Cette commande n’a encore aucun e-mail."
			: `Cette commande n’a pas d’e-mail ${kind}. Elle a : ${kinds.join(", ")}.`,
};

export const bounce: Command = {
	usage: "< avis.eml",
	description: "note l’avis de non-remise lu sur l’entrée standard",
	argCount: [0, 0],
	async run({ shop, readInput }) {
		const raw = await readInput();
		if (raw === null || raw.byteLength === 0) return refuse("Donnez l’avis sur l’entrée standard : npm run orders -- bounce < avis.eml");
		const received = await receiveBounce(shop, raw);
		if (!received.ok) return refuse(bounceRefusals[received.code]);
		const about = `commande ${received.orderNumber}, e-mail ${received.kind}`;
		return done(received.known ? `Ce refus était déjà noté : ${about}.` : `Le refus est noté : ${about}. Motif : ${received.reason}`);
	},
};

const bounceRefusals: Record<Extract<BounceOutcome, { ok: false }>["code"], string> = {
	"not-a-report": "Ce message n’est pas un avis de non-remise (RFC 3464).",
	"not-failed": "Cet avis n’annonce pas un échec définitif : rien n’est noté.",
	"no-message": "Cet avis ne cite pas le message qui est revenu.",
	"unknown-mail": "Cet avis ne concerne aucun e-mail d’une commande.",
};

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
