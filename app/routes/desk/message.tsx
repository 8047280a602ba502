import { data } from "react-router";
import { isUuid } from "../../../server/uuid.ts";
import { keepUnsentAct } from "../../desk/acts/act-form.tsx";
import { answerActForm } from "../../desk/acts/answer-act-form.server.ts";
import { describeMessage } from "../../desk/messages/describe-message.server.ts";
import { MessagePage } from "../../desk/messages/message-page.tsx";
import { recordLook } from "../../desk/order/record-look.server.ts";
import { readDeskForm } from "../../desk/shell/read-desk-form.server.ts";
import { getActor, requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/message";

export { keepPage as shouldRevalidate } from "../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Message – bureau" }];

export async function loader({ params: { id }, request, context }: Route.LoaderArgs) {
	const { operator } = requireOperator(context, "serve");
	const shop = context.get(shopContext);
	const message = isUuid(id) ? await describeMessage(shop, id) : null;
	if (message === null) throw data("Cet échange n’existe plus.", { status: 404 });
	await recordLook(shop, getActor(context), "read-conversation", message.id);
	return {
		message,
		me: operator.id,
		mayRefund: operator.roles.includes("refund"),
		chosen: new URL(request.url).searchParams.get("modele"),
	};
}

/** Without JavaScript, the preview and a refusal come back with what was typed. */
export async function action(args: Route.ActionArgs) {
	const form = await readDeskForm(args.request.clone());
	const text = form.get("text");
	const typed = typeof text === "string" ? text : null;
	if (form.get("do") === "preview") return { act: "preview", orderId: null, key: "", text: "", state: "undone" as const, typed };
	const outcome = await answerActForm(args);
	return outcome.act === "reply" && outcome.state === "refused" ? { ...outcome, typed } : outcome;
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepUnsentAct(request, () => serverAction());

export default function MessageRoute({ loaderData, actionData }: Route.ComponentProps) {
	const typed = actionData && "typed" in actionData && typeof actionData.typed === "string" ? actionData.typed : null;
	return <MessagePage {...loaderData} typed={typed} />;
}
