import { keepUnsentAct } from "../../../desk/acts/act-form.tsx";
import { answerMoneyForm } from "../../../desk/money/answer-money-form.server.ts";
import { readHeldRefunds } from "../../../desk/money/held-refunds.server.ts";
import { listMoney } from "../../../desk/money/list-money.server.ts";
import { MoneyPage } from "../../../desk/money/money-page.tsx";
import { recordLook } from "../../../desk/order/record-look.server.ts";
import { getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/money";

export { keepPage as shouldRevalidate } from "../../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Argent – bureau" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	const { operator } = requireOperator(context, "refund");
	const shop = context.get(shopContext);
	await recordLook(shop, getActor(context), "look-at-money", null);
	return {
		money: await listMoney(shop, new URL(request.url).searchParams, operator.id),
		held: await readHeldRefunds(shop),
		mayServe: operator.roles.includes("serve"),
		mayCount: operator.roles.includes("accounts"),
	};
}

export const action = (args: Route.ActionArgs) => answerMoneyForm(args);

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepUnsentAct(request, () => serverAction());

export default function MoneyRoute({ loaderData }: Route.ComponentProps) {
	return <MoneyPage {...loaderData} />;
}
