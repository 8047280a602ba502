import { parse } from "hono/utils/cookie";

/** Cookies of one name that are tried. A browser sends those with the longest path first (RFC 6265, 5.4). */
const maxValues = 5;

/**
 * Reads all cookies of a name. A neighbouring host of the same domain can set one beside ours, which must not shut its owner out
 * (RFC 6265, 8.6): the reader takes the first that is valid.
 * @param header of a request. @returns their values; at most five.
 */
export function readCookies(header: string | null, name: string): string[] {
	const texts = (header ?? "").split(";").filter((text) => text.includes(name));
	return texts.flatMap((text) => parse(text, name)[name] ?? []).slice(0, maxValues);
}

/** As many headers `Cookie` as there are cookies of a name, each with one of them: for a library that reads the first. */
export function separateCookies(header: string | null, name: string): string[] {
	const texts = (header ?? "").split(";").map((text) => text.trim());
	return texts.filter((text) => text.startsWith(`${name}=`)).slice(0, maxValues);
}
