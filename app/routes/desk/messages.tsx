import { listMessages } from "../../desk/messages/list-messages.server.ts";
import { MessagesPage } from "../../desk/messages/messages-page.tsx";
import { recordLook } from "../../desk/order/record-look.server.ts";
import { getActor, requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/messages";

export { keepPage as shouldRevalidate } from "../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Messages – bureau" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	const shop = context.get(shopContext);
	await recordLook(shop, getActor(context), "look-at-messages", null);
	return listMessages(shop, new URL(request.url).searchParams);
}

export default function MessagesRoute({ loaderData }: Route.ComponentProps) {
	return <MessagesPage {...loaderData} />;
}
