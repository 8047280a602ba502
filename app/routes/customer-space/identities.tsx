import { href, redirect } from "react-router";
import { listIdentities } from "../../customer/space/identities.server.ts";
import { IdentitiesPage } from "../../customer/space/identities-page.tsx";
import { orderAgain } from "../../customer/space/order-again.server.ts";
import { requireCustomer } from "../../customer/space/space-access.server.ts";
import { shopContext } from "../../shop.ts";
import { readLine } from "../../ui/forms/text.ts";
import { pageMeta } from "../../ui/site.ts";
import { privateHeaders, readForm } from "../../web/http.ts";
import type { Route } from "./+types/identities";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = (page) => pageMeta(page, { title: "Mes coordonnées de facturation", index: false });

export async function loader({ request, context }: Route.LoaderArgs) {
	const { mailbox } = await requireCustomer(context, request);
	return { mailbox, identities: await listIdentities(context.get(shopContext), mailbox) };
}

/** « Commander avec ces coordonnées » */
export async function action({ request, context }: Route.ActionArgs) {
	const { mailbox } = await requireCustomer(context, request);
	const number = readLine((await readForm(request)).get("number"));
	const form = await orderAgain(context, mailbox, { number, what: "none" });
	return form ?? redirect(href("/mes-commandes/identites"), { status: 303, headers: privateHeaders });
}

export default function Identities({ loaderData }: Route.ComponentProps) {
	return <IdentitiesPage {...loaderData} />;
}
