import { openLine } from "../../customer/tracking/tracking-access.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/purchase-line";

/** From the page of a purchase to that of one of its orders. */
export const loader = ({ params, request, context }: Route.LoaderArgs) => openLine(context.get(shopContext), request, params);
