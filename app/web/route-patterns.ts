import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";

export interface RoutePatterns {
	/** Returns the pattern of a path's route, for logs and limits. */
	getPattern(path: string): string;
	/** Returns the canonical spelling of a path to a static route, regardless of case and slashes; null for other paths. */
	findCanonicalPath(path: string): string | null;
}

/** Reads the routes from the framework's build. */
export function createRoutePatterns(build: ServerBuild): RoutePatterns {
	const routes = Object.values(build.routes);
	const listChildren = (parentId?: string): RouteObject[] =>
		routes
			.filter((route) => route !== undefined && route.parentId === parentId)
			.map(
				(route) =>
					({
						id: route?.id,
						path: route?.path,
						...(route?.index ? { index: true as const } : { children: listChildren(route?.id) }),
					}) as RouteObject,
			);
	const [root] = listChildren();
	const children = root?.children ?? [];
	const staticPaths = new Set(children.flatMap(({ path }) => (path === undefined || /[:*]/.test(path) ? [] : [`/${path}`])));
	return {
		getPattern(path) {
			// the framework requests a page's data at the path plus .data
			const page = path.replace(/(\/_root)?\.data$/, "") || "/";
			const [first, ...rest] = segments(page);
			const canonical = `/${[first, ...rest].join("/")}`;
			// static routes come before all others
			if (first === undefined || staticPaths.has(canonical)) return canonical;
			// matchRoutes ranks all given routes each time, so it gets only candidates
			const candidates = children.filter(({ path: routePath = "" }) => /^[*:]/.test(routePath) || routePath.split("/")[0] === first);
			return `/${(matchRoutes([{ ...root, children: candidates } as RouteObject], page) ?? [])
				.map((match) => match.route.path)
				.filter(Boolean)
				.join("/")}`;
		},
		findCanonicalPath(path) {
			const canonical = `/${segments(path).join("/")}`;
			return staticPaths.has(canonical) ? canonical : null;
		},
	};
}

/** Splits a path as the framework matches it: without regard to case and encoding. */
const segments = (path: string) => decodeURIComponent(path).toLowerCase().split("/").filter(Boolean);
