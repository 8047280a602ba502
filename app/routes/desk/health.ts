import { readShopHealth } from "../../desk/health/describe-health.server.ts";
import { deskHeaders, requireOperator, requirePage } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/health";

/** The health of the shop, for the head of open pages. Every operator may see it; `?page=` asks whether that page is still theirs. */
export async function loader({ request, context }: Route.LoaderArgs) {
	requireOperator(context);
	requirePage(context, new URL(request.url).searchParams.get("page") ?? "");
	return Response.json(await readShopHealth(context.get(shopContext)), { headers: deskHeaders });
}
