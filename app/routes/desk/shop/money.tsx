import { keepWhenOffline } from "../../../desk/acts/act-form.tsx";
import { answerActForm } from "../../../desk/acts/answer-act-form.server.ts";
import { readHeldRefunds } from "../../../desk/money/held-refunds.server.ts";
import { MoneyPage } from "../../../desk/money/money-page.tsx";
import { requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/money";

export const meta: Route.MetaFunction = () => [{ title: "Argent – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	const { operator } = requireOperator(context, "refund");
	return { held: await readHeldRefunds(context.get(shopContext)), mayServe: operator.roles.includes("serve") };
}

export const action = (args: Route.ActionArgs) => answerActForm(args);

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepWhenOffline(request, () => serverAction());

export default function MoneyRoute({ loaderData }: Route.ComponentProps) {
	return <MoneyPage {...loaderData} />;
}
