/** Every string of a text, in reading order. */
export function listStrings(content: unknown): string[] {
	if (typeof content === "string") return [content];
	if (content === null || typeof content !== "object") return [];
	return Object.values(content).flatMap(listStrings);
}

/** Where the links of a text lead, in reading order. */
export function listUrls(content: unknown): string[] {
	if (content === null || typeof content !== "object") return [];
	const inside = Object.values(content).flatMap(listUrls);
	return "url" in content ? [...inside, String(content.url)] : inside;
}

/** A described thing as its page gets it, with ordinary spaces: dates as texts, no fields that are undefined. */
export const toPlainJson = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(/[\u00a0\u202f]/g, " ")) as T;
