import { href } from "react-router";
import { formatEuros } from "../../../catalogue/money.ts";
import { isPosted, services } from "../../../catalogue/services.ts";
import { NextOrderButton } from "../../../checkout/form/next-order.tsx";
import { ExtractWatchSection } from "../../../orders/watch/extract-watch-section.tsx";
import { button } from "../../../ui/button.tsx";
import { DescriptionList } from "../../../ui/description-list.tsx";
import { Section, Title } from "../../../ui/page.tsx";
import { Siren } from "../../../ui/siren.tsx";
import { Steps } from "../../../ui/steps.tsx";
import { AddressForm, CorrectedNotice, RefusedCorrectionSummary } from "../addresses/address-form.tsx";
import { LetterForm, RefusedLetterSummary } from "../addresses/letter-form.tsx";
import type { RefusedLetter } from "../addresses/letter-sentences.ts";
import { LetterDelivery, OrderColumns, OrderNumber, TrackingNumber } from "../order/order-columns.tsx";
import { OrderPromise } from "../order/order-promise.tsx";
import { getSheetOfLines } from "../order/order-sheet.tsx";
import { OrderProgress, OrderStatusLabel } from "../order-state.tsx";
import { getUnconfirmedHeading, orderConfirmed, UnpaidNotice } from "../payment-notices.tsx";
import { Refusal } from "../refusal.tsx";
import { type RefusedForm, sortRefusal } from "../refused-form.ts";
import type { Confirmation } from "./describe-confirmation.server.ts";

export interface ConfirmedOrderProps extends Extract<Confirmation, { state: "order" }> {
	answer: RefusedForm | null;
}

function getHeading({ order, payable, cancelled, extractUrl }: ConfirmedOrderProps): string {
	const { refunded_cents: refunded, price_cents: price, status, product_code } = order;
	const isRefunded = refunded !== null && price !== null && refunded >= price;
	if (isRefunded && !cancelled) return "Votre commande a été remboursée";
	// a dispute keeps the extract back
	const delivered = isPosted(product_code) ? "Votre courrier est posté" : extractUrl ? "Votre extrait est prêt" : orderConfirmed;
	return getUnconfirmedHeading({ payable, cancelled, status }) ?? (status === "completed" ? delivered : orderConfirmed);
}

/** The confirmation of an order, shown after the payment. */
export function ConfirmedOrder(props: ConfirmedOrderProps) {
	const { order, progress, paid, payable, customerName, support } = props;
	const { unpaid, refused, correction, refusedLetter } = sortRefusal(props.answer);
	const confirmed = paid && order.status !== "failed";
	return (
		<OrderColumns
			state={
				<>
					<Steps current={paid ? 3 : 2} title={paid ? "Confirmation" : "Paiement"} finished={confirmed} />
					<Title
						above={<OrderNumber number={order.order_number} />}
						lead={<OrderStatusLabel status={order.status} cancelled={props.cancelled} />}
						drawing={getSheetOfLines([{ status: order.status, progress, requested: order.extract_requested_at !== null }])}
					>
						{getHeading(props)}
					</Title>
					{refused && <Refusal sentence={refused.refused} />}
					{correction && <RefusedCorrectionSummary refused={correction} />}
					{refusedLetter && <RefusedLetterSummary refused={refusedLetter} />}
					{!correction && !refusedLetter && <CorrectedNotice notice={props.corrected} />}
					<div aria-live="polite">
						<OrderProgress {...props} />
						<div className="mt-8 empty:hidden print:mt-4">
							{payable ? <UnpaidNotice status={order.status} error={unpaid} /> : <Outcome {...props} />}
						</div>
					</div>
					<div className="mt-8 mb-10 empty:hidden print:my-4">
						<OrderPromise {...props} />
						{props.addresses && <AddressForm addresses={props.addresses} refused={correction} />}
					</div>
					{props.watch && (
						<ExtractWatchSection
							watch={props.watch}
							siren={order.siren}
							whose="votre"
							service={order.product_code}
							emails={props.watchEnded ? "ended" : "sent"}
						/>
					)}
				</>
			}
			summary={<Summary {...props} refusedLetter={refusedLetter} confirmed={confirmed} />}
		>
			<div className="flex flex-wrap gap-x-6 gap-y-2 border-t border-line py-8 print:hidden">
				<a className={button("secondary")} href={href("/suivi/:number", { number: order.order_number })}>
					Suivre ma commande
				</a>
				{confirmed && customerName !== null && <NextOrderButton />}
				<a className={button("quiet")} href={href("/")}>
					Retour à l’accueil
				</a>
			</div>
			<Section title={"Besoin d’aide\u00a0?"}>
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
			</Section>
		</OrderColumns>
	);
}

function Summary({
	order,
	sentTo,
	letter,
	reference,
	customerName,
	letterTo,
	refusedLetter,
	confirmed,
}: ConfirmedOrderProps & { refusedLetter: RefusedLetter | null; confirmed: boolean }) {
	const postal = isPosted(order.product_code);
	return (
		<>
			<DescriptionList
				rows={[
					["Entreprise", order.company_name],
					["SIREN", <Siren key="siren" value={order.siren} />],
					["Votre référence", reference],
					["Service", services[order.product_code].name],
					["Livraison", postal ? <LetterDelivery key="letter" lines={letter} /> : `Par e-mail à ${sentTo.join(" et à ")}`],
					["Montant payé", confirmed && order.price_cents !== null ? formatEuros(order.price_cents) : null],
					["Client", customerName],
					["E-mail", postal ? order.customer_email : null],
				]}
			/>
			<p className="mt-4 text-sm break-words text-soft">
				{confirmed && order.status !== "completed" && `Un e-mail de confirmation vient d’être envoyé à ${order.customer_email}. `}
				Conservez votre numéro de commande{"\u00a0"}: avec votre <span className="whitespace-nowrap">e-mail</span>, il permet de retrouver
				votre commande.
				{confirmed && customerName !== null && (
					<>
						{" "}
						<a className="link" href={href("/mes-commandes")}>
							Mes commandes
						</a>{" "}
						réunit toutes vos commandes et vos factures, sans mot de passe.
					</>
				)}
			</p>
			{letterTo && <LetterForm number={order.order_number} letterTo={letterTo} refused={refusedLetter} />}
		</>
	);
}

/** The document with what to do next, or the tracking number of a letter; nothing while either is awaited. */
function Outcome({ order, arrival, extractUrl, extractName, invoiceUrl, forwardUrl }: ConfirmedOrderProps) {
	if (extractUrl) {
		return (
			<p className="flex flex-wrap items-center gap-x-6 gap-y-3 print:hidden">
				<a className={button("primary")} href={extractUrl} target="_blank" rel="noopener">
					{extractName === "extrait Kbis" ? "Télécharger le KBIS" : `Télécharger l’${extractName}`}
				</a>
				{invoiceUrl && (
					<a className={button("quiet")} href={invoiceUrl} target="_blank" rel="noopener">
						Télécharger la facture
					</a>
				)}
				{forwardUrl && (
					<a className={button("quiet")} href={forwardUrl}>
						Transférer
					</a>
				)}
			</p>
		);
	}
	if (!order.tracking_number) return null;
	return (
		<>
			<p>
				<TrackingNumber number={order.tracking_number} />
			</p>
			{arrival && <p>{arrival}</p>}
		</>
	);
}
