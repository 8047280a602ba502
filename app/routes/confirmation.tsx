import { useEffect } from "react";
import { data, href } from "react-router";
import { isDatabaseAway } from "../../server/database.ts";
import { privateHeaders } from "../../server/http.ts";
import { describeFault } from "../../server/log.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { formatEuros } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import { describeOrder } from "../orders/describe-order.server.ts";
import { discardDraft } from "../orders/draft.ts";
import { isMoving, OrderProgress, OrderStatusLabel } from "../orders/order-state.tsx";
import { findOrder } from "../orders/orders.store.server.ts";
import { findKnownSession } from "../payment/payment.store.server.ts";
import { settleSession } from "../payment/settle-session.server.ts";
import { type Shop, shopContext } from "../shop.ts";
import { button } from "../ui/button.tsx";
import { Facts } from "../ui/facts.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { Siren } from "../ui/siren.tsx";
import { Steps } from "../ui/steps.tsx";
import { useLive } from "../ui/use-live.ts";
import type { Route } from "./+types/confirmation";

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Votre commande" }, { name: "robots", content: "noindex" }];

/** Where the provider sends the customer back to. It never marks paid: it has the provider asked, and shows what is known. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	if (!params.sessionId) return data({ found: false as const, sentence: "ID de session manquant" }, { status: 400 });
	const session = await findKnownSession(shop.db, params.sessionId);
	if (session === null)
		return data({ found: false as const, sentence: "Impossible de récupérer les détails de votre commande" }, { status: 404 });
	if (session.status === "open") await settleSession(shop, session.id, null);
	const read = await readOrder(shop, session.order_id).catch((error: Error) => {
		if (isDatabaseAway(error)) throw error;
		shop.log.error({ error: describeFault(error) }, "an order could not be shown");
		return null;
	});
	if (read === null) return data({ found: false as const, sentence: "Erreur lors du chargement de la commande" }, { status: 500 });
	const { order, described } = read;
	const { shop: identity } = shop.environment;
	return {
		found: true as const,
		...described,
		customerName: `${order.first_name} ${order.last_name}`,
		deliveryEmail: order.delivery_email ?? order.customer_email,
		support: { phone: identity.phone, email: identity.email, hours: identity.supportHours },
		liveUrl: isMoving(described) ? href("/confirmation/:sessionId/direct", { sessionId: session.id }) : null,
		refreshWithoutScripts: isMoving(described),
	};
}

/** @throws Error when the order is not there, or cannot be read. */
async function readOrder(shop: Shop, id: string) {
	const order = await findOrder(shop.db, id);
	if (order === null) throw new Error("a payment session has no order");
	return { order, described: await describeOrder(shop, order) };
}

const headings = {
	pending: "Votre paiement est en cours de vérification",
	paid: "Commande confirmée !",
	processing: "Commande confirmée !",
	completed: "Commande confirmée !",
	failed: "Votre commande n’a pas abouti",
} as const;

export default function Confirmation({ loaderData }: Route.ComponentProps) {
	const paid = loaderData.found && loaderData.order.status !== "pending" && loaderData.order.status !== "failed";
	useLive(loaderData.found ? loaderData.liveUrl : null);
	useEffect(() => {
		if (paid) discardDraft();
	}, [paid]);
	if (!loaderData.found) {
		return (
			<Page width="form">
				<Title lead={loaderData.sentence}>Commande introuvable</Title>
				<p className="mb-8">
					Si vous venez de payer, votre commande est enregistrée : retrouvez-la sur la page{" "}
					<a className="link" href={href("/suivi-commande")}>
						Suivre ma commande
					</a>
					, avec votre e-mail et le numéro écrit dans l’e-mail de confirmation.
				</p>
				<a className={button("primary")} href={href("/")}>
					Retour à l’accueil
				</a>
			</Page>
		);
	}
	const { order, documents, progress, customerName, deliveryEmail, support } = loaderData;
	const service = services[order.product_code];
	const postal = service.deliveryMethod === "postal";
	const extract = documents.find((document) => document.doc_type === "kbis");
	const heading = order.refunded_cents >= order.price_cents ? "Votre commande a été remboursée" : headings[order.status];
	return (
		<Page width="form">
			<Steps current={3} title="Confirmation" finished={paid} />
			<Title above={<>Commande {order.order_number}</>}>{heading}</Title>
			<div aria-live="polite">
				<p className="mb-4">
					<OrderStatusLabel status={order.status} />
				</p>
				<OrderProgress reached={progress} />
				<div className="mt-8">
					{extract && (
						<a className={button("primary")} href={extract.url} target="_blank" rel="noopener">
							Télécharger le KBIS
						</a>
					)}
					{!extract && order.tracking_number && (
						<Notice kind="done" title="Votre courrier est posté.">
							<p>
								Numéro de suivi : <span className="figures">{order.tracking_number}</span>
							</p>
						</Notice>
					)}
					{!extract && !order.tracking_number && order.status !== "failed" && (
						<Notice
							kind="waiting"
							title={
								postal
									? "Votre numéro de suivi s’affichera ici dès que le courrier sera posté."
									: "Le document sera disponible ici dès que le traitement sera terminé."
							}
						/>
					)}
				</div>
			</div>
			<Section title="Récapitulatif" className="mt-10">
				<Facts
					rows={[
						["Entreprise", order.company_name],
						["SIREN", <Siren key="siren" value={order.siren} />],
						["Service", service.name],
						["Livraison", postal ? "Par courrier suivi" : `Par e-mail à ${deliveryEmail}`],
						[postal ? "Posté au plus tard" : "Livré au plus tard", order.promised_at && formatInstant(new Date(order.promised_at))],
						["Montant payé", paid ? formatEuros(order.price_cents) : null],
						["Client", customerName],
						["E-mail", order.customer_email],
					]}
				/>
				{paid && <p className="mt-4">Un e-mail de confirmation vous est envoyé à {order.customer_email}.</p>}
				<p className="mt-2 text-sm text-soft">
					Gardez votre numéro de commande : avec votre <span className="whitespace-nowrap">e-mail</span>, il suffit à la retrouver.
				</p>
			</Section>
			<Section title="Besoin d’aide ?">
				<p className="flex flex-wrap items-center gap-x-6">
					<span>
						<a className="link figures inline-flex min-h-11 items-center" href={`tel:${support.phone.replace(/\s/g, "")}`}>
							{support.phone}
						</a>{" "}
						({support.hours})
					</span>
					<a className="link inline-flex min-h-11 items-center" href={`mailto:${support.email}`}>
						{support.email}
					</a>
				</p>
				<div className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
					<a className={button("secondary")} href={href("/suivi/:number", { number: order.order_number })}>
						Suivre ma commande
					</a>
					<a className={button("quiet")} href={href("/")}>
						Retour à l’accueil
					</a>
				</div>
			</Section>
		</Page>
	);
}
