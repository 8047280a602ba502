import { shopContext } from "../shop.ts";
import { probeParts } from "../status/probe-parts.server.ts";
import type { Route } from "./+types/readyz";

/** What must answer for the shop to serve; the order is that of the answer. */
const parts = ["database", "jobs", "storage", "mail", "payment"] as const;

/** Whether the shop can serve: each part it leans on, asked now. */
export async function loader({ context }: Route.LoaderArgs) {
	const probes = (await probeParts(context.get(shopContext))).parts;
	const ok = parts.every((part) => probes[part].ok);
	const states = Object.fromEntries(parts.map((part) => [part, probes[part].ok ? "ok" : "down"]));
	return Response.json({ ok, ...states }, { status: ok ? 200 : 503, headers: { "cache-control": "no-store" } });
}
