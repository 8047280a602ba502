import { joinRichText, type RichText } from "../markdown/rich-text.ts";
import { setFrenchSpaces } from "../ui/french-spaces.ts";

/** Values that texts name between braces. One that holds links is rich text, and may stand in rich text only. */
export type Variables = Readonly<Record<string, RichText>>;

/**
 * Puts variables in place of their names, and French spaces where they belong, in every string of a content.
 * @throws Error on a name that is no variable: the author's slip, found by the tests.
 */
export function fillIn<Content>(content: Content, variables: Variables): Content {
	const fill = (part: unknown): unknown => {
		if (typeof part === "string") return fillString(part, variables);
		if (Array.isArray(part)) return part.map(fill);
		if (typeof part !== "object" || part === null) return part;
		return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner)]));
	};
	return fill(content) as Content; // every string stays where it stood
}

function fillString(text: string, variables: Variables): RichText {
	const parts = text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : getVariable(part, variables)));
	const filled = joinRichText(parts);
	return typeof filled === "string" ? setFrenchSpaces(filled) : fillIn(filled, {});
}

function getVariable(name: string, variables: Variables): RichText {
	const value = variables[name];
	if (value === undefined) throw new Error(`no variable is named {${name}}; those that are: ${Object.keys(variables).join(", ")}`);
	return value;
}
