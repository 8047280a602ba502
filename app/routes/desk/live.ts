import { deskSubject } from "../../../server/database/changes.ts";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import { watchSession } from "../../operators/watch-session.server.ts";
import { shopContext } from "../../shop.ts";
import { createLiveStream } from "../../web/live-stream.ts";
import type { Route } from "./+types/live";

/** The live stream of the desk: one « change » for each change, without its content. Each operator has their own streams, which end with the session. */
export function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const signedIn = requireOperator(context);
	return createLiveStream(shop, [deskSubject], request, `desk ${signedIn.operator.id}`, (end) => watchSession(shop, signedIn, end));
}
