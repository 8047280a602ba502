import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import routes from "../app/routes.ts";

interface Route {
	path?: string;
	children?: Route[];
}

/** Segments that name a company or a page, which anybody may know. Any other parameter is a key, a number or an id. */
const publicParameters = [":siren", ":file.xml", ":version"];

/** The first segments below which a URL holds a key, an order's number or an id, from app/routes.ts. */
function listPrivateSegments(list: readonly Route[], above: string[] = []): string[] {
	return list.flatMap(({ path, children = [] }) => {
		const segments = [...above, ...(path?.split("/") ?? [])];
		const isPrivate = segments.some((segment) => segment.startsWith(":") && !publicParameters.includes(segment));
		return [...(isPrivate ? [segments[0] ?? ""] : []), ...listPrivateSegments(children, segments)];
	});
}

const segments = [...new Set(listPrivateSegments(routes))].sort();

test("the routes with keys are found", () => {
	expect(segments).toEqual(expect.arrayContaining(["bureau", "documents", "suivi"]));
});

test.each(["deploy/Caddyfile", "deploy/haproxy.cfg", "docs/deployment.md"])("%s cuts each URL with a key in the proxy's log", (file) => {
	const text = readFileSync(file, "utf8");
	const [, cut] = /\^\(.*?\/\((?:\?:)?([\w-]+(?:\|[\w-]+)+)\)/.exec(text) ?? [];
	expect(cut?.split("|").sort()).toEqual(segments);
});

test("docs/deployment.md names them", () => {
	const sentence = /URLs of pages with keys or order numbers \(([^)]+)\)/.exec(readFileSync("docs/deployment.md", "utf8"))?.[1];
	expect(sentence?.split(", ").sort()).toEqual(segments.map((segment) => `\`/${segment}\``));
});
