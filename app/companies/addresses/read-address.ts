import { readLine } from "../../ui/forms/text.ts";

/** The three fields of an address, as they were typed. */
interface TypedAddress {
	street: unknown;
	postalCode: unknown;
	city: unknown;
}

/** « 75001 Paris », « F-75 001, Paris »: a postal code before its city. */
const codeBeforeCity = /^(?:FR?[- ])?\d{2}[ .]?\d{3}[ ,-]+(?=\p{L})/iu;

/** A postal code with its country, which stands before it abroad, or with a separator. */
const postalCode = /^(?:FR?-?)?\d{2}[.-]?\d{3}$/i;

const toDigits = (code: string): string => code.replace(/\D/g, "");

/**
 * Reads the fields of a French address. Several lines become one. A postal code and a city that stand in one field, or at the end of the
 * street, are put where they belong, unless the other field says something else.
 */
export function readAddress(typed: TypedAddress): { street: string; postalCode: string; city: string } {
	const lines = readStreet(typed.street);
	const code = readPostalCode(readLine(typed.postalCode));
	const city = readLine(typed.city);
	const whole = { street: lines.join(", "), postalCode: code.replace(/\s/g, ""), city };
	const ofCity = splitPlace(city);
	if (ofCity && ["", ofCity.postalCode].includes(whole.postalCode)) return { ...whole, ...ofCity };
	const ofCode = splitPlace(code);
	if (ofCode && ["", ofCode.city.toLowerCase()].includes(city.toLowerCase())) return { ...whole, ...ofCode, city: city || ofCode.city };
	const ofLines = splitPlace(lines.slice(1).slice(-1).join(""));
	if (ofLines && code === "" && city === "") return { street: lines.slice(0, -1).join(", "), ...ofLines };
	return whole;
}

function splitPlace(text: string): { postalCode: string; city: string } | null {
	const city = text.replace(codeBeforeCity, "");
	return city === text ? null : { postalCode: toDigits(text.slice(0, -city.length)), city };
}

const readStreet = (value: unknown): string[] =>
	String(value ?? "")
		.split(/[\r\n]/)
		.map((line) => readLine(line).replace(/[, ]$/, ""))
		.filter(Boolean);

/** @returns « 75001 » for « F-75 001 »; any other text as it is. */
function readPostalCode(typed: string): string {
	const text = typed.normalize("NFKC");
	const compact = text.replace(/\s/g, "");
	return postalCode.test(compact) ? toDigits(compact) : text;
}
