import { Form, href } from "react-router";
import { guaranteePeriod, replyTime } from "../../../catalogue/after-sale.ts";
import { cancellableWhile } from "../../../catalogue/cancellation.ts";
import { formatInstant } from "../../../catalogue/instants.ts";
import { cents, formatEuros } from "../../../catalogue/money.ts";
import { isPosted, type Service, services } from "../../../catalogue/services.ts";
import { isFinal } from "../../../orders/lifecycle.ts";
import { ExtractWatchSection } from "../../../orders/watch/extract-watch-section.tsx";
import { button } from "../../../ui/button.tsx";
import { DescriptionList } from "../../../ui/description-list.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { ErrorSummary } from "../../../ui/error-summary.tsx";
import { TextAreaField } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Title } from "../../../ui/page.tsx";
import { Siren } from "../../../ui/siren.tsx";
import type { RefusedShare } from "../../sharing/share-form-errors.ts";
import { SharingSection } from "../../sharing/sharing-section.tsx";
import { AddressForm, CorrectedNotice, RefusedCorrectionSummary } from "../addresses/address-form.tsx";
import { LetterForm, RefusedLetterSummary } from "../addresses/letter-form.tsx";
import { ConfirmEmail } from "../confirm-email.tsx";
import { OrderHistory, OrderProgress, OrderStatusLabel } from "../order-state.tsx";
import { ContractLinks, QuitForm } from "../page-end.tsx";
import { formatDestination, type PagePart, pageParts } from "../page-parts.ts";
import { DisputedNotice, RefundedNotice, UnpaidNotice } from "../payment-notices.tsx";
import { FocusedNotice, Refusal } from "../refusal.tsx";
import type { RefusedRequest, sortRefusal } from "../refused-form.ts";
import { SpaceBreadcrumb } from "../space-breadcrumb.tsx";
import type { TrackedOrderData } from "./describe-tracked-order.server.ts";
import { LetterDelivery, OrderColumns, OrderNumber, TrackingNumber } from "./order-columns.tsx";
import { OrderDocuments } from "./order-documents.tsx";
import { OrderPromise } from "./order-promise.tsx";
import { getSheetOfLines } from "./order-sheet.tsx";

/** `quitKey`: of the form « Quitter ». `fromSpace`: « Mes commandes » opened it. */
export type TrackedOrderPage = TrackedOrderData & { quitKey: string; fromSpace: boolean };
type TrackedOrderProps = TrackedOrderPage & ReturnType<typeof sortRefusal>;

/** The tracking page of an order, with the requests that its customer may still make. */
export function TrackedOrderDetails({ refused, correction, refusedLetter, refusedShare, unpaid, ...described }: TrackedOrderProps) {
	const { order, progress, events, payable, access, cancelled, quitKey, fromSpace, correctedInvoice } = described;
	return (
		<OrderColumns
			state={
				<>
					<Title
						above={
							<>
								{fromSpace && <SpaceBreadcrumb />}
								<OrderPlace number={order.order_number} purchase={described.purchase} access={access} />
							</>
						}
						lead={<OrderStatusLabel status={order.status} cancelled={cancelled} />}
						drawing={getSheetOfLines([{ status: order.status, progress, requested: order.extract_requested_at !== null }])}
					>
						{order.company_name}
					</Title>
					{refused && <RefusedRequestSummary refused={refused} mayRepeat={described.may.askForRefund} />}
					{correction && <RefusedCorrectionSummary refused={correction} />}
					{refusedLetter && <RefusedLetterSummary refused={refusedLetter} />}
					{refusedShare && <RefusedShareSummary refused={refusedShare} />}
					{!refused && !correction && !refusedLetter && <CorrectedNotice notice={described.corrected} />}
					{!refused && correctedInvoice && (
						<FocusedNotice kind="done" title="Facture corrigée." message={correctedInvoice}>
							<p>{correctedInvoice}</p>
						</FocusedNotice>
					)}
					<div aria-live="polite">
						{/* once delivered, the sentence below says it: on phones the steps only delay the documents */}
						<div className={order.status === "completed" ? "max-sm:hidden" : undefined}>
							<OrderProgress {...described} />
						</div>
						{payable && (
							<div className="mt-8">
								<UnpaidNotice status={order.status} error={unpaid} />
							</div>
						)}
						<OrderNotices {...described} />
					</div>
					<div className="mt-8 empty:hidden print:mt-4">
						<OrderPromise {...described} />
						{order.tracking_number && (
							<p className="mt-2">
								<TrackingNumber number={order.tracking_number} />
								<span className="block">{described.arrival}</span>
							</p>
						)}
						{described.letterTo && described.letter && (
							<p className="mt-2 break-words">
								Destination{"\u00a0"}: {described.letter.join(", ")}.
							</p>
						)}
						{described.letterTo && <LetterForm number={order.order_number} letterTo={described.letterTo} refused={refusedLetter} />}
						{described.addresses && <AddressForm addresses={described.addresses} refused={correction} />}
					</div>
					<OrderDocuments {...described} />
					{(access === "link" || access === "purchase-link") && <ConfirmEmailOfOrder {...described} />}
					<SharingSection sharing={described.sharing} refused={refusedShare} />
					{described.watch && (
						<ExtractWatchSection
							watch={described.watch}
							siren={order.siren}
							whose="votre"
							service={order.product_code}
							emails={described.watchEnded ? "ended" : "sent"}
						/>
					)}
				</>
			}
			summary={<Summary {...described} refused={refused} />}
		>
			<section className="mb-8 print:hidden">
				<Disclosure title="Historique" className="border-y">
					<OrderHistory events={events} />
				</Disclosure>
			</section>
			<QuitForm number={order.order_number} quitKey={quitKey} />
		</OrderColumns>
	);
}

/** The number of the order and, when it was bought with others, the way to all of them. */
function OrderPlace({ number, purchase, access }: { number: string } & Pick<TrackedOrderData, "purchase" | "access">) {
	if (purchase === null)
		return (
			<>
				<OrderNumber number={number} />
				{access === "line" && (
					<>
						{" "}
						· ligne d’une commande groupée. Pour la voir entière, avec sa facture, cherchez-la par{" "}
						<a className="link" href={href("/suivi-commande")}>
							son propre numéro
						</a>
						, ou passez par{" "}
						<a className="link" href={href("/mes-commandes")}>
							vos commandes
						</a>
						.
					</>
				)}
			</>
		);
	return (
		<>
			<OrderNumber number={number} /> · ligne {purchase.line} sur {purchase.lines} de la{" "}
			<a className="link inline-flex min-h-11 items-center" href={href("/suivi/:number/commande-groupee", { number })}>
				commande groupée&nbsp;<span className="figures whitespace-nowrap">{purchase.number}</span>
			</a>
		</>
	);
}

function Summary({
	order,
	reference,
	letter,
	may,
	refused: refusal,
}: Omit<TrackedOrderProps, "unpaid" | "correction" | "refusedLetter" | "refusedShare">) {
	const service = services[order.product_code];
	const { price_cents: price, refunded_cents: refunded } = order;
	return (
		<>
			<DescriptionList
				rows={[
					["Référence", reference],
					["SIREN", <Siren key="siren" value={order.siren} />],
					["Service", service.name],
					["Livraison", letter && <LetterDelivery key="letter" lines={letter} />],
					["Commandé le", formatInstant(new Date(order.created_at))],
					["Total TTC", price === null ? null : formatEuros(price)],
					["Remboursé", refunded ? formatEuros(cents(refunded)) : null],
				]}
			/>
			{may.cancel && <CancelForm refundable={price === null ? null : price - (refunded ?? 0)} deliveryMethod={service.deliveryMethod} />}
			{may.askForRefund && <RefundRequestForm message={refusal?.message} />}
			<div className="mt-6 text-sm text-soft print:hidden">
				<ContractLinks number={order.order_number} mayWithdraw={may.withdraw} />
			</div>
		</>
	);
}

/** At the top of the page, because without JavaScript the page of a refused request begins there. */
function RefusedRequestSummary({ refused: { refused, message }, mayRepeat }: { refused: RefusedRequest; mayRepeat: boolean }) {
	if (message === undefined || !mayRepeat) return <Refusal sentence={refused} />;
	return <ErrorSummary errors={[{ field: "message", message: refused }]} />;
}

/** Why a link was not made, at the top of the page too. */
function RefusedShareSummary({ refused: { shareErrors, shareRefused } }: { refused: RefusedShare }) {
	return shareRefused === null ? <ErrorSummary errors={shareErrors} /> : <Refusal sentence={shareRefused} />;
}

/** What the customer's address opens here to who came by the link of an e-mail; the form leads back to the part of the page that shows it. */
function ConfirmEmailOfOrder({ order: { status, product_code }, pair, purchase }: TrackedOrderData) {
	const mayShare = pair.opensInvoices && status === "completed" && !isPosted(product_code);
	const opened: (readonly [what: string, part: PagePart])[] = [];
	if (pair.opensInvoices) opened.push(["voir vos factures", pageParts.documents]);
	if (mayShare) opened.push(["partager", pageParts.sharing]);
	if (status === "completed") opened.push(["demander un remboursement", pageParts.refund]);
	else if (!isFinal(status)) opened.push(["annuler", pageParts.cancel]);
	const [first] = opened;
	if (first === undefined) return null;
	const part = mayShare ? pageParts.sharing : first[1];
	return (
		<ConfirmEmail
			number={pair.number}
			destination={formatDestination({ page: purchase?.line ?? "order", part })}
			opens={opened.map(([what]) => what)}
		/>
	);
}

/** Notices about dispute, delay and refunds. */
function OrderNotices({ order, refundAskedAt, refundAwaited, invoiceAwaited, correctedInvoice }: TrackedOrderData) {
	const { refunded_cents: refunded } = order;
	return (
		<div className="mt-8 grid gap-4 empty:hidden">
			{order.disputed && <DisputedNotice />}
			{refundAwaited && (
				<Notice
					kind="waiting"
					title={
						refundAwaited.cents === null
							? "Le remboursement de cet extrait est en cours."
							: `Votre remboursement de ${formatEuros(cents(refundAwaited.cents))} est en cours.`
					}
				>
					<p>Il arrivera sur la carte utilisée pour le paiement. Un e-mail le confirmera, avec l’avoir.</p>
				</Notice>
			)}
			{refunded !== null && refunded > 0 && <RefundedNotice refunded={cents(refunded)} />}
			{invoiceAwaited && !correctedInvoice && (
				<Notice kind="waiting" title="Votre nouvelle facture est en préparation.">
					<p>Elle s’ajoute dans un instant à vos documents, avec l’avoir qui annule l’ancienne. Vous les recevez aussi par e-mail.</p>
				</Notice>
			)}
			{refundAskedAt && (
				<Notice kind="waiting" title={`Votre demande de remboursement est reçue (${formatInstant(new Date(refundAskedAt))}).`}>
					<p>Nous vérifions votre document et vous répondons par e-mail sous {replyTime}.</p>
				</Notice>
			)}
		</div>
	);
}

/** @param refundable the paid cents that are not refunded yet; null for those who may not see amounts. */
function CancelForm({ refundable, deliveryMethod }: { refundable: number | null; deliveryMethod: Service["deliveryMethod"] }) {
	return (
		<Disclosure title="Annuler la commande" className="mt-6 border-y print:hidden">
			{/* its id opens the fold for a link from the page of a purchase */}
			<Form id={pageParts.cancel} method="post" className="pb-4">
				<p className="mb-4 text-soft">
					{refundable === null
						? `Vous pouvez annuler ${cancellableWhile[deliveryMethod]}\u00a0: le prix de cet extrait sera remboursé immédiatement, sur la carte utilisée pour le paiement.`
						: `Vous pouvez annuler ${cancellableWhile[deliveryMethod]}\u00a0: vous serez remboursé immédiatement de ${formatEuros(cents(refundable))}, sur la carte utilisée pour le paiement.`}
				</p>
				<button type="submit" name="intent" value="cancel" className={button("secondary")}>
					Confirmer l’annulation
				</button>
			</Form>
		</Disclosure>
	);
}

function RefundRequestForm({ message }: { message: string | undefined }) {
	return (
		<Disclosure title={"Un problème avec votre extrait\u00a0?"} open={message !== undefined} className="mt-6 border-y print:hidden">
			<Form id={pageParts.refund} method="post" reloadDocument className="pb-4" noValidate>
				<TextAreaField
					name="message"
					label="Ce qui ne va pas"
					hint={`Vous avez ${guaranteePeriod} pour signaler un extrait erroné, incomplet ou inutilisable\u00a0: après vérification, nous vous remboursons. Nous vous répondons sous ${replyTime}.`}
					rows={4}
					defaultValue={message}
				/>
				<button type="submit" name="intent" value="ask-refund" className={button("secondary", "mt-4")}>
					Demander le remboursement
				</button>
			</Form>
		</Disclosure>
	);
}
