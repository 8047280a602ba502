/** The characters of the invoice fonts, which app/ui/fonts/make.mjs reduces to Latin letters of Europe and Vietnam and a few signs. */
const ranges: readonly (readonly [number, number])[] = [
	[0x20, 0x7e],
	[0xa0, 0x17f],
	[0x1cd, 0x1dc],
	[0x1e6, 0x1e7],
	[0x1ea, 0x1eb],
	[0x1fa, 0x201],
	[0x218, 0x21b],
	[0x226, 0x227],
	[0x1e1e, 0x1e2b],
	[0x1e80, 0x1e85],
	[0x1e9e, 0x1e9e],
	[0x1ea0, 0x1ef9],
	[0x2010, 0x2015],
	[0x2018, 0x201e],
	[0x2020, 0x2022],
	[0x2026, 0x2026],
	[0x2039, 0x203a],
	[0x20ac, 0x20ac],
	[0x2116, 0x2116],
	[0x2122, 0x2122],
	[0x2212, 0x2212],
];

export const printableLetters = ranges
	.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)))
	.join("");

const drawable = new RegExp(`^[${printableLetters.replace(/[\\\]^-]/g, "\\$&")}]*$`, "u");
const graphemes = new Intl.Segmenter("fr", { granularity: "grapheme" });

/**
 * Makes a text from outside printable: on one line, with the characters of the fonts. Others become their plain form (« ﬁ » → « fi »),
 * else « ? »: a visible gap is better than a silently changed name. The structured data keep the text unchanged.
 * PDF/A allows no empty box in its place (ISO 19005-3, 6.2.11.8).
 */
export function printable(text: string): string {
	const plain = text
		.normalize("NFC")
		.replace(/[\u2000-\u200a\u202f\u205f]/g, "\u00a0")
		.replace(/[\s\p{Cc}]/gu, (space) => (space === "\u00a0" ? space : " "))
		.replace(/(?!\u200d)\p{Cf}/gu, ""); // invisible; U+200D holds an emoji together
	return Array.from(graphemes.segment(plain), ({ segment }) => drawn(segment)).join("");
}

function drawn(grapheme: string): string {
	if (drawable.test(grapheme)) return grapheme;
	const plain = grapheme.normalize("NFKD").replace(/[\p{M}\u200d]/gu, "");
	return plain !== "" && drawable.test(plain) ? plain : "?";
}
