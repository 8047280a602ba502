import { shopContext } from "../../shop.ts";
import { deskHeaders } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/health";
import { readShopHealth } from "./describe-health.server.ts";

/** The health of the shop, for the head of open pages. Every operator may see it. */
export async function loader({ context }: Route.LoaderArgs) {
	return Response.json(await readShopHealth(context.get(shopContext)), { headers: deskHeaders });
}
