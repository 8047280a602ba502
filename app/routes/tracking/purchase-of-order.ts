import { openPurchaseOfOrder } from "../../customer/tracking/tracking-access.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/purchase-of-order";

/** From the page of an order to that of its purchase. */
export const loader = ({ params, request, context }: Route.LoaderArgs) =>
	openPurchaseOfOrder(context.get(shopContext), request, params.number);
