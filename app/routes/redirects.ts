import { redirect } from "react-router";
import type { Route } from "./+types/redirects.ts";
import { redirects } from "./redirect-table.ts";

/** Leads an old address to the new one, for good, with the query it came with. */
export function loader({ request, pattern }: Route.LoaderArgs) {
	// as routes.ts writes it: it may have been typed in capitals, or asked for as data
	const target = redirects[`/${pattern}`];
	if (target === undefined) throw new Error(`routed as a moved page, but not in the table: ${pattern}`);
	return redirect(target + new URL(request.url).search, 301);
}
