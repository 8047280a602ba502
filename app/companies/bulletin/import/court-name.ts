import { formatGreffeName } from "../../greffes/greffe-names.ts";
import { fold, memoize, namesPerson, toPlainLine } from "./plain-text.ts";

/** Kinds of court, as they are looked for and as they are written. */
const courts: readonly [pattern: RegExp, name: string][] = [
	[/^(?:tribunal de commerce|tc)\b/, "tribunal de commerce"],
	[/^tribunal des activites economiques\b/, "tribunal des activités économiques"],
	[/^tribunal judiciaire\b/, "tribunal judiciaire"],
	[/^(?:tribunal de grande instance|tgi)\b/, "tribunal de grande instance"],
	[/^tribunal de premiere instance\b/, "tribunal de première instance"],
	[/^tribunal mixte de commerce\b/, "tribunal mixte de commerce"],
	[/^tribunal d'instance\b/, "tribunal d’instance"],
	[/^tribunal de proximite\b/, "tribunal de proximité"],
	[/^cour d'appel\b/, "cour d’appel"],
];
const maxLength = 120;

/**
 * Writes a court's registry in one way, whatever letters and spaces the bulletin has: « Greffe du tribunal de commerce de Paris ».
 * @returns null for what names no court: the field then holds something else.
 */
export const formatCourt = (value: unknown): string | null => (typeof value === "string" ? format(value) : null);

const format = memoize((value) => {
	if (value.length > 4 * maxLength) return null;
	const line = toPlainLine(value);
	if (line.length > maxLength || /\d/.test(line)) return null;
	const registry = /^greffe (?:du |de la |d[eu']\s?)?/.exec(fold(line))?.[0] ?? "";
	const folded = fold(line).slice(registry.length);
	const [pattern, name] = courts.find(([court]) => court.test(folded)) ?? [];
	if (!pattern || !name) return null;
	const rest = line.slice(registry.length + (pattern.exec(folded)?.[0].length ?? 0)).trim();
	const [, typedLink = "", city = ""] = /^(d'|de la |de l'|des |du |de |à )?\s*(.*)$/is.exec(rest) ?? [];
	const court = registry ? `Greffe ${name === "cour d’appel" ? "de la " : "du "}${name}` : `${name[0]?.toUpperCase()}${name.slice(1)}`;
	if (city === "" || city.length > 40 || !/^[\p{L}' .()-]+$/u.test(city) || namesPerson(city)) return court;
	return `${court} ${formatLink(typedLink, city)}`;
});

/** « de Paris », « d’Évry », « du Mans », « de La Rochelle » */
function formatLink(typed: string, city: string): string {
	const link = typed.toLowerCase().trim();
	if (link === "du") return formatLink("", `le ${city}`);
	if (link === "des") return formatLink("", `les ${city}`);
	const name = formatGreffeName(link === "de la" ? `la ${city}` : city);
	const [, article, rest = ""] = /^(Le|Les) (.*)$/.exec(name) ?? [];
	if (article) return `${article === "Le" ? "du" : "des"} ${rest}`;
	return /^[aeiouyh]/.test(fold(name)) && !/^(?:Le |La )/.test(name) ? `d’${name}` : `de ${name}`;
}
