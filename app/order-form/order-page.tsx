import { useState } from "react";
import { Form, href, useNavigation, useNavigationType } from "react-router";
import type { Deadlines } from "../catalogue/deadlines.ts";
import type { CompanyPreview } from "../companies/company.ts";
import { Breadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { Icon } from "../ui/icon.tsx";
import { KbisNeedLink } from "../ui/kbis-need-link.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Title } from "../ui/page.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { Steps } from "../ui/steps.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";
import { type Draft, loadDraft } from "./draft.ts";
import { DraftNotice } from "./draft-notice.tsx";
import { LaterFormFields } from "./fields/later-form-fields.tsx";
import type { FormNotice } from "./form-notices.ts";
import { type FormState, noFindings } from "./form-state.ts";
import type { OrderValues } from "./order-form.ts";
import { ChangeSelection, OrderSummary } from "./order-summary.tsx";
import { type OrderFormStart, useOrderForm } from "./use-order-form.ts";

interface OrderPageProps {
	values: OrderValues;
	company: CompanyPreview | null;
	/** The company is in the page's URL and cannot be changed. */
	fixed: boolean;
	/** False: the service is only suggested, and must be confirmed. */
	serviceGiven: boolean;
	/** What the server says of the link: of its service, of its stored form. */
	notices: readonly FormNotice[];
	deadlines: Deadlines;
	/** Claims that hold for this installation: « Traitement sécurisé ». */
	assurances: readonly string[];
	/** How the order can be paid (docs/rules.md, R200). */
	meansOfPayment: string;
	/** The result of the last submit, with a unique id. */
	answer: Answer | undefined;
}

type Answer = Omit<FormState, "unseen" | "added"> & { id: string; values: OrderValues; company: CompanyPreview | null };

/** The order form of both entries. Its fields are uncontrolled: a restored draft or a new result remounts them. */
export function OrderPage({ values, company, fixed, serviceGiven, answer, ...page }: OrderPageProps) {
	const fillFrom = (saved: Draft) => ({
		values: { ...values, ...saved.values, ...(fixed && { siren: values.siren, service: values.service }) },
		company: saved.company ?? company,
	});
	// the back button of the payment page: the browser draws the form anew, and the customer expects what they typed
	const drawnHere = useHydrated();
	const cameBack = useNavigationType() === "POP" && drawnHere;
	const [draft, setDraft] = useState(() => {
		const saved = cameBack ? loadDraft() : null;
		return saved && { ...fillFrom(saved), asked: false };
	});
	const start = answer
		? { ...answer, submitted: true }
		: { ...noFindings, values, company, ...draft, id: draft ? "draft" : "first", submitted: false };
	return (
		<OrderForm
			key={start.id}
			{...page}
			values={start.values}
			errors={start.errors}
			company={fixed ? company : start.company}
			doubtful={start.doubtful}
			suggestions={start.suggestions}
			answer={start}
			fixed={fixed}
			serviceGiven={serviceGiven || answer !== undefined || draft !== null}
			offersDraft={!answer && !draft && values.email === ""}
			restored={!answer && draft?.asked === true}
			onRestore={(saved) => setDraft({ ...fillFrom(saved), asked: true })}
		/>
	);
}

interface OrderFormProps extends OrderFormStart, Pick<OrderPageProps, "fixed" | "notices" | "deadlines" | "assurances" | "meansOfPayment"> {
	/** `submitted`: the page answers a submit. */
	answer: Answer & { submitted: boolean };
	/** Offers the draft of an earlier visit. */
	offersDraft: boolean;
	onRestore: (draft: Draft) => void;
}

function OrderForm({ answer, fixed, notices, deadlines, offersDraft, onRestore, ...start }: OrderFormProps) {
	const { form, errors, summary, company, orderable, service, serviceConfirmed, draft, doubtful, ...handlers } = useOrderForm(start);
	const { values } = start;
	const offered = offersDraft ? draft.offered : null;
	return (
		<Page width="page" className={`max-sm:pt-5 ${offered ? "pb-28" : ""}`}>
			<OrderHeader fixed={fixed} meansOfPayment={start.meansOfPayment} />
			<ErrorSummary errors={Object.entries(summary).map(([field, message]) => ({ field, message }))} />
			<FormNotices refusal={answer.refusal} notices={answer.submitted ? [] : notices.filter(({ unless }) => unless !== service)} />
			{offered && <DraftNotice onRestore={() => onRestore(offered)} onDelete={draft.delete} />}
			<div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
				<Form
					ref={form}
					method="post"
					noValidate
					className="min-w-0 max-sm:[&_h2]:mb-3 max-sm:[&_section]:pt-5 max-sm:[&_section]:pb-6"
					onInput={(event) => handlers.edited((event.target as HTMLInputElement).name)}
					onSubmit={handlers.submit}
				>
					{/* Enter in a field continues to payment, never a search for the company */}
					<button type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
					<LaterFormFields
						ready={handlers.ready}
						values={values}
						answer={answer}
						doubtful={doubtful}
						errors={errors}
						company={company}
						fixed={fixed}
						service={service}
						serviceConfirmed={serviceConfirmed}
						deadlines={deadlines}
						remembered={handlers.remembered}
						lastIdentity={handlers.lastIdentity}
						onPick={handlers.chooseCompany}
						onChooseService={handlers.chooseService}
						onFill={handlers.fill}
						onEdit={handlers.edited}
						onDeleteRemembered={handlers.deleteRemembered}
					/>
					<SubmitBar draftSaved={draft.saved} assurances={start.assurances} />
					<PrivateService short className="mt-8" />
				</Form>
				<OrderSummary order={{ company: orderable, service, deadline: deadlines[service] }}>
					{fixed && orderable && <ChangeSelection siren={orderable.siren} service={service} />}
				</OrderSummary>
			</div>
		</Page>
	);
}

function OrderHeader({ fixed, meansOfPayment }: { fixed: boolean; meansOfPayment: string }) {
	return (
		<>
			<div className="max-sm:-mb-3">
				<Steps current={1} title="Informations client" />
			</div>
			<div className="max-sm:hidden">
				<Breadcrumb
					places={[{ label: "Accueil", href: href("/") }, { label: "Commander", href: href("/commande") }, { label: "Informations" }]}
				/>
			</div>
			<div className="max-sm:-mb-3 max-sm:[&_h1]:text-xl">
				<Title>Finaliser votre commande KBIS</Title>
			</div>
			{!fixed && <KbisNeedLink className="-mt-4 mb-6" />}
			<p className="mb-3 text-sm text-soft">{meansOfPayment}</p>
		</>
	);
}

/** What the server said about a form without wrong fields. */
function FormNotices({ refusal, notices }: { refusal: string | null; notices: readonly FormNotice[] }) {
	const answers = refusal ? [{ kind: "failed" as const, title: refusal, text: "Votre saisie est conservée." }] : notices;
	return answers.map(({ kind, title, text }) => (
		<Notice key={title} kind={kind} title={title} live className="mb-8">
			<p>{text}</p>
		</Notice>
	));
}

function SubmitBar({ draftSaved, assurances }: { draftSaved: boolean; assurances: readonly string[] }) {
	const busy = useNavigation().state !== "idle";
	return (
		<>
			<div className="flex flex-wrap items-center gap-4">
				<button type="submit" className={button("primary", "max-sm:w-full")} disabled={busy}>
					{busy ? "Traitement en cours..." : "Continuer vers le paiement"}
				</button>
				<span role="status" className="text-sm text-soft">
					{draftSaved && "✓ Brouillon enregistré"}
				</span>
			</div>
			<ul className="mt-4 flex flex-wrap gap-x-8 gap-y-2 text-sm text-soft">
				{assurances.map((assurance) => (
					<li key={assurance} className="inline-flex items-center gap-2">
						<Icon name="lock" /> {assurance}
					</li>
				))}
			</ul>
		</>
	);
}
