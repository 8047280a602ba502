import { randomUUID } from "node:crypto";
import { typedFromEntries, typedKeys } from "../../../server/types/objects.ts";
import { fillReply, replyFields } from "../../emails/messages/fill-reply.ts";
import { listReplyTemplates, upsertReplyTemplate } from "../../emails/messages/reply-templates.store.server.ts";
import { readLine, readLines } from "../../ui/forms/text.ts";
import { defineAct, refuse } from "../acts/act.ts";
import { anyText, refuseField, value } from "../acts/fields.ts";

const anyValues = typedFromEntries(typedKeys(replyFields).map((name) => [name, "…"]));

/** In characters. */
const maxTitleLength = 80;

const gone = "Ce modèle n’existe plus.";

const changes = { title: "Titre", text: "Texte" };

/** Acts on the templates of replies. */
export const templateActs = [
	defineAct({
		name: "save-reply-template",
		role: "settings",
		label: "Changer un modèle de réponse",
		fields: {
			template: anyText,
			title(typed) {
				const title = readLine(typed);
				return title === "" || title.length > maxTitleLength
					? refuseField(`Donnez un titre, de ${maxTitleLength} caractères au plus.`)
					: value(title);
			},
			text(typed) {
				const text = readLines(typed);
				const filled = fillReply(text, anyValues);
				return filled.ok ? value(text) : refuseField(filled.sentence);
			},
		},
		async run({ shop, actor }, { template: id, title, text }) {
			const known = (await listReplyTemplates(shop.db)).find((template) => template.id === id);
			if (id !== "" && known === undefined) return refuse(gone);
			await upsertReplyTemplate(shop.db, { id: id || randomUUID(), title, text, by: actor.name, now: shop.now() });
			return {
				ok: true,
				text: "Le modèle est enregistré.",
				...(known && { before: { title: known.title, text: known.text } }),
				after: { title, text },
			};
		},
		changes,
	}),
	defineAct({
		name: "delete-reply-template",
		role: "settings",
		label: "Retirer un modèle de réponse",
		fields: { template: anyText },
		async run({ shop, actor }, { template: id }) {
			const known = (await listReplyTemplates(shop.db)).find((template) => template.id === id);
			if (known === undefined) return refuse(gone);
			await upsertReplyTemplate(shop.db, { id, title: known.title, text: null, by: actor.name, now: shop.now() });
			return {
				ok: true,
				text: "Le modèle n’est plus proposé.",
				before: { title: known.title, text: known.text },
				after: { title: known.title },
			};
		},
		changes,
	}),
];
