import { readLine } from "../../ui/forms/text.ts";

/** The three fields of an address, as they were typed. */
interface TypedAddress {
	street: unknown;
	postalCode: unknown;
	city: unknown;
}

/** « 75001 Paris », « F-75 001, Paris »: a postal code before its city. */
const codeAndCity = /^(?:FR?[- ])?(\d{2}[ .]?\d{3})[ ,-]+(\p{L}.*)$/iu;

/** A postal code with its country, which stands before it abroad, or with a separator. */
const postalCode = /^(?:FR?-?)?(\d{2})[.-]?(\d{3})$/i;

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
	const [, ofCity, cityAlone] = codeAndCity.exec(city) ?? [];
	if (ofCity && cityAlone && ["", toDigits(ofCity)].includes(whole.postalCode))
		return { ...whole, postalCode: toDigits(ofCity), city: cityAlone };
	const [, ofCode, cityOfCode] = codeAndCity.exec(code) ?? [];
	if (ofCode && cityOfCode && ["", cityOfCode.toLowerCase()].includes(city.toLowerCase()))
		return { ...whole, postalCode: toDigits(ofCode), city: city || cityOfCode };
	const [, ofLine, cityOfLine] = (lines.length > 1 && codeAndCity.exec(lines.at(-1) ?? "")) || [];
	if (ofLine && cityOfLine && code === "" && city === "")
		return { street: lines.slice(0, -1).join(", "), postalCode: toDigits(ofLine), city: cityOfLine };
	return whole;
}

const readStreet = (value: unknown): string[] =>
	String(value ?? "")
		.split(/[\r\n]/)
		.map((line) => readLine(line).replace(/[, ]$/, ""))
		.filter(Boolean);

/** @returns « 75001 » for « F-75 001 »; any other text as it is. */
function readPostalCode(typed: string): string {
	const text = typed.normalize("NFKC");
	const [, department, office] = postalCode.exec(text.replace(/\s/g, "")) ?? [];
	return department && office ? department + office : text;
}
