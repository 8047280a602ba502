import { deskSubject } from "../../../server/database/changes.ts";
import { shopContext } from "../../shop.ts";
import { createLiveStream } from "../../web/live-stream.ts";
import { watchSession } from "../operators/watch-session.server.ts";
import type { Route } from "./+types/live";
import { getSignedIn } from "./signed-in.server.ts";

/** The live stream of the desk: one « change » for each change, without its content. Each operator has their own streams, which end with the session. */
export function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const signedIn = getSignedIn(context);
	return createLiveStream(shop, [deskSubject], request, `desk ${signedIn.operator.id}`, (end) => watchSession(shop, signedIn, end));
}
