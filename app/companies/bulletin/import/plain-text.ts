const maxLength = 200;
const maxTexts = 5000;

/** Caches what a function returns for short texts that come again and again, such as courts. A full cache is cleared. */
export function memoize<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
	const known = new Map<string, Answer>();
	return (text) => {
		if (text.length > maxLength) return answer(text);
		const before = known.get(text);
		if (before !== undefined) return before;
		if (known.size >= maxTexts) known.clear();
		const found = answer(text);
		known.set(text, found);
		return found;
	};
}

/** Bytes 0x80 to 0x9f of Windows-1252, which mojibake often shows in place of control characters. */
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const byteOf = (character: string) => {
	const at = windows1252.indexOf(character);
	return at === -1 ? character.charCodeAt(0) : 0x80 + at;
};
// only what begins with Â, Ã, Å or â€: « é » before a no-break space and « » » would pass for a longer sequence
const mojibake = new RegExp(`[ÂÃÅ][\u0080-\u00bf${windows1252}]|â[€\u0080][\u0080-\u00bf${windows1252}]`, "g");
const utf8 = new TextDecoder();

/** Repairs UTF-8 that was read as Latin-1 or Windows-1252: « clÃ´ture » → « clôture ». Other text stays as it is. */
export function repairMojibake(text: string): string {
	if (!/[ÂÃÅâ]/.test(text)) return text;
	return text.replace(mojibake, (sequence) => utf8.decode(Uint8Array.from(sequence, byteOf)));
}

/** One line: repaired, without control characters, with single spaces and straight apostrophes. */
export function toPlainLine(text: string): string {
	return (
		repairMojibake(text)
			.replace(/[’ʼ`´]/g, "'")
			// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses a NUL
			.replace(/[\s\u0000-\u001f\u007f-\u009f\u200b\ufffd]+/g, " ")
			.trim()
	);
}

/** For comparisons: a plain line in small letters, without accents. */
export const fold = memoize((text) => toPlainLine(text).normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("œ", "oe"));

/** Whether a text has a title as before a name, or an office that bears the name of a person. */
export const namesPerson = (text: string): boolean =>
	/(?:^|[^a-z])(?:(?:mm?|mr|mmes?|mlles?|mes?)[. ]|(?:monsieur|messieurs|madame|mesdames|mademoiselle|maitres?|selarl|selas|scp)\b)/.test(
		fold(text),
	);
