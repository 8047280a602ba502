import { data } from "react-router";
import { keepWhenOffline } from "../../desk/acts/act-form.tsx";
import { answerActForm } from "../../desk/acts/answer-act-form.server.ts";
import { findOrderOfPage } from "../../desk/order/find-order.server.ts";
import { OrderPage } from "../../desk/order/order-page.tsx";
import { readOrder } from "../../desk/order/read-order.server.ts";
import { recordConsultation } from "../../desk/order/record-consultation.server.ts";
import { getActor, requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/order";

export const meta: Route.MetaFunction = ({ params }) => [{ title: `${params.number} – bureau` }];

export async function loader({ context, params, request }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	const [shop, actor] = [context.get(shopContext), getActor(context)];
	const order = await findOrderOfPage(shop, params.number);
	await recordConsultation(shop, actor, order);
	const page = Number(new URL(request.url).searchParams.get("page") ?? 1);
	return data({ order: await readOrder(shop, actor, order), page: Number.isInteger(page) && page > 0 ? page : 1 });
}

export const action = (args: Route.ActionArgs) => {
	requireOperator(args.context, "serve");
	return answerActForm(args);
};

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepWhenOffline(request, () => serverAction());

export default function OrderRoute({ loaderData }: Route.ComponentProps) {
	return <OrderPage key={loaderData.order.id} {...loaderData} />;
}
