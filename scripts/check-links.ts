// « A link: React Router's href() » (CONTRIBUTING.md), as part of npm run check.
import { parseSync, Visitor } from "oxc-parser";
import routes from "../app/routes.ts";
import { isProduction, readSources, type SourceFile } from "./check-imports.ts";

/** Files with paths that are no links: tables of routes, limits and crawlers, paths of texts. */
const withoutLinks = /^app\/(routes\.ts|web\/[^/]+$|content\/(texts|faq|pages)\.ts|routes\/(redirect-table\.ts|crawlers\/))/;

/** Strings that look like links. */
/** Paths of cookies. */
const accepted = [
	"app/customer/tracking/tracking-access.server.ts /suivi",
	"app/desk/operators/auth.server.ts /bureau",
	"app/desk/operators/known-devices.server.ts /bureau",
	// the beginnings of paths
	"app/desk/shell/desk-pages.ts /bureau/apercu",
	"app/desk/shell/desk-pages.ts /bureau/documents",
	"app/desk/shell/desk-pages.ts /bureau/specimen",
];

/** The first part of each of our paths. */
const firstSegments = new Set(routes.flatMap(({ path }) => (path?.match(/^[\w.-]+/)?.[0] ?? []) as string[]));

/** @returns a sentence for each path of the shop that is not made by href(). */
export function checkLinks(files: readonly SourceFile[] = readSources()): string[] {
	return files
		.filter(({ path }) => path.startsWith("app/") && isProduction(path) && !withoutLinks.test(path))
		.flatMap(({ path, text }) => listHandWritten(path, text).map((link) => `${path} ${link}`))
		.filter((found) => !accepted.includes(found))
		.map((found) => `${found} is a link written by hand: use href() or absoluteUrl()`);
}

function listHandWritten(path: string, text: string): string[] {
	const found: { at: number; link: string }[] = [];
	const typed: { start: number; end: number }[] = [];
	const add = (at: number, link: string) => {
		const [, beginning = ""] = /^\/([\w.-]+)/.exec(link) ?? [];
		if (firstSegments.has(beginning)) found.push({ at, link });
	};
	new Visitor({
		Literal: ({ start, value }) => typeof value === "string" && add(start, value),
		TemplateElement: ({ start, value }) => add(start, value.cooked ?? ""),
		CallExpression({ start, end, callee }) {
			if (callee.type === "Identifier" && (callee.name === "href" || callee.name === "absoluteUrl")) typed.push({ start, end });
		},
	}).visit(parseSync(path, text).program);
	return found.filter(({ at }) => !typed.some(({ start, end }) => at > start && at < end)).map(({ link }) => link);
}
