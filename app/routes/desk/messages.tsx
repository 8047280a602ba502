import { listMessages } from "../../desk/messages/list-messages.server.ts";
import { MessagesPage } from "../../desk/messages/messages-page.tsx";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/messages";

export { keepPage as shouldRevalidate } from "../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Messages – bureau" }];

export function loader({ request, context }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	return listMessages(context.get(shopContext), new URL(request.url).searchParams);
}

export default function MessagesRoute({ loaderData }: Route.ComponentProps) {
	return <MessagesPage {...loaderData} />;
}
