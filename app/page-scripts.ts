import onDemandScript from "./entry.on-demand.ts?script-url";
import type { PageMatch } from "./ui/page-match.ts";

/**
 * The JavaScript of a page, from its route’s `handle = { scripts: … }`. « none » and « on-demand » (entry.on-demand.ts) are for public
 * pages, which are the same for all users and may be cached; « all », the default, hydrates the page. `scripts: "all"` in a loader's data
 * is for a page that is not the public one of its route.
 */
export type PageScripts = "none" | "on-demand" | "all";

export function getScripts(matches: readonly PageMatch[]): PageScripts {
	if (matches.some(({ loaderData }) => loaderData?.scripts === "all")) return "all";
	const handles = matches.map(({ handle }) => handle?.scripts);
	if (handles.includes(false)) return "none";
	return handles.includes("on-demand") ? "on-demand" : "all";
}

/**
 * The inline script of a page « on demand »: it loads entry.on-demand.ts once the page is painted, a tenth of a second after its files
 * have arrived, because a slow connection divides its speed among all files. The Content-Security-Policy has its hash.
 */
export const onDemandLoader = `addEventListener("load",()=>setTimeout(()=>import("${onDemandScript}"),100))`;
