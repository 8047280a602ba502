import { data } from "react-router";
import type { ActOutcome } from "../../../desk/acts/act.ts";
import { keepUnsentAct } from "../../../desk/acts/act-form.tsx";
import { answerActForm } from "../../../desk/acts/answer-act-form.server.ts";
import { findOrderOfPage } from "../../../desk/order/find-order.server.ts";
import { OrderPage } from "../../../desk/order/order-page.tsx";
import { readOrder } from "../../../desk/order/read-order.server.ts";
import { receiveFile } from "../../../desk/order/receive-file.server.ts";
import { recordLook } from "../../../desk/order/record-look.server.ts";
import { type DropAnswer, keepUnsentFile } from "../../../desk/order/upload-answer.ts";
import { getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/order";

export { keepPage as shouldRevalidate } from "../../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = ({ params }) => [{ title: `${params.number} – bureau` }];

export async function loader({ context, params, request }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	const [shop, actor] = [context.get(shopContext), getActor(context)];
	const order = await findOrderOfPage(shop, params.number);
	await recordLook(shop, actor, "look-at-order", order.order_number);
	const page = Number(new URL(request.url).searchParams.get("page") ?? 1);
	return data({ order: await readOrder(shop, actor, order), page: Number.isInteger(page) && page > 0 ? page : 1 });
}

/** The form of an act, or a file that a script sends: the address for files needs another script, which may be missing offline. */
export async function action(args: Route.ActionArgs): Promise<ActOutcome | DropAnswer> {
	const { request, context, params } = args;
	requireOperator(context, "serve");
	if (!isUpload(request)) return answerActForm(args);
	const shop = context.get(shopContext);
	return receiveFile(shop, getActor(context), await findOrderOfPage(shop, params.number), request);
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
	isUpload(request)
		? keepUnsentFile(() => serverAction() as Promise<DropAnswer>)
		: keepUnsentAct(request, () => serverAction() as Promise<ActOutcome>);

const isUpload = ({ headers }: Request) => headers.get("content-type")?.startsWith("multipart/form-data") === true;

export default function OrderRoute({ loaderData }: Route.ComponentProps) {
	return <OrderPage key={loaderData.order.id} {...loaderData} />;
}
