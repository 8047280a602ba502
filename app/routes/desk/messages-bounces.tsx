import { keepUnsentAct } from "../../desk/acts/act-form.tsx";
import { answerActForm } from "../../desk/acts/answer-act-form.server.ts";
import { BouncesPage } from "../../desk/messages/bounces-page.tsx";
import { listBounces } from "../../desk/messages/list-bounces.server.ts";
import { recordLook } from "../../desk/order/record-look.server.ts";
import { getActor, requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/messages-bounces";

export { keepPage as shouldRevalidate } from "../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "E-mails refusés – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	const shop = context.get(shopContext);
	await recordLook(shop, getActor(context), "look-at-bounces", null);
	return listBounces(shop);
}

export const action = (args: Route.ActionArgs) => answerActForm(args);

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepUnsentAct(request, () => serverAction());

export default function BouncesRoute({ loaderData }: Route.ComponentProps) {
	return <BouncesPage {...loaderData} />;
}
