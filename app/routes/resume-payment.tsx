import { data, href, redirect } from "react-router";
import { formatEuros } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import { findOrderToResume, isPayable, resumePayment } from "../payments/resume-payment.server.ts";
import { clientContext, type Shop, shopContext } from "../shop.ts";
import { redirectToPayment } from "../tracking/redirect-to-payment.server.ts";
import { button } from "../ui/button.tsx";
import { DescriptionList } from "../ui/description-list.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Title } from "../ui/page.tsx";
import { Siren } from "../ui/siren.tsx";
import { Steps } from "../ui/steps.tsx";
import { privateHeaders } from "../web/http.ts";
import type { Route } from "./+types/resume-payment";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Reprendre votre paiement" }, { name: "robots", content: "noindex" }];

/** @returns the order that a link leads back to, or null when the link has expired. Throws the answer to any other link. */
async function openLink(shop: Shop, token: string) {
	const found = await findOrderToResume(shop, token);
	if (!found.ok && found.reason === "expired") return null;
	if (!found.ok) throw data("Ce lien n’est pas valide. Votre commande se retrouve depuis la page de suivi.", { status: 403 });
	if (!isPayable(found.order)) throw redirect(href("/suivi/:number", { number: found.order.order_number }), 303);
	return found.order;
}

/** Where the provider's cancel link leads: back to an order that is not paid yet. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const order = await openLink(context.get(shopContext), params.token);
	if (order === null) return data({ order: null }, { status: 410 });
	return data({
		order: {
			number: order.order_number as string,
			companyName: order.company_name,
			siren: order.siren as string,
			service: order.product_code,
			price: order.price_cents,
		},
	});
}

export async function action({ params, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const order = await openLink(shop, params.token);
	if (order === null) return data({ error: null }, { status: 410 });
	const url = await resumePayment(shop, order, context.get(clientContext).key);
	if (url) return redirectToPayment(shop, url, order.id);
	return data({ error: "Erreur lors du traitement du paiement" }, { status: 502 });
}

export default function ResumePayment({ loaderData: { order }, actionData }: Route.ComponentProps) {
	if (order === null) return <ExpiredLink />;
	return (
		<Page width="form">
			<Steps current={2} title="Paiement" />
			<Title lead="Rien n’a été débité. Votre commande vous attend telle que vous l’avez remplie.">Votre paiement n’est pas terminé</Title>
			{actionData?.error && (
				<Notice kind="failed" title={actionData.error} live className="mb-8">
					<p>Réessayez dans un instant.</p>
				</Notice>
			)}
			<DescriptionList
				rows={[
					["Commande", order.number],
					["Entreprise", order.companyName],
					["SIREN", <Siren key="siren" value={order.siren} />],
					["Service", services[order.service].name],
					["Total TTC", formatEuros(order.price)],
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

function ExpiredLink() {
	return (
		<Page width="form">
			<Title lead="Il permettait de payer votre commande pendant 30 jours.">Ce lien a expiré</Title>
			<p className="mb-8">
				Si vous avez déjà payé, votre commande est enregistrée : retrouvez-la sur la page de suivi. Sinon, rien n’a été débité, et vous
				pouvez passer une nouvelle commande.
			</p>
			<p className="flex flex-wrap items-center gap-6">
				<a className={button("primary")} href={href("/commande")}>
					Passer une nouvelle commande
				</a>
				<a className={button("secondary")} href={href("/suivi-commande")}>
					Suivre ma commande
				</a>
			</p>
		</Page>
	);
}
