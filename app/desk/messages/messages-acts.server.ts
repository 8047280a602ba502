import { claim, closeConversation } from "../../emails/messages/claim-conversation.server.ts";
import { type ReplyOutcome, reply } from "../../emails/messages/reply.server.ts";
import { maskEmail } from "../../mail/email-address.ts";
import type { Shop } from "../../shop.ts";
import { readLines } from "../../ui/forms/text.ts";
import { type ActRefusal, type ActResult, defineAct, refuse } from "../acts/act.ts";
import { id, refuseField, value } from "../acts/fields.ts";
import type { Actor } from "../operators/roles.ts";

const unknownConversation = "Cet échange n’existe plus.";

const conversation = id(unknownConversation);

/** Acts on what customers write. */
export const messagesActs = [
	defineAct({
		name: "reply",
		role: "serve",
		label: "Répondre à un message",
		fields: {
			conversation,
			read(typed = "") {
				const at = new Date(typed);
				return Number.isNaN(at.getTime()) ? refuseField("Ce formulaire n’est plus valable\u00a0: rechargez la page.", null) : value(at);
			},
			text(typed) {
				const text = readLines(typed);
				return text === "" ? refuseField("Écrivez votre réponse.") : value(text);
			},
			about: (typed) => value(typed === "1"),
		},
		async run({ shop, actor }, { conversation, read: readUntil, text, about }) {
			const outcome = await reply(shop, { conversationId: conversation, text, readUntil, author: actor, confirmsOrder: about });
			if (!outcome.ok) return describeRefusal(outcome);
			const { email } = outcome.conversation;
			const after = { to: maskEmail(email), ...(outcome.orderNumber && { order: outcome.orderNumber }) };
			return { ok: true, text: "Votre réponse est en cours d’envoi.", after };
		},
		changes: { to: "À", order: "Commande" },
	}),
	defineAct({
		name: "claim-conversation",
		role: "serve",
		label: "Prendre un message",
		fields: { conversation },
		run: ({ shop, actor }, { conversation }) => takeClaim(shop, actor, conversation, false),
		changes: { conversation: "Message" },
	}),
	defineAct({
		name: "take-over-conversation",
		role: "serve",
		label: "Reprendre le message d’un collègue",
		fields: { conversation },
		run: ({ shop, actor }, { conversation }) => takeClaim(shop, actor, conversation, true),
		changes: { claim: "Pris par", conversation: "Message" },
	}),
	defineAct({
		name: "close-conversation",
		role: "serve",
		label: "Classer un message sans répondre",
		fields: { conversation },
		async run({ shop }, { conversation }) {
			const isClosed = await closeConversation(shop, conversation);
			return isClosed ? { ok: true, text: "Le message est classé.", after: { conversation } } : refuse(unknownConversation);
		},
		changes: { conversation: "Message" },
	}),
];

async function takeClaim(shop: Shop, actor: Actor, conversationId: string, takeOver: boolean): Promise<ActResult> {
	const claimed = await claim(shop, conversationId, actor, { takeOver });
	if (claimed.ok) {
		const [before, after] = [claimed.before ? { claim: claimed.before } : undefined, { conversation: conversationId }];
		return { ok: true, text: "Vos collègues voient que vous répondez.", ...(before && { before }), after };
	}
	return claimed.code === "unknown" ? refuse(unknownConversation) : refuse(`${claimed.by} répond déjà.`);
}

function describeRefusal(outcome: Extract<ReplyOutcome, { ok: false }>): ActRefusal {
	switch (outcome.code) {
		case "unknown":
			return refuse(unknownConversation);
		case "no-address":
			return refuse("Cet e-mail ne dit pas de qui il vient\u00a0: cherchez son auteur dans la boîte de réception.");
		case "changed":
			return refuse("Quelqu’un a écrit depuis que vous avez ouvert cet échange. Relisez-le, puis envoyez de nouveau.");
		case "claimed":
			return refuse(`${outcome.by} répond déjà. Choisissez «\u00a0Reprendre\u00a0» si c’est à vous de répondre.`);
		case "unfinished":
			return { ...refuse(outcome.sentence, "text"), quotes: true };
	}
}
