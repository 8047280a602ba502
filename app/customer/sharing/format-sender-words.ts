/** The customer's own words, if they wrote any. */
export interface SenderFields {
	sender: string | null;
	purpose: string | null;
}

/** « Envoyé par « Ada » pour « Prêt » »: in quotation marks, because they are a stranger's words. Null without any. */
export function formatSenderWords({ sender, purpose }: SenderFields): string | null {
	const words = [sender && `par «\u00a0${sender}\u00a0»`, purpose && `pour «\u00a0${purpose}\u00a0»`].filter(Boolean);
	return words.length > 0 ? `Envoyé ${words.join(" ")}` : null;
}
