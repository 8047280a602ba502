import { Form } from "react-router";
import type { CardSentences } from "../../catalogue/means-of-payment.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { type ServiceCode, services } from "../../catalogue/services.ts";
import { ConsentFields } from "../../order-form/fields/consent-fields.tsx";
import type { FormNotice } from "../../order-form/form-notices.ts";
import type { OrderErrors } from "../../order-form/order-form.ts";
import { formatExtractCount } from "../../orders/order.ts";
import { PurchaseSummary } from "../../purchase-form/purchase-summary.tsx";
import { button } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";
import { Steps } from "../../ui/steps.tsx";
import { RecipientSection } from "./ordered-sections.tsx";
import { AcceptedCards, PayButton, PaymentFrame } from "./payment-card.tsx";
import { describeClosedPayment, PaymentFooter, PaymentNotices } from "./payment-page.tsx";
import type { PaidLine, PurchasePayment } from "./purchase-payment.server.ts";

export interface PurchasePaymentPageProps extends PurchasePayment {
	editUrl: string;
	/** The form has no consents: this page shows the boxes. */
	asksConsents: boolean;
	/** The idempotency key of the form. */
	idempotencyKey: string;
	/** What the server says beside the orders. */
	notices: readonly FormNotice[];
	cards: CardSentences;
	/** The refusal of the last submit, with the key of the next one. `lost`: lines that cannot be ordered any more. */
	refusal: { error: string; errors: OrderErrors; idempotencyKey: string | null; lost?: string[] } | undefined;
}

/** Several orders before their payment. */
export function PurchasePaymentPage(page: PurchasePaymentPageProps) {
	const { lines, totals, customer, cards, editUrl, refusal, asksConsents } = page;
	const lost = refusal?.lost ?? page.lost;
	return (
		<Page width="page" className="max-sm:pt-5">
			<Steps current={2} title="Paiement" />
			<Title>Paiement</Title>
			<PurchaseNotices {...page} lost={lost} />
			<Form method="post" noValidate className="lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_1fr] lg:gap-x-16">
				<div className="min-w-0 max-lg:max-w-form">
					<input type="hidden" name="key" value={refusal?.idempotencyKey ?? page.idempotencyKey} />
					<input type="hidden" name="amount" value={totals.price} />
					<section className="border-t border-line pt-2 pb-10 lg:pt-4">
						<div className="mb-3 flex flex-wrap items-center justify-between gap-x-4">
							<h2 className="text-xl">Votre commande de {formatExtractCount(lines.length)}</h2>
							<a className="link inline-flex min-h-11 items-center" href={editUrl}>
								Modifier ma commande
							</a>
						</div>
						<PaidLines lines={lines} />
						{page.noticeSource && <p className="pt-3 text-sm text-soft">Annonces publiées. {page.noticeSource}</p>}
					</section>
					<RecipientSection {...page} />
					{asksConsents && (
						<Section title="Votre accord">
							<ConsentFields errors={refusal?.errors ?? {}} />
						</Section>
					)}
				</div>
				<PaymentFrame invoiced={customer.invoiced} cards={cards}>
					<PurchaseSummary totals={totals} />
					<p className="mt-1 text-sm text-soft">TVA de 20&nbsp;% incluse. Aucun abonnement.</p>
					{totals.services.map(({ code }) => (
						<Notice key={code} kind="done" title={describeGuarantee(code, totals.services.length)} className="mt-3" />
					))}
					<AcceptedCards cards={cards} />
					{lost.length === 0 && totals.deadline !== null ? (
						<PayButton price={totals.price} />
					) : (
						<a href={editUrl} className={button("primary", "mt-3 w-full sm:mt-4")}>
							Modifier ma commande
						</a>
					)}
				</PaymentFrame>
				<PaymentFooter />
			</Form>
		</Page>
	);
}

/** Beside other services, a guarantee names its own. */
const describeGuarantee = (code: ServiceCode, used: number): string =>
	used > 1 ? `${services[code].name}. ${services[code].highlight}` : services[code].highlight;

function PurchaseNotices({ refusal, notices, closed, hasOther, lost }: PurchasePaymentPageProps) {
	const errors = Object.entries(refusal?.errors ?? {}).map(([field, message]) => ({ field, message }));
	return (
		<div className="max-w-form">
			<ErrorSummary errors={errors} />
			{!refusal && <PaymentNotices notices={notices} />}
			{lost.length > 0 && (
				<Notice
					kind="failed"
					title={lost.length === 1 ? "Une ligne ne peut plus être commandée." : `${lost.length} lignes ne peuvent plus être commandées.`}
					live
					className="mb-8"
				>
					{lost.map((sentence) => (
						<p key={sentence}>{sentence}</p>
					))}
					<p>Rien n’a été débité, et votre saisie est conservée. Modifiez votre commande pour continuer.</p>
				</Notice>
			)}
			{closed && lost.length === 0 && (
				<Notice kind="warning" title={closed} live className="mb-8">
					<p>{describeClosedPayment(hasOther)}</p>
				</Notice>
			)}
			{refusal && !closed && lost.length === 0 && errors.length === 0 && (
				<Notice kind="failed" title={refusal.error} live className="mb-8">
					<p>Votre saisie est conservée. Vous pouvez corriger votre commande ou réessayer.</p>
				</Notice>
			)}
		</div>
	);
}

function PaidLines({ lines }: { lines: readonly PaidLine[] }) {
	return (
		<ol className="divide-y divide-line border-y border-line">
			{lines.map(({ place, name, siren, reference, service, notices }) => (
				<li key={place} className="py-2">
					<div className="flex items-baseline justify-between gap-4">
						<span className="min-w-0">
							<strong className="break-words">{name}</strong>{" "}
							<span className="text-sm text-soft">
								SIREN <Siren value={siren} />
								{reference && `\u00a0· ${reference}`}
							</span>
						</span>
						<span className="figures text-right text-sm">
							{services[service].name} <span className="whitespace-nowrap">{formatEuros(services[service].price)}</span>
						</span>
					</div>
					{notices.map((notice) => (
						<p key={notice} className="mt-1 border-l-2 border-waiting pl-3 text-sm">
							{notice}
						</p>
					))}
				</li>
			))}
		</ol>
	);
}
