import { isLine, readLine } from "../../ui/forms/text.ts";

/** The three fields of an address, as they were typed. */
interface TypedAddress {
	street: unknown;
	postalCode: unknown;
	city: unknown;
}

/** A postal code and its city; empty is what a text does not say. */
interface Place {
	postalCode: string;
	city: string;
}

/**
 * Reads the fields of a French address. Several lines become one; a dash is nothing. A postal code and a city that stand in one field, in the other's
 * field, or at the end of the street, are put where they belong, unless the fields contradict each other.
 */
export function readAddress(typed: TypedAddress): Place & { street: string } {
	const street = readStreet(typed.street);
	const code = readField(typed.postalCode).normalize("NFKC");
	const city = readField(typed.city);
	const ofCity = parsePlace(city) ?? { postalCode: "", city: stripCountry(city) };
	const isExchanged = ofCity.city === "" && ofCity.postalCode !== "" && /^\p{L}\D*$/u.test(code);
	const ofCode = isExchanged ? { postalCode: "", city: code } : (parsePlace(code) ?? { postalCode: code.replace(/\s/g, ""), city: "" });
	const place = mergePlaces(ofCity, ofCode) ?? { postalCode: code.replace(/\s/g, ""), city };
	const end = splitEnd(street);
	const whole = end && mergePlaces(place, end);
	return end && whole ? { street: end.street, ...whole } : { street, ...place };
}

/** A dash or a point in a field that must be filled in says nothing. */
const readField = (value: unknown): string => readLine(value).replace(/^[\s\p{P}]+$/u, "");

const readStreet = (value: unknown): string =>
	readField(
		String(value ?? "")
			.split(/[\r\n\t;|•]/)
			.map((line) => line.trim().replace(/,$/, ""))
			.filter(Boolean)
			.join(", "),
	);

/** « 75001 », « F-75 001 », « CP : 75001 », « 75001 Paris », « 75008, PARIS CEDEX 08 ». */
const codeFirst =
	/^[^\p{L}\p{N}]*(?:(?:FR?|France|MC|CP|code postal)[^\p{L}\p{N}]*)?(\d(?:[ .-]?\d){4})(?![ .-]?\d)[^\p{L}\p{N}]*(\p{L}.*)?$/iu;

/** « Paris 75001 », « Paris (75001) ». */
const codeLast = /(?<![\s,(-])[\s,(-]+(\d{5})\)?$/;

/** @returns null for a text without a postal code, and for one that will be refused as it is. */
function parsePlace(text: string): Place | null {
	if (!isLine(text)) return null;
	const [, first, city = ""] = codeFirst.exec(text) ?? [];
	if (first) return { postalCode: first.replace(/\D/g, ""), city: /^cedex\b/i.test(city) ? "" : stripCountry(city) };
	const last = codeLast.exec(text);
	return last?.[1] ? { postalCode: last[1], city: text.slice(0, last.index) } : null;
}

/** « Paris, France »; not « Fort-de-France », « ROISSY EN FRANCE ». */
function stripCountry(text: string): string {
	const [country] = /france\)?$/i.exec(text) ?? [];
	const rest = text.slice(0, text.length - (country?.length ?? 0));
	return country && /[\s,(]$/.test(rest) && !/\b(?:de|en)\s*$/i.test(rest) ? stripEnd(rest) : text;
}

const stripEnd = (text: string): string => text.replace(/(?<![\s,(–|-])[\s,(–|-]+$/, "");

/** @returns what two fields say together, with the longer name of a city: « Paris Cedex 02 »; null if they say different things. */
function mergePlaces(first: Place, second: Place): Place | null {
	const codes = [...new Set([first.postalCode, second.postalCode].filter(Boolean))];
	const [name, other] = [foldCity(first.city), foldCity(second.city)];
	const isSame = other === "" || name === other || name.startsWith(`${other} `);
	if (codes.length > 1 || !(isSame || name === "" || other.startsWith(`${name} `))) return null;
	return { postalCode: codes[0] ?? "", city: isSame ? first.city : second.city };
}

const foldCity = (city: string): string =>
	city
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, " ");

/** A name, with its sorting office or its district. */
const cityName = /^(?:\p{L}[\p{L}\p{M}\s'’.()-]*?(?:cedex(?:\s\d{1,2})?|\d{1,2}\s?(?:er|[eè](?:me)?))?)?$/iu;

/** Splits an address of one line at its last postal code; the number of a post box is none. @returns null for a street without a place. */
function splitEnd(text: string): (Place & { street: string }) | null {
	const code = [...text.matchAll(/(?<![\p{L}\p{N}])\d{2}[ .]?\d{3}(?![\p{L}\p{N}])/gu)].at(-1);
	if (!code) return null;
	const before = text.slice(0, code.index).replace(/(?<!\p{L})(?:FR?|MC)[- ]$/iu, "");
	const street = stripEnd(before);
	const city = stripCountry(text.slice(code.index + code[0].length).replace(/^[\s,/–-]+/, ""));
	if (!/\p{L}/u.test(street) || /(?<!\p{L})(?:BP|CS|TSA|SP|CP|n°)\W*$/iu.test(before) || !cityName.test(city)) return null;
	if (city === "" && !/,\s*$/.test(before)) return null;
	return { street, postalCode: code[0].replace(/\D/g, ""), city };
}
