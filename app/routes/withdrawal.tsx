import { data, href, redirect } from "react-router";
import { readLine } from "../forms/text.ts";
import { findWithdrawal } from "../orders/customer-requests.server.ts";
import { findOrder } from "../orders/orders.server.ts";
import { clientContext, retryAfterContext, shopContext } from "../shop.ts";
import { declarationToken } from "../tracking/declaration-token.server.ts";
import { trackOrder } from "../tracking/track-order.server.ts";
import { checkTrackingForm, trackingSentences } from "../tracking/tracking-form.ts";
import { withdraw } from "../tracking/withdraw.server.ts";
import { type AskedWithdrawal, type DeclaredWithdrawal, type ReceivedWithdrawal, WithdrawalPage } from "../tracking/withdrawal-page.tsx";
import { pageMeta } from "../ui/site.ts";
import { privateHeaders, readForm } from "../web/http.ts";
import type { Route } from "./+types/withdrawal";

export const handle = { scripts: false };

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders;

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Renoncer au contrat ici",
		picture: true,
		description: "Se rétracter d’une commande en ligne, sans compte : déclaration, confirmation, et accusé de réception daté.",
	});

const stale = "Cette page a expiré. Indiquez de nouveau votre commande.";

/** The online withdrawal function (C. conso. art. L221-21): declaration, confirmation, receipt. No account. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const token = new URL(request.url).searchParams.get("recu");
	const read = token ? declarationToken.read(shop.signer, token, shop.now()) : null;
	const [order, withdrawal] = read?.ok ? await Promise.all([findOrder(shop.db, read.id), findWithdrawal(shop.db, read.id)]) : [null, null];
	if (order === null || withdrawal === null)
		return data<AskedWithdrawal | ReceivedWithdrawal>(
			{ step: "ask", ...(token && { error: stale }) },
			{ headers: token ? privateHeaders : {} },
		);
	const { declared_at, outcome, reason } = withdrawal;
	return data<AskedWithdrawal | ReceivedWithdrawal>(
		{ step: "receipt", number: order.order_number, declaredAt: declared_at.toISOString(), outcome, reason },
		{ headers: privateHeaders },
	);
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const form = await readForm(request);
	const text = (name: string) => readLine(form.get(name)).slice(0, 400);
	const [email, reference, token] = [text("email"), text("orderId"), text("declaration")];
	const ask = (status: number, error: string) => data<AskedWithdrawal>({ step: "ask", error, email, reference }, { status });

	if (token !== "") {
		const read = declarationToken.read(shop.signer, token, shop.now());
		if (!read.ok || (await withdraw(shop, read.id)) === null) return ask(400, stale);
		return redirect(`${href("/retractation")}?recu=${declarationToken.sign(shop.signer, read.id, shop.now())}`, 303);
	}
	const wrong = checkTrackingForm(email, reference);
	if (wrong) return ask(400, wrong);
	const found = await trackOrder(shop, { email, reference, client: context.get(clientContext).key });
	if (!found.ok && found.reason === "limited") {
		context.set(retryAfterContext, found.retryAfter);
		return ask(429, trackingSentences.limited);
	}
	if (!found.ok) return ask(404, trackingSentences.notFound);
	const { order } = found;
	return data<DeclaredWithdrawal>({
		step: "confirm",
		declaration: declarationToken.sign(shop.signer, order.id, shop.now()),
		number: order.order_number,
		name: `${order.first_name} ${order.last_name}`,
		email: order.customer_email,
		companyName: order.company_name,
		siren: order.siren,
		service: order.product_code,
		orderedAt: order.created_at.toISOString(),
	});
}

export default function Withdrawal({ loaderData, actionData }: Route.ComponentProps) {
	return <WithdrawalPage {...(actionData ?? loaderData)} />;
}
