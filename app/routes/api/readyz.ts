import { isClockWrong } from "../../../server/health-limits.ts";
import { shopContext } from "../../shop.ts";

import type { Route } from "./+types/readyz";

/** The parts that must work for the shop to be ready, in the order of the response. */
const parts = ["database", "jobs", "storage", "mail", "payment"] as const;

/** Whether the shop is ready: probes each part, and compares the clock with the payment provider's. */
export async function loader({ context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const probes = (await shop.prober.probe()).parts;
	const isWrong = isClockWrong(probes.payment.clockAhead);
	const ok = parts.every((part) => probes[part].ok) && !isWrong;
	const states = Object.fromEntries(parts.map((part) => [part, probes[part].ok ? "ok" : "down"]));
	// the primary replaces a failed replica, so the shop stays ready
	const replica = shop.replica && { replica: shop.replica.state() };
	return Response.json(
		{ ok, ...states, clock: isWrong ? "wrong" : "ok", ...replica },
		{ status: ok ? 200 : 503, headers: { "cache-control": "no-store" } },
	);
}
