import { isUuid } from "../../../server/uuid.ts";
import type { Fields } from "../../desk-log/acts.store.server.ts";
import { readLines } from "../../forms/text.ts";
import { maskEmail } from "../../mail/email-address.ts";
import { claim, closeConversation } from "../../messages/claim-conversation.server.ts";
import { type ReplyOutcome, reply } from "../../messages/reply.server.ts";
import type { Actor } from "../../operators/roles.ts";
import type { Shop } from "../../shop.ts";
import { type ActResult, defineAct } from "../acts/act.ts";

const refuse = (text: string, field?: string) => ({ ok: false as const, text, ...(field && { field }) });

const unknownConversation = "Cet échange n’existe plus.";

const readConversation = ({ conversation = "" }: Fields) =>
	isUuid(conversation) ? { ok: true as const, input: { conversationId: conversation } } : refuse(unknownConversation);

/** Acts on what customers write. */
export const messagesActs = {
	reply: defineAct({
		role: "serve",
		label: "Répondre à un message",
		parse(fields) {
			const parsed = readConversation(fields);
			if (!parsed.ok) return parsed;
			const [text, readUntil] = [readLines(fields.text), new Date(fields.read ?? "")];
			if (Number.isNaN(readUntil.getTime())) return refuse("Ce formulaire n’est plus valable\u00a0: rechargez la page.");
			return text === "" ? refuse("Écrivez votre réponse.", "text") : { ok: true, input: { ...parsed.input, text, readUntil } };
		},
		async run({ shop, actor }, input) {
			const outcome = await reply(shop, { ...input, author: toOperator(actor) });
			if (!outcome.ok) return describeRefusal(outcome);
			const { conversation, orderNumber } = outcome;
			const after = { to: maskEmail(conversation.email), ...(orderNumber && { order: orderNumber }) };
			return { ok: true, text: "Votre réponse est en cours d’envoi.", after };
		},
	}),
	"claim-conversation": defineAct({
		role: "serve",
		label: "Prendre un message",
		parse: readConversation,
		run: ({ shop, actor }, { conversationId }) => takeClaim(shop, actor, conversationId, false),
	}),
	"take-over-conversation": defineAct({
		role: "serve",
		label: "Reprendre le message d’un collègue",
		parse: readConversation,
		run: ({ shop, actor }, { conversationId }) => takeClaim(shop, actor, conversationId, true),
	}),
	"close-conversation": defineAct({
		role: "serve",
		label: "Classer un message sans répondre",
		parse: readConversation,
		async run({ shop }, { conversationId }) {
			const isClosed = await closeConversation(shop, conversationId);
			return isClosed ? { ok: true, text: "Le message est classé.", after: { conversation: conversationId } } : refuse(unknownConversation);
		},
	}),
};

const toOperator = ({ id, name }: Actor) => ({ id: id ?? "", name });

async function takeClaim(shop: Shop, actor: Actor, conversationId: string, takeOver: boolean): Promise<ActResult> {
	const claimed = await claim(shop, conversationId, toOperator(actor), { takeOver });
	if (claimed.ok) {
		const [before, after] = [claimed.before ? { claim: claimed.before } : undefined, { conversation: conversationId }];
		return { ok: true, text: "Vos collègues voient que vous répondez.", ...(before && { before }), after };
	}
	return claimed.code === "unknown" ? refuse(unknownConversation) : refuse(`${claimed.by} répond déjà.`);
}

function describeRefusal(outcome: Extract<ReplyOutcome, { ok: false }>) {
	switch (outcome.code) {
		case "unknown":
			return refuse(unknownConversation);
		case "changed":
			return refuse("Quelqu’un a écrit depuis que vous avez ouvert cet échange. Relisez-le, puis envoyez de nouveau.");
		case "claimed":
			return refuse(`${outcome.by} répond déjà. Choisissez «\u00a0Reprendre\u00a0» si c’est à vous de répondre.`);
		case "unfinished":
			return refuse(outcome.sentence, "text");
	}
}
