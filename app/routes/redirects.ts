import { redirect } from "react-router";
import type { Route } from "./+types/redirects.ts";
import { redirects } from "./redirect-table.ts";

/** Redirects an old URL permanently to the new one, with its query. */
export function loader({ request, pattern }: Route.LoaderArgs) {
	// the pattern of routes.ts, because the requested URL may have capitals or be a data request
	const target = redirects[`/${pattern}`];
	if (target === undefined) throw new Error(`no redirect for the route ${pattern}`);
	return redirect(target + new URL(request.url).search, 301);
}
