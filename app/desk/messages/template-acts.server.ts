import { randomUUID } from "node:crypto";
import { readLine, readLines } from "../../forms/text.ts";
import { fillReply, type ReplyValues, replyFields } from "../../messages/fill-reply.ts";
import { listReplyTemplates, upsertReplyTemplate } from "../../messages/reply-templates.store.server.ts";
import { defineAct } from "../acts/act.ts";

const refuse = (text: string, field?: string) => ({ ok: false as const, text, ...(field && { field }) });

const anyValues = Object.fromEntries(Object.keys(replyFields).map((name) => [name, "…"])) as ReplyValues;

/** Acts on the templates of replies. */
export const templateActs = {
	"save-reply-template": defineAct({
		role: "settings",
		label: "Changer un modèle de réponse",
		parse(fields) {
			const [title, text] = [readLine(fields.title), readLines(fields.text)];
			if (title === "" || title.length > 80) return refuse("Donnez un titre, de 80 caractères au plus.", "title");
			const filled = fillReply(text, anyValues);
			if (!filled.ok) return refuse(filled.sentence, "text");
			return { ok: true, input: { id: fields.template ?? "", title, text } };
		},
		async run({ shop, actor }, { id, title, text }) {
			const known = (await listReplyTemplates(shop.db)).find((template) => template.id === id);
			if (id !== "" && known === undefined) return refuse("Ce modèle n’existe plus.");
			await upsertReplyTemplate(shop.db, { id: id || randomUUID(), title, text, by: actor.name, now: shop.now() });
			return {
				ok: true,
				text: "Le modèle est enregistré.",
				...(known && { before: { title: known.title, text: known.text } }),
				after: { title, text },
			};
		},
	}),
	"delete-reply-template": defineAct({
		role: "settings",
		label: "Retirer un modèle de réponse",
		parse: ({ template = "" }) => ({ ok: true, input: { id: template } }),
		async run({ shop, actor }, { id }) {
			const known = (await listReplyTemplates(shop.db)).find((template) => template.id === id);
			if (known === undefined) return refuse("Ce modèle n’existe plus.");
			await upsertReplyTemplate(shop.db, { id, title: known.title, text: null, by: actor.name, now: shop.now() });
			return {
				ok: true,
				text: "Le modèle n’est plus proposé.",
				before: { title: known.title, text: known.text },
				after: { title: known.title },
			};
		},
	}),
};
