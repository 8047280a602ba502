import { data, href, redirect } from "react-router";
import { privateHeaders } from "../../server/http.ts";
import { formatEuros } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import { findOrderToResume, isPayable, resumePayment } from "../payment/resume-payment.server.ts";
import { shopContext } from "../shop.ts";
import { button } from "../ui/button.tsx";
import { Facts } from "../ui/facts.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Title } from "../ui/page.tsx";
import { Siren } from "../ui/siren.tsx";
import { Steps } from "../ui/steps.tsx";
import type { Route } from "./+types/resume-payment";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Reprendre votre paiement" }, { name: "robots", content: "noindex" }];

/** Where the provider's cancel link leads: back to an order that is not paid yet. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const order = await findOrderToResume(shop, params.token);
	if (order === null) throw data("Ce lien n’est pas valide. Votre commande se retrouve depuis la page de suivi.", { status: 403 });
	if (!isPayable(order)) throw redirect(href("/suivi/:number", { number: order.order_number }));
	return {
		number: order.order_number as string,
		companyName: order.company_name,
		siren: order.siren as string,
		service: order.product_code,
		price: order.price_cents,
	};
}

export async function action({ params, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const order = await findOrderToResume(shop, params.token);
	if (order === null) throw data("Ce lien n’est pas valide. Votre commande se retrouve depuis la page de suivi.", { status: 403 });
	if (!isPayable(order)) throw redirect(href("/suivi/:number", { number: order.order_number }), 303);
	const url = await resumePayment(shop, order);
	if (url) return redirect(url, 303);
	return data({ error: "Erreur lors du traitement du paiement" }, { status: 502 });
}

export default function ResumePayment({ loaderData, actionData }: Route.ComponentProps) {
	const { number, companyName, siren, service, price } = loaderData;
	return (
		<Page width="form">
			<Steps current={2} title="Paiement" />
			<Title lead="Rien n’a été débité. Votre commande vous attend telle que vous l’avez remplie.">Votre paiement n’est pas terminé</Title>
			{actionData?.error && (
				<Notice kind="failed" title={actionData.error} live className="mb-8">
					<p>Réessayez dans un instant.</p>
				</Notice>
			)}
			<Facts
				rows={[
					["Commande", number],
					["Entreprise", companyName],
					["SIREN", <Siren key="siren" value={siren} />],
					["Service", services[service].name],
					["Total TTC", formatEuros(price)],
				]}
			/>
			<form method="post" className="mt-8 flex flex-wrap items-center gap-6">
				<button type="submit" className={button("primary")}>
					Reprendre le paiement
				</button>
				<a className={button("quiet")} href={href("/")}>
					Retour à l’accueil
				</a>
			</form>
		</Page>
	);
}
