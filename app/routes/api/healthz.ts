import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/healthz";

/** 200 while the process runs, 503 when it drains. /readyz checks its dependencies. */
export function loader({ context }: Route.LoaderArgs) {
	const { draining } = context.get(shopContext);
	return new Response(draining.aborted ? "stopping" : "ok", {
		status: draining.aborted ? 503 : 200,
		headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
	});
}
