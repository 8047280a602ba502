import { deskSubject } from "../../../server/database/changes.ts";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import { createLiveStream } from "../../web/live-stream.ts";
import type { Route } from "./+types/live";

/** The live stream of the desk: one « change » for each change, without its content. Each operator has their own streams. */
export function loader({ request, context }: Route.LoaderArgs) {
	return createLiveStream(context.get(shopContext), deskSubject, request, `desk ${requireOperator(context).operator.id}`);
}
