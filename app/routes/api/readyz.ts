import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/readyz";

/** What must answer for the shop to serve; the order is that of the answer. */
const parts = ["database", "jobs", "storage", "mail", "payment"] as const;

/** Whether the shop can serve: each part it leans on, asked now. */
export async function loader({ context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const probes = (await shop.prober.probe()).parts;
	const ok = parts.every((part) => probes[part].ok);
	const states = Object.fromEntries(parts.map((part) => [part, probes[part].ok ? "ok" : "down"]));
	// the primary answers in its place: it does not make the shop unready
	const replica = shop.replica && { replica: shop.replica.state() };
	return Response.json({ ok, ...states, ...replica }, { status: ok ? 200 : 503, headers: { "cache-control": "no-store" } });
}
