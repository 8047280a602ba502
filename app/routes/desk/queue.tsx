import { href, redirect } from "react-router";
import { keepUnsentAct } from "../../desk/acts/act-form.tsx";
import { answerActForm } from "../../desk/acts/answer-act-form.server.ts";
import { QueuePage } from "../../desk/queue/queue-page.tsx";
import { readQueue } from "../../desk/queue/read-queue.server.ts";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/queue";

export { keepPage as shouldRevalidate } from "../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Commandes – bureau" }];

export function loader({ request, context }: Route.LoaderArgs) {
	const { operator } = requireOperator(context, "serve");
	return readQueue(context.get(shopContext), operator.id, new URL(request.url).searchParams);
}

export async function action(args: Route.ActionArgs) {
	const outcome = await answerActForm(args);
	if (outcome.act !== "claim-next" || outcome.state !== "done") return outcome;
	// the sentence names the order, also when the same form comes again
	const number = /KB-[\w-]+/.exec(outcome.text)?.[0];
	if (!number) return outcome;
	const page = href("/bureau/commandes/:number", { number });
	// a script opens it by itself: see ActForm
	return args.request.headers.get("sec-fetch-dest") === "empty" ? { ...outcome, page } : redirect(page);
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepUnsentAct(request, () => serverAction());

export default function QueueRoute({ loaderData }: Route.ComponentProps) {
	return <QueuePage {...loaderData} />;
}
