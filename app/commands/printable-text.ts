/** Characters that a terminal interprets: control characters, which start escape sequences, and changes of writing direction. */
const controlCharacters = /(?!\n)\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Makes a text safe for the operator's terminal: removes control characters from customers' texts, except newlines. */
export function toPrintable(text: string): string {
	return text.replace(/[\t\u2028\u2029]/g, " ").replace(controlCharacters, "");
}

/** Escapes control characters in JSON as \uXXXX. The data stay the same, and a terminal does not interpret them. */
export function toPrintableJson(json: string): string {
	return json.replace(controlCharacters, (character) =>
		character === "\t" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}
