import { useState } from "react";
import { Form, href } from "react-router";
import type { Deadline } from "../../catalogue/deadlines.ts";
import type { CardSentences } from "../../catalogue/means-of-payment.ts";
import { services } from "../../catalogue/services.ts";
import { CompanyNoticeList } from "../../companies/company-notice-list.tsx";
import { ConsentFields } from "../../order-form/fields/consent-fields.tsx";
import type { FormNotice } from "../../order-form/form-notices.ts";
import type { OrderErrors } from "../../order-form/order-form.ts";
import { button } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { PrivateService } from "../../ui/private-service.tsx";
import { Steps } from "../../ui/steps.tsx";
import type { NoPayment } from "./no-payment.ts";
import { OrderedSections, type OrderedSectionsProps } from "./ordered-sections.tsx";
import { PaymentCard } from "./payment-card.tsx";

interface PaymentPageProps extends OrderedSectionsProps {
	/** Of the service, if the customer pays now. */
	deadline: Deadline;
	/** Why the service cannot be ordered now. */
	closed: string | null;
	/** Another service can be ordered now. */
	hasOther: boolean;
	/** The form has no consents: this page shows the boxes. */
	asksConsents: boolean;
	/** The idempotency key of this visit's order. */
	idempotencyKey: string;
	/** What the server says beside the order. */
	notices: readonly FormNotice[];
	cards: CardSentences;
	/** The refusal of the last submit, with the key of the next one. */
	refusal: { error: string; errors: OrderErrors; closed: boolean; hasOther?: boolean; idempotencyKey: string | null } | undefined;
}

/** @param hasOther another service can be ordered now. */
export const describeClosedPayment = (hasOther: boolean): string =>
	`Rien n’a été débité, et votre saisie est conservée. ${hasOther ? "Vous pouvez choisir un autre service, ou revenir plus tard." : "Revenez plus tard."}`;

const closedNow: Deadline = { text: "indisponible pour le moment", open: false };

/** The order before its payment: product, customer, and the button to the provider's page. */
export function PaymentPage({ refusal, ...loaded }: PaymentPageProps) {
	// in the browser, a refusal comes without the loader's data
	const refusedFor = refusal?.closed ? refusal.error : null;
	const step = refusal && refusedFor ? { ...loaded, closed: refusedFor, hasOther: refusal.hasOther === true, deadline: closedNow } : loaded;
	const { company, notices, closed, hasOther } = step;
	const errors = Object.entries(refusal?.errors ?? {}).map(([field, message]) => ({ field, message }));
	return (
		<Page width="page" className="max-sm:pt-5">
			<div className="max-sm:-mb-3">
				<Steps current={2} title="Paiement" />
			</div>
			<div className="max-w-form max-sm:-mb-3 max-sm:[&_h1]:text-xl">
				<Title>Paiement</Title>
			</div>
			<div className="max-w-form">
				<ErrorSummary errors={errors} />
				{!refusal && <PaymentNotices notices={notices} />}
				{closed && (
					<Notice kind="warning" title={closed} live className="mb-8">
						<p>{describeClosedPayment(hasOther)}</p>
					</Notice>
				)}
				{refusal && !closed && errors.length === 0 && (
					<Notice kind="failed" title={refusal.error} live className="mb-8">
						<p>Votre saisie est conservée. Vous pouvez corriger votre commande ou réessayer.</p>
					</Notice>
				)}
				<CompanyNoticeList notices={company.notices} className="mb-8" />
			</div>
			{company.eligibility === "none" ? (
				<div className="max-w-form">
					<OrderedSections {...step} />
				</div>
			) : (
				<PaymentForm {...step} refusal={refusal} />
			)}
		</Page>
	);
}

/** On wide screens the order stands at the left and the card with the button beside it; on narrow ones in one column. */
function PaymentForm({ idempotencyKey, refusal, ...step }: PaymentPageProps) {
	const { customer, deadline, asksConsents, cards } = step;
	const service = services[step.service];
	// the first key stays until a refusal gives another: a new submit after an error never places a second order
	const [first] = useState(refusal?.idempotencyKey ?? idempotencyKey);
	const key = refusal?.idempotencyKey ?? first;
	return (
		<Form method="post" noValidate className="lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_1fr] lg:gap-x-16">
			<div className="min-w-0 max-lg:max-w-form">
				<input type="hidden" name="key" value={key} />
				<input type="hidden" name="amount" value={service.price} />
				<OrderedSections {...step} />
				{asksConsents && (
					<Section title="Votre accord" className="max-sm:pt-4 max-sm:pb-5">
						<ConsentFields errors={refusal?.errors ?? {}} />
					</Section>
				)}
			</div>
			<PaymentCard
				service={service}
				invoiced={customer.invoiced}
				deadline={deadline}
				cards={cards}
				otherUrl={step.hasOther ? step.editUrl : null}
			/>
			<PaymentFooter />
		</Form>
	);
}

export function PaymentNotices({ notices }: { notices: readonly FormNotice[] }) {
	return notices.map(({ kind, title, text }) => (
		<Notice key={title} kind={kind} title={title} live className="mb-8">
			<p>{text}</p>
		</Notice>
	));
}

/** Private service, terms and data protection. */
export function PaymentFooter() {
	return (
		<div className="min-w-0 max-lg:max-w-form max-lg:mt-6 lg:border-t lg:border-line lg:pt-6">
			<PrivateService short />
			<p className="mt-4 flex flex-wrap gap-x-6 text-sm text-soft">
				<a className="link inline-flex min-h-11 items-center" href={href("/cgv")}>
					Conditions générales de vente
				</a>
				<a className="link inline-flex min-h-11 items-center" href={href("/politique-rgpd")}>
					Protection des données
				</a>
			</p>
		</div>
	);
}

/** In place of the payment of an order that cannot be paid by this link. */
export function NoPaymentPage({ title, lead, text, links: [first, ...others] }: NoPayment) {
	return (
		<Page width="form">
			<Title lead={lead}>{title}</Title>
			{text && <p className="mb-8">{text}</p>}
			<p className="flex flex-wrap items-center gap-6">
				<a className={button("primary")} href={first.href}>
					{first.label}
				</a>
				{others.map(({ href, label }) => (
					<a key={href} className={button("secondary")} href={href}>
						{label}
					</a>
				))}
			</p>
		</Page>
	);
}
