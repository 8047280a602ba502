import { href } from "react-router";
import { formatEuros } from "../../catalogue/money.ts";
import { isPosted, services } from "../../catalogue/services.ts";
import { button } from "../../ui/button.tsx";
import { DescriptionList } from "../../ui/description-list.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";
import { Steps } from "../../ui/steps.tsx";
import type { DescribedOrder } from "../describe-order.server.ts";
import { describeDeadline, OrderProgress, OrderStatusLabel } from "../order-state.tsx";
import { UnpaidNotice } from "../unpaid-notice.tsx";

export interface ConfirmedOrderProps extends Pick<DescribedOrder, "order" | "progress" | "paid"> {
	/** Whether the customer may pay the order now. */
	payable: boolean;
	/** The download link of the extract, once it is issued. */
	extractUrl: string | null;
	/** null with masked access. */
	customerName: string | null;
	deliveryEmail: string;
	support: { phone: string; email: string; hours: string };
	/** Why the payment could not be resumed. */
	error: string | null;
}

const headings = {
	pending: "Votre paiement est en cours de vérification",
	paid: "Commande confirmée !",
	processing: "Commande confirmée !",
	completed: "Commande confirmée !",
	failed: "Votre commande n’a pas abouti",
} as const;

function getHeading({ order, payable }: ConfirmedOrderProps): string {
	if (payable) return "Votre paiement n’est pas terminé";
	return order.refunded_cents >= order.price_cents ? "Votre commande a été remboursée" : headings[order.status];
}

/** The confirmation of an order, shown after the payment. */
export function ConfirmedOrder(props: ConfirmedOrderProps) {
	const { order, progress, paid, payable, customerName, deliveryEmail, support, error } = props;
	const service = services[order.product_code];
	const postal = isPosted(order.product_code);
	const confirmed = paid && order.status !== "failed";
	return (
		<Page width="form">
			<Steps current={paid ? 3 : 2} title={paid ? "Confirmation" : "Paiement"} finished={confirmed} />
			<Title above={<>Commande {order.order_number}</>}>{getHeading(props)}</Title>
			<div aria-live="polite">
				<p className="mb-4">
					<OrderStatusLabel status={order.status} />
				</p>
				<OrderProgress order={order} reached={progress} />
				<div className="mt-8 empty:hidden">{payable ? <UnpaidNotice status={order.status} error={error} /> : <Outcome {...props} />}</div>
			</div>
			<Section title="Récapitulatif" className="mt-10">
				<DescriptionList
					rows={[
						["Entreprise", order.company_name],
						["SIREN", <Siren key="siren" value={order.siren} />],
						["Service", service.name],
						["Livraison", postal ? "Par courrier suivi" : `Par e-mail à ${deliveryEmail}`],
						describeDeadline(order),
						["Montant payé", confirmed ? formatEuros(order.price_cents) : null],
						["Client", customerName],
						["E-mail", order.customer_email],
					]}
				/>
				{confirmed && <p className="mt-4">Un e-mail de confirmation vous est envoyé à {order.customer_email}.</p>}
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

/** The document, the tracking number, or a notice that they will follow; nothing for a failed order. */
function Outcome({ order, paid, extractUrl }: ConfirmedOrderProps) {
	if (extractUrl) {
		return (
			<a className={button("primary")} href={extractUrl} target="_blank" rel="noopener">
				Télécharger le KBIS
			</a>
		);
	}
	if (order.tracking_number) {
		return (
			<Notice kind="done" title="Votre courrier est posté.">
				<p>
					Numéro de suivi : <span className="figures">{order.tracking_number}</span>
				</p>
			</Notice>
		);
	}
	// for an unpaid order, the heading is enough
	if (order.status === "failed" || order.disputed || !paid) return null;
	return isPosted(order.product_code) ? (
		<Notice kind="waiting" title="Votre numéro de suivi s’affichera ici dès que le courrier sera posté." />
	) : (
		<Notice kind="waiting" title="Le document sera disponible ici dès que le traitement sera terminé." />
	);
}
