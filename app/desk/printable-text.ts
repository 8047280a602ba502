/** What a terminal would obey in place of showing it: control characters (escape sequences begin with one), and what turns the direction of writing. */
const obeyed = /(?!\n)\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text as the operator's terminal may show it, whoever wrote it: a customer's own words come with nothing but letters and newlines. */
export function toPrintable(text: string): string {
	return text.replace(/[\t\u2028\u2029]/g, " ").replace(obeyed, "");
}

/** Escapes control characters in JSON as \uXXXX: the data stay the same, and a terminal only shows them. */
export function toPrintableJson(json: string): string {
	return json.replace(obeyed, (character) =>
		character === "\t" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}
