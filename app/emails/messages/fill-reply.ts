import type { EmailBlock } from "../../mail/email.ts";

/** The fields of replies, in braces in a text: « Bonjour {prenom}, ». */
export const replyFields = {
	prenom: "le prénom du client",
	nom: "son nom",
	numero: "le numéro de la commande",
	societe: "la société",
	siren: "son SIREN",
	service: "le service commandé",
	echeance: "l’heure promise",
	montant: "le prix payé",
	suivi: "l’adresse de la page de suivi",
} as const;

export type ReplyField = keyof typeof replyFields;
/** An empty value: the shop does not know it, or the reader may not. */
export type ReplyValues = Readonly<Record<ReplyField, string>>;

export const maxReplyLength = 10_000;

const field = /\{([^{}\n]{0,60})\}/g;

/** Fills in the fields of a reply. @returns the text, or the sentence that says what is wrong with it. */
export function fillReply(text: string, values: ReplyValues): { ok: true; text: string } | { ok: false; sentence: string } {
	const trimmed = text.trim();
	if (trimmed === "") return { ok: false, sentence: "Écrivez votre réponse." };
	if (trimmed.length > maxReplyLength) return { ok: false, sentence: "Cette réponse est trop longue\u00a0: 10 000 caractères au plus." };
	const names = [...new Set([...trimmed.matchAll(field)].map(([, name = ""]) => name))];
	const unknown = names.filter((name) => !isReplyField(name));
	if (unknown.length > 0) {
		const [list, is] = [
			unknown.map((name) => `{${name}}`).join(", "),
			unknown.length === 1 ? "n’est pas un champ" : "ne sont pas des champs",
		];
		return { ok: false, sentence: `${list} ${is}\u00a0: corrigez ou écrivez la valeur vous-même.` };
	}
	const empty = names.filter((name) => isReplyField(name) && values[name] === "");
	if (empty.length > 0) {
		const [list, are] = [empty.map((name) => `{${name}}`).join(", "), empty.length === 1 ? "est vide" : "sont vides"];
		return { ok: false, sentence: `${list} ${are} pour ce message\u00a0: écrivez la valeur vous-même, ou retirez la phrase.` };
	}
	return { ok: true, text: trimmed.replace(field, (_, name: ReplyField) => values[name]) };
}

const isReplyField = (name: string): name is ReplyField => Object.hasOwn(replyFields, name);

/** A reply as blocks of an e-mail: each line a paragraph, lines that begin with « - » a list. */
export function toReplyBlocks(text: string): EmailBlock[] {
	const blocks: EmailBlock[] = [];
	for (const line of text.split("\n").map((each) => each.trim())) {
		const item = /^[-•] +(\S.*)$/.exec(line)?.[1];
		const last = blocks.at(-1);
		if (item !== undefined && typeof last === "object" && "list" in last)
			blocks[blocks.length - 1] = { list: [...last.list, item], numbered: false };
		else if (item !== undefined) blocks.push({ list: [item], numbered: false });
		else if (line !== "") blocks.push(line);
	}
	return blocks;
}
