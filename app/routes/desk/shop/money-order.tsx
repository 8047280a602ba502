import { keepUnsentAct } from "../../../desk/acts/act-form.tsx";
import { answerMoneyForm } from "../../../desk/money/answer-money-form.server.ts";
import { describeOrderMoney } from "../../../desk/money/describe-order-money.server.ts";
import { OrderMoneyPage } from "../../../desk/money/order-money-page.tsx";
import { findOrderOfPage } from "../../../desk/order/find-order.server.ts";
import { recordLook } from "../../../desk/order/record-look.server.ts";
import { getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/money-order";

export { keepPage as shouldRevalidate } from "../../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = ({ params }) => [{ title: `Argent de ${params.number} – bureau` }];

export async function loader({ params, context }: Route.LoaderArgs) {
	const { operator } = requireOperator(context, "refund");
	const shop = context.get(shopContext);
	const order = await findOrderOfPage(shop, params.number);
	await recordLook(shop, getActor(context), "look-at-order", order.order_number);
	return { money: await describeOrderMoney(shop, order, operator.id), mayServe: operator.roles.includes("serve") };
}

export const action = (args: Route.ActionArgs) => answerMoneyForm(args);

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepUnsentAct(request, () => serverAction());

export default function OrderMoneyRoute({ loaderData }: Route.ComponentProps) {
	return <OrderMoneyPage {...loaderData} />;
}
