import { setFrenchSpaces } from "../ui/french-spaces.ts";
import { joinRichText, type RichText } from "../ui/markdown/rich-text.ts";

/** The values of names in braces. A value with links is rich text, and only allowed in rich text. */
export type Variables = Readonly<Record<string, RichText>>;

/**
 * Replaces variables, keeps what stands between « {?name} » and « {/name} » only while that variable is not empty (without an end: to the end
 * of the list item or paragraph), and sets French no-break spaces in every string of a content.
 * @throws Error for an unknown variable. Tests check all texts.
 */
export function fillIn<Content>(content: Content, variables: Variables): Content {
	const fill = (part: unknown): unknown => {
		if (typeof part === "string") return fillString(part, variables);
		if (Array.isArray(part)) return part.filter((item) => isKept(item, variables)).map(fill);
		if (typeof part !== "object" || part === null) return part;
		return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner)]));
	};
	return fill(content) as Content; // the structure does not change
}

/** A list item or paragraph that begins with a condition and does not end it. */
function isKept(item: unknown, variables: Variables): boolean {
	const first: unknown = Array.isArray(item) ? item[0] : item;
	if (typeof first !== "string") return true;
	const [, name = ""] = /^\{\?(\w+)\}/.exec(first) ?? [];
	return name === "" || first.includes(`{/${name}}`) || getVariable(name, variables) !== "";
}

function fillString(text: string, variables: Variables): RichText {
	const chosen = text
		.replace(/\{\?(\w+)\}(.*?)\{\/\1\}/gs, (_, name: string, inner: string) => (getVariable(name, variables) === "" ? "" : inner))
		.replace(/^\{\?\w+\}/, "");
	const parts = chosen.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : getVariable(part, variables)));
	const filled = joinRichText(parts);
	return typeof filled === "string" ? setFrenchSpaces(filled) : fillIn(filled, {});
}

function getVariable(name: string, variables: Variables): RichText {
	const value = variables[name];
	if (value === undefined) throw new Error(`no variable is named {${name}}; those that are: ${Object.keys(variables).join(", ")}`);
	return value;
}
