import { href } from "react-router";
import { toError } from "../../server/types/errors.ts";
import type { Place } from "../ui/breadcrumb.tsx";
import { readText } from "./read-text.ts";
import type { Text } from "./text.ts";

const files = import.meta.glob<string>("./texts/**/*.md", { query: "?raw", import: "default", eager: true });

/** The texts by path, before fillIn: `/cgv` is texts/cgv.md. */
export const texts: Readonly<Record<string, Text>> = Object.fromEntries(
	Object.entries(files).map(([file, source]) => [file.slice("./texts".length, -".md".length), readFile(file, source)]),
);

/** Parses a file of texts/. @param file its path from this folder. @throws Error with the file and the invalid part. */
export function readFile(file: string, source: string): Text {
	try {
		return readText(source);
	} catch (error) {
		throw new Error(`app/content/${file.slice(2)}: ${toError(error).message}`);
	}
}

/** Returns the text of a path. @throws Error when there is none. */
export const getText = (path: string): Text => texts[path] ?? fail(`there is no app/content/texts${path}.md`);

/** Returns the pages from the home page to a path. */
export function getBreadcrumb(path: string): Place[] {
	const { title, heading, sells, parent } = getText(path);
	const above =
		parent === null
			? [{ label: "Accueil", href: href("/") }]
			: getBreadcrumb(parent).map((place) => (place.href ? place : { ...place, href: parent }));
	return [...above, { label: sells ? heading : title }];
}

function fail(sentence: string): never {
	throw new Error(sentence);
}
