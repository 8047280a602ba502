import routes from "../app/routes.ts";

interface Route {
	path?: string;
	children?: readonly Route[];
}

/** The pattern of each route, such as `/suivi/:number`, as logs and limits name it. */
export const listRoutePatterns = (): string[] => [...new Set(routes.flatMap((route) => listPatterns("", route as Route)))];

function listPatterns(parent: string, { path, children = [] }: Route): string[] {
	const pattern = path === undefined ? parent : `${parent}/${path}`;
	return [pattern || "/", ...children.flatMap((child) => listPatterns(pattern, child))];
}

/** A path that a pattern matches. @param value of each parameter. */
export const fillRoutePattern = (pattern: string, value = "552032534"): string => pattern.replace(/:\w+\??|\*/g, value);
