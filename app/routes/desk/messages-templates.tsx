import { keepUnsentAct } from "../../desk/acts/act-form.tsx";
import { answerActForm } from "../../desk/acts/answer-act-form.server.ts";
import { TemplatesPage } from "../../desk/messages/templates-page.tsx";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import { listReplyTemplates } from "../../messages/reply-templates.store.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/messages-templates";

export { keepPage as shouldRevalidate } from "../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Modèles de réponse – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	const { operator } = requireOperator(context, "serve");
	return { templates: await listReplyTemplates(context.get(shopContext).db), mayChange: operator.roles.includes("settings") };
}

export const action = (args: Route.ActionArgs) => answerActForm(args);

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepUnsentAct(request, () => serverAction());

export default function TemplatesRoute({ loaderData }: Route.ComponentProps) {
	return <TemplatesPage {...loaderData} />;
}
