import { useState } from "react";
import { Form, href } from "react-router";
import type { Deadline } from "../../catalogue/deadlines.ts";
import type { CardSentences } from "../../catalogue/means-of-payment.ts";
import { CompanyNoticeList } from "../../companies/company-notice-list.tsx";
import { button } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { PrivateService } from "../../ui/private-service.tsx";
import { Steps } from "../../ui/steps.tsx";
import { ConsentFields } from "../form/fields/consent-fields.tsx";
import { FormNoticeList } from "../form/form-notice-list.tsx";
import type { FormNotice } from "../form/form-notices.ts";
import type { OrderErrors } from "../form/order-form.ts";
import type { PaymentDetails } from "./describe-payment.server.ts";
import type { NoPayment } from "./no-payment.ts";
import { OrderedLines, RecipientSection } from "./ordered-lines.tsx";
import { PaymentCard } from "./payment-card.tsx";

interface PaymentPageProps extends Omit<PaymentDetails, "otherName"> {
	/** The form with the same content. */
	editUrl: string;
	/** The form has no consents: this page shows the boxes. */
	asksConsents: boolean;
	/** The idempotency key of this visit's purchase. */
	idempotencyKey: string;
	/** What the server says beside the order. */
	notices: readonly FormNotice[];
	cards: CardSentences;
	/** The refusal of the last submit, with the key of the next one. In the browser, it comes without the loader's data. */
	refusal: PaymentRefusal | undefined;
}

export interface PaymentRefusal {
	error: string;
	errors: OrderErrors;
	/** A service cannot be ordered now. */
	closed: boolean;
	hasOther: boolean;
	idempotencyKey: string | null;
	/** The title, and the sentences, of lines that cannot be ordered any more. */
	lost: string[];
	/** What is shown from now on, where another amount or hour was shown. */
	now: Pick<PaymentDetails, "totals" | "deadlines"> | null;
}

/** @param hasOther another service can be ordered now. */
const describeClosedPayment = (hasOther: boolean): string =>
	`Rien n’a été débité, et votre saisie est conservée. ${hasOther ? "Vous pouvez choisir un autre service, ou revenir plus tard." : "Revenez plus tard."}`;

const closedNow: Deadline = { text: "indisponible pour le moment", open: false };

/** What is ordered, by whom, and the button to the provider's page. */
export function PaymentPage({ refusal, ...loaded }: PaymentPageProps) {
	const { lines, notices, customer, editUrl, asksConsents, cards } = loaded;
	const isOne = lines.length === 1;
	const lost = refusal && refusal.lost.length > 0 ? refusal.lost : loaded.lost;
	const closed = refusal?.closed ? refusal.error : loaded.closed;
	const hasOther = refusal?.closed ? refusal.hasOther : loaded.hasOther;
	const { totals, deadlines } = refusal?.closed ? closeAll(loaded) : { ...loaded, ...refusal?.now };
	const errors = Object.entries(refusal?.errors ?? {}).map(([field, message]) => ({ field, message }));
	// the first key stays until a refusal gives another: a new submit after an error never places a second order
	const [first] = useState(refusal?.idempotencyKey ?? loaded.idempotencyKey);
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
				{!refusal && <FormNoticeList notices={notices} />}
				{lost.length > 0 && <LostLines lost={lost} />}
				{closed && lost.length === 0 && (
					<Notice kind="warning" title={closed} live className="mb-8">
						<p>{describeClosedPayment(hasOther)}</p>
					</Notice>
				)}
				{refusal && !closed && lost.length === 0 && errors.length === 0 && (
					<Notice kind="failed" title={refusal.error} live className="mb-8">
						<p>
							{refusal.now
								? "Rien n’a été débité. Si le prix et l’heure affichés vous conviennent, confirmez de nouveau."
								: "Votre saisie est conservée. Vous pouvez corriger votre commande ou réessayer."}
						</p>
					</Notice>
				)}
				{isOne && <CompanyNoticeList notices={lines[0]?.notices ?? []} className="mb-8" />}
			</div>
			{lines.length === 0 ? (
				<a className={button("primary", "mb-8")} href={editUrl}>
					Modifier ma commande
				</a>
			) : loaded.noExtract ? (
				<div className="max-w-form">
					<OrderedLines {...loaded} noticeSource={null} />
					<RecipientSection customer={customer} editUrl={editUrl} />
				</div>
			) : (
				<Form method="post" noValidate className="lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_1fr] lg:gap-x-16">
					<div className="min-w-0 max-lg:max-w-form">
						<input type="hidden" name="key" value={refusal?.idempotencyKey ?? first} />
						<input type="hidden" name="amount" value={totals.price} />
						<input type="hidden" name="until" value={totals.until ?? ""} />
						<OrderedLines {...loaded} />
						<RecipientSection customer={customer} editUrl={editUrl} />
						{asksConsents && (
							<Section title="Votre accord" className="max-sm:pt-4 max-sm:pb-5">
								<ConsentFields errors={refusal?.errors ?? {}} />
							</Section>
						)}
					</div>
					<PaymentCard
						invoiced={customer.invoiced}
						totals={totals}
						deadlines={deadlines}
						cards={cards}
						payable={lost.length === 0 && closed === null}
						other={describeOther({ isOne, hasOther, editUrl })}
					/>
					<PaymentFooter />
				</Form>
			)}
		</Page>
	);
}

/** The page was drawn before its services were closed: its hours hold no more. */
const closeAll = ({ totals, deadlines }: Pick<PaymentDetails, "totals" | "deadlines">) => ({
	totals: { ...totals, deadlineNote: null, services: totals.services.map((service) => ({ ...service, deadline: null })) },
	deadlines: { ...deadlines, ...Object.fromEntries(totals.services.map(({ code }) => [code, closedNow])) },
});

function describeOther({ isOne, hasOther, editUrl }: { isOne: boolean; hasOther: boolean; editUrl: string }) {
	if (!isOne) return { label: "Modifier ma commande", url: editUrl };
	return hasOther ? { label: "Choisir un autre service", url: editUrl } : null;
}

function LostLines({ lost: [title, ...sentences] }: { lost: readonly string[] }) {
	return (
		<Notice kind="failed" title={title} live className="mb-8">
			{sentences.map((sentence) => (
				<p key={sentence}>{sentence}</p>
			))}
		</Notice>
	);
}

/** Private service, terms and data protection. */
function PaymentFooter() {
	return (
		<div className="min-w-0 max-lg:max-w-form max-lg:mt-6 lg:border-t lg:border-line lg:pt-6">
			<PrivateService />
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
