import { createStaticHandler, type RouteObject, type ServerBuild, type StaticHandler } from "react-router";
import { parseSiren } from "../companies/siren.ts";

export interface MatchedRoute {
	/** As in app/routes.ts, such as `/suivi/:number`; `/*` when no route matches. Logs, limits and metrics name a request by it. */
	pattern: string;
	/** The one spelling of this path; null for a path that only a route with `*` matches. */
	canonicalPath: string | null;
}

export interface RoutePatterns {
	/**
	 * Finds the route of a URL's path in every spelling that the framework accepts.
	 * @param pathname as in the URL: encoded, with `.data` where the framework asks for the data of a page. It must be decodable.
	 */
	match(pathname: string): MatchedRoute;
}

/**
 * The path of the page whose data a path asks for; any other path as it is. The framework asks for the data of `/x` at `/x.data`, and
 * for those of `/x/` at `/x/_.data` (react-router, lib/server-runtime/urls.ts, getNormalizedPath).
 */
export const getPagePath = (pathname: string): string =>
	pathname.endsWith("/_.data") ? pathname.slice(0, -"_.data".length) : pathname.replace(/\.data$/, "");

/** Reads the routes from the framework's build. */
export function createRoutePatterns(build: ServerBuild): RoutePatterns {
	const routes = Object.values(build.routes);
	const listChildren = (parentId?: string): RouteObject[] =>
		routes.flatMap((route): RouteObject[] => {
			if (route === undefined || route.parentId !== parentId) return [];
			const { id, path, index } = route;
			return [index ? { id, path, index } : { id, path, children: listChildren(id) }];
		});
	const [root] = listChildren();
	const children = root?.children ?? [];
	const staticPaths = new Set(children.flatMap(({ path = "" }) => (/[:*]/.test(path) ? [] : [`/${path}`])));
	const isOpen = ({ path = "" }: RouteObject) => /^[*:]/.test(path);
	const firstSegment = ({ path = "" }: RouteObject) => path.split("/")[0] ?? "";
	// each route is tried with a regular expression, so a path is only tried with those that can match its first segment
	const matchers = new Map<string, StaticHandler>();
	const createMatcher = (first: string) =>
		createStaticHandler([{ path: root?.path, children: children.filter((route) => isOpen(route) || firstSegment(route) === first) }]);
	for (const first of new Set(children.map(firstSegment))) matchers.set(first, createMatcher(first));
	const otherwise = createMatcher("*");

	return {
		match(pathname) {
			const page = getPagePath(pathname);
			// static routes come before all others
			if (staticPaths.has(page)) return { pattern: page, canonicalPath: page };
			const first = decodeURIComponent(page.split("/")[1] ?? "").toLowerCase();
			const matches = (matchers.get(first) ?? otherwise).match(page) ?? [];
			const pattern = `/${matches
				.map(({ route }) => route.path)
				.filter(Boolean)
				.join("/")}`;
			return { pattern, canonicalPath: pattern.endsWith("*") ? null : fillPattern(pattern, page) };
		},
	};
}

/** Writes the segments of a path as its pattern has them, and the values of its parameters in one encoding. */
function fillPattern(pattern: string, page: string): string {
	const given = listSegments(page);
	const written = listSegments(pattern).flatMap((segment, place) => {
		const [, name, ending = ""] = /^:(\w+)\??(.*)$/.exec(segment) ?? [];
		const value = given[place];
		if (name === undefined) return [segment];
		// a parameter that may be missing
		if (value === undefined) return [];
		const decoded = decodeURIComponent(value);
		return [encodeURIComponent(writeValue(pattern, name, decoded.slice(0, decoded.length - ending.length))) + ending];
	});
	return `/${written.join("/")}`;
}

const listSegments = (path: string) => path.split("/").filter(Boolean);

/** A page of a company has its SIREN without spaces. Programs may write it as they like. */
const writeValue = (pattern: string, name: string, value: string): string =>
	(name === "siren" && !pattern.startsWith("/api/") && parseSiren(value)) || value;
