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
