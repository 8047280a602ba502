import { redirect } from "react-router";
import { ContactPage } from "../../customer/contact/contact-page.tsx";
import { describeMessagePage, fillInOrderMessage, toOrderMessageUrl } from "../../customer/contact/message-form.server.ts";
import { findTrackedOrder } from "../../customer/tracking/tracking-access.server.ts";
import { shopContext } from "../../shop.ts";
import { pageMeta } from "../../ui/site.ts";
import { privateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/order-message";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = (page) => pageMeta(page, { ...page.loaderData.text, index: false });

/**
 * The contact form about an order, for a browser that has access to it; it is sent to `/contact`. Without access the form knows the number
 * alone, so that writing to the shop asks for nothing.
 */
export async function loader(args: Route.LoaderArgs) {
	const { number } = args.params;
	const tracked = await findTrackedOrder(args.context.get(shopContext), args.request, number);
	if (tracked === null) throw redirect(toOrderMessageUrl(number), 303);
	return { ...describeMessagePage(args, "contact"), ...fillInOrderMessage(tracked) };
}

export default function OrderMessage({ loaderData }: Route.ComponentProps) {
	return <ContactPage {...loaderData} refused={undefined} />;
}
