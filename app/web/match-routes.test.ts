import type { ServerBuild } from "react-router";
import { expect, test } from "vitest";
import routes from "../routes.ts";
import { createRoutePatterns, getPagePath } from "./route-patterns.ts";

/** One name for a route, and one spelling of its address: docs/rules.md, R176. */

interface Route {
	id: string;
	parentId?: string | undefined;
	path?: string | undefined;
	index?: boolean | undefined;
}

/** The routes as the framework's build lists them. */
const listRoutes = (entries: typeof routes, parentId: string): Route[] =>
	entries.flatMap(({ file, id = `${parentId} ${file}`, path, index, children = [] }) => [
		{ id, parentId, path, index },
		...listRoutes(children, id),
	]);
const all: Route[] = [{ id: "root", path: "" }, ...listRoutes(routes, "root")];
const { match } = createRoutePatterns({ routes: Object.fromEntries(all.map((route) => [route.id, route])) } as unknown as ServerBuild);

test.each<[path: string, pattern: string, canonicalPath?: string | null]>([
	["/", "/"],
	["//", "/", "/"],
	["/_.data", "/", "/"],
	["/cgv", "/cgv"],
	["/cgv/", "/cgv", "/cgv"],
	["/CGV", "/cgv", "/cgv"],
	["/c%67v", "/cgv", "/cgv"],
	["/cgv.data", "/cgv", "/cgv"],
	["/bureau", "/bureau"],
	["/Bureau/Commandes", "/bureau/commandes", "/bureau/commandes"],
	["/bureau/commandes/KB-1/", "/bureau/commandes/:number", "/bureau/commandes/KB-1"],
	["/entreprise/552032534", "/entreprise/:siren"],
	["/%45ntreprise/552%20032%20534///", "/entreprise/:siren", "/entreprise/552032534"],
	["/entreprise/552.032.534/alerte", "/entreprise/:siren/alerte", "/entreprise/552032534/alerte"],
	["/entreprise/danone", "/entreprise/:siren"],
	// a program writes it as it likes, and no other parameter is a company
	["/api/entreprises/552%20032%20534", "/api/entreprises/:siren"],
	["/suivi/552%20032%20534", "/suivi/:number"],
	["/suivi/KB-ab%2Fc", "/suivi/:number"],
	["/suivi/KB-%252F%2e", "/suivi/:number", "/suivi/KB-%252F."],
	["/confirmation", "/confirmation/:sessionId?"],
	["/confirmation/", "/confirmation/:sessionId?", "/confirmation"],
	["/confirmation/cs_1", "/confirmation/:sessionId?"],
	["/sitemap-entreprises-1.xml", "/:file.xml"],
	["/Sitemap-entreprises-1.XML", "/:file.xml", "/Sitemap-entreprises-1.xml"],
	["/apercu/tarifs.png", "/apercu/*", null],
	["/nulle-part", "/*", null],
	["/nulle-part/x", "/*", null],
	["/entreprise/552032534/nulle-part", "/*", null],
	["/api/inconnue", "/*", null],
])("%s is %s", (path, pattern, canonicalPath = path) => {
	expect(match(path)).toEqual({ pattern, canonicalPath });
});

test("what the framework reads as the data of a page", () => {
	const read = [
		"/x",
		"/x/",
		"/x.data",
		"/x/_.data",
		"/_.data",
		"/.data",
		"/x.data/",
		"/x.DATA",
		"/x_.data",
		"/_root.data",
		"/x.data.data",
		"/x/_.data/y",
		"/x.data.y",
	];
	expect(read.map(getPagePath)).toEqual([
		...["/x", "/x/", "/x", "/x/", "/", "/", "/x.data/", "/x.DATA", "/x_", "/_root", "/x.data", "/x/_.data/y", "/x.data.y"],
	]);
});
