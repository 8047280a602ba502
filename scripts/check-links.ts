// « A link: React Router's href() » (CONTRIBUTING.md), as part of npm run check.
import { parseSync, Visitor } from "oxc-parser";
import routes from "../app/routes.ts";
import { isProduction, readSources, type SourceFile } from "./check-imports.ts";

/** Files that speak of paths without linking to them: tables of routes, limits and crawlers, the texts' own addresses. */
const withoutLinks = /^app\/(routes\.ts|web\/|content\/(texts|faq|pages)\.ts|routes\/(redirect-table\.ts|crawlers\/))/;

/** What reads like a link, and is none. */
const accepted = ["app/tracking/tracking-access.server.ts /suivi"]; // the path of a cookie, above its pages

/** The first part of each of our paths. */
const beginnings = new Set(routes.flatMap(({ path }) => (path?.match(/^[\w.-]+/)?.[0] ?? []) as string[]));

/** @returns a sentence for each path of ours that is written by hand. */
export function checkLinks(files: readonly SourceFile[] = readSources()): string[] {
	return files
		.filter(({ path }) => path.startsWith("app/") && isProduction(path) && !withoutLinks.test(path))
		.flatMap(({ path, text }) => handWritten(path, text).map((link) => `${path} ${link}`))
		.filter((found) => !accepted.includes(found))
		.map((found) => `${found} is a link written by hand: use href() or absoluteUrl()`);
}

function handWritten(path: string, text: string): string[] {
	const found: { at: number; link: string }[] = [];
	const typed: { start: number; end: number }[] = [];
	const note = (at: number, link: string) => {
		const [, beginning = ""] = /^\/([\w.-]+)/.exec(link) ?? [];
		if (beginnings.has(beginning)) found.push({ at, link });
	};
	new Visitor({
		Literal: ({ start, value }) => typeof value === "string" && note(start, value),
		TemplateElement: ({ start, value }) => note(start, value.cooked ?? ""),
		CallExpression({ start, end, callee }) {
			if (callee.type === "Identifier" && (callee.name === "href" || callee.name === "absoluteUrl")) typed.push({ start, end });
		},
	}).visit(parseSync(path, text).program);
	return found.filter(({ at }) => !typed.some(({ start, end }) => at > start && at < end)).map(({ link }) => link);
}
