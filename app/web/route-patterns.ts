import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";

export interface RoutePatterns {
	/** A path → its route's pattern: what a log may say of a request, and what limits are counted by. */
	patternOf(path: string): string;
	/** The one spelling of a path that leads to a route without parameters, however its letters and slashes are typed; null for any other. */
	canonicalPath(path: string): string | null;
}

/** Reads app/routes.ts as the framework built it. */
export function routePatterns(build: ServerBuild): RoutePatterns {
	const routes = Object.values(build.routes);
	const below = (parentId?: string): RouteObject[] =>
		routes
			.filter((route) => route !== undefined && route.parentId === parentId)
			.map(
				(route) =>
					({
						id: route?.id,
						path: route?.path,
						...(route?.index ? { index: true as const } : { children: below(route?.id) }),
					}) as RouteObject,
			);
	const [root] = below();
	const children = root?.children ?? [];
	const staticPaths = new Set(children.flatMap(({ path }) => (path === undefined || /[:*]/.test(path) ? [] : [`/${path}`])));
	return {
		patternOf(path) {
			// the framework asks for a page's data at its path with an ending
			const page = path.replace(/(\/_root)?\.data$/, "") || "/";
			const [first, ...rest] = segments(page);
			const canonical = `/${[first, ...rest].join("/")}`;
			// a route without parameters comes before all others
			if (first === undefined || staticPaths.has(canonical)) return canonical;
			// matching ranks its whole table anew each time: it gets only what can match
			const candidates = children.filter(({ path: own = "" }) => /^[*:]/.test(own) || own.split("/")[0] === first);
			return `/${(matchRoutes([{ ...root, children: candidates } as RouteObject], page) ?? [])
				.map((match) => match.route.path)
				.filter(Boolean)
				.join("/")}`;
		},
		canonicalPath(path) {
			const canonical = `/${segments(path).join("/")}`;
			return staticPaths.has(canonical) ? canonical : null;
		},
	};
}

/** The framework matches without regard to case and encoding. */
const segments = (path: string) => decodeURIComponent(path).toLowerCase().split("/").filter(Boolean);
