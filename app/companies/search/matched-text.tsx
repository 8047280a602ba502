/** A name in which the letters are marked that a search has typed. */
export function MatchedText({ text, query }: { text: string; query: string }) {
	return splitMatches(text, query).map(([part, isMatch], index) =>
		isMatch ? (
			// biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
			<mark key={index} className="bg-transparent text-accent underline">
				{part}
			</mark>
		) : (
			part
		),
	);
}

const words = /[\p{L}\p{N}]+/gu;

const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Splits a name into the beginnings of words that a query has typed, in any case and without accents, and what stands between them. */
export function splitMatches(name: string, query: string): [text: string, isMatch: boolean][] {
	const text = name.normalize();
	const typed = fold(query).match(words) ?? [];
	const parts: [string, boolean][] = [];
	let end = 0;
	for (const { 0: word, index } of text.matchAll(words)) {
		const size = Math.max(0, ...typed.map((letters) => countMatched(word, letters)));
		if (size === 0) continue;
		parts.push([text.slice(end, index), false], [word.slice(0, size), true]);
		end = index + size;
	}
	return [...parts, [text.slice(end), false] as [string, boolean]].filter(([part]) => part !== "");
}

/** The number of characters of a word that typed letters make its beginning; 0 if they do not. */
function countMatched(word: string, letters: string): number {
	for (let size = 1; size <= word.length; size++) {
		const start = fold(word.slice(0, size));
		if (start.length >= letters.length) return start === letters ? size : 0;
	}
	return 0;
}
