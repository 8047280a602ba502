/** The customer's own words, if they wrote any. */
export interface SenderFields {
	sender: string | null;
	purpose: string | null;
}

/** What opens or closes a quotation, or separates words. */
const marksAndSpaces = /[\s«»≪≫《》‹›“”„‟"＂]+/gu;

/** « Envoyé par « Ada » pour « Prêt » »: in quotation marks, because they are a stranger's words, and without those marks of their own. Null without any. */
export function formatSenderWords(fields: SenderFields): string | null {
	const [sender, purpose] = [fields.sender, fields.purpose].map((words) => words?.replace(marksAndSpaces, " ").trim());
	const words = [sender && `par «\u00a0${sender}\u00a0»`, purpose && `pour «\u00a0${purpose}\u00a0»`].filter(Boolean);
	return words.length > 0 ? `Envoyé ${words.join(" ")}` : null;
}
