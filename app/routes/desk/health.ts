import { readShopHealth } from "../../desk/health/describe-health.server.ts";
import { deskHeaders, requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/health";

/** The health of the shop, for the head of open pages. Every operator may see it. */
export async function loader({ context }: Route.LoaderArgs) {
	requireOperator(context);
	return Response.json(await readShopHealth(context.get(shopContext)), { headers: deskHeaders });
}
