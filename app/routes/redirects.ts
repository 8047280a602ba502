import { redirect } from "react-router";
import type { Route } from "./+types/redirects.ts";
import { movedPages } from "./moved-pages.ts";

/** Leads an old address to the new one, for good, with the query it came with. */
export function loader({ request }: Route.LoaderArgs) {
	const { pathname, search } = new URL(request.url);
	const target = movedPages[pathname.replace(/\/+$/, "")];
	if (target === undefined) throw new Error(`routed as a moved page, but not in the table: ${pathname}`);
	return redirect(target + search, 301);
}
