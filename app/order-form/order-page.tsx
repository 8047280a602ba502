import { useState } from "react";
import { Form, href, useNavigation } from "react-router";
import { isPosted, type ServiceCode } from "../catalogue/services.ts";
import type { CompanyPreview } from "../companies/company.ts";
import { Breadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { Icon } from "../ui/icon.tsx";
import { KbisNeedLink } from "../ui/kbis-need-link.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { Steps } from "../ui/steps.tsx";
import type { OrderFormState } from "./answer-order-form.server.ts";
import { BillingFields } from "./billing-fields.tsx";
import { CompanyPicker } from "./company-picker.tsx";
import type { Draft } from "./draft.ts";
import type { OrderValues } from "./order-form.ts";
import { ConsentFields, ContactFields, PreferenceFields } from "./order-form-fields.tsx";
import { OrderSummary } from "./order-summary.tsx";
import { ServiceChoice } from "./service-choice.tsx";
import { type OrderFormStart, useOrderForm } from "./use-order-form.ts";

interface OrderPageProps {
	values: OrderValues;
	company: CompanyPreview | null;
	/** The company is in the page's URL and cannot be changed. */
	fixed: boolean;
	/** False: the service is only suggested, and must be confirmed. */
	serviceGiven: boolean;
	deadlines: Record<ServiceCode, string>;
	/** Claims that hold for this installation: « Traitement sécurisé ». */
	assurances: readonly string[];
	/** The result of the last submit, with a unique id. */
	answer: (OrderFormState & { id: string }) | undefined;
}

/** The order form of both entries. Its fields are uncontrolled: a restored draft or a new result remounts them. */
export function OrderPage({ values, company, fixed, serviceGiven, deadlines, assurances, answer }: OrderPageProps) {
	const [draft, setDraft] = useState<Pick<OrderPageProps, "values" | "company"> | null>(null);
	const start = answer ?? { values, company, ...draft, errors: {}, found: null, id: draft ? "draft" : "first" };
	return (
		<OrderForm
			key={start.id}
			values={start.values}
			errors={start.errors}
			company={fixed ? company : start.company}
			found={start.found}
			fixed={fixed}
			deadlines={deadlines}
			serviceGiven={serviceGiven || answer !== undefined || draft !== null}
			assurances={assurances}
			offersDraft={!answer && !draft && values.email === ""}
			restored={!answer && draft !== null}
			onRestore={(saved) =>
				setDraft({
					values: { ...values, ...saved.values, ...(fixed && { siren: values.siren, service: values.service }) },
					company: saved.company ?? company,
				})
			}
		/>
	);
}

interface OrderFormProps extends OrderFormStart, Pick<OrderPageProps, "fixed" | "deadlines" | "assurances"> {
	found: OrderFormState["found"];
	/** Offers the draft of an earlier visit. */
	offersDraft: boolean;
	onRestore: (draft: Draft) => void;
}

function OrderForm({ found, fixed, deadlines, assurances, offersDraft, onRestore, ...start }: OrderFormProps) {
	const { form, errors, summary, company, orderable, service, serviceConfirmed, draft, ...handlers } = useOrderForm(start);
	return (
		<Page width="page">
			<OrderHeader assurances={assurances} />
			<ErrorSummary errors={Object.entries(summary).map(([field, message]) => ({ field, message }))} />
			{offersDraft && draft.offered && <DraftNotice draft={draft.offered} onRestore={onRestore} onDiscard={draft.discard} />}
			<div className="grid gap-10 lg:grid-cols-[1fr_22rem]">
				<Form
					ref={form}
					method="post"
					noValidate
					className="order-2 min-w-0 lg:order-1"
					onInput={(event) => handlers.edited((event.target as HTMLInputElement).name)}
					onSubmit={handlers.submit}
				>
					{/* Enter in a field continues to payment, never a search for the company */}
					<button type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
					<Section title={<>Service {!serviceConfirmed && <span className="font-sans text-sm text-soft">à confirmer</span>}</>}>
						<ServiceChoice chosen={service} deadlines={deadlines} onChoose={handlers.chooseService} />
					</Section>
					<Section title="Entreprise">
						<CompanyPicker chosen={company} fixed={fixed} found={found} error={errors.siren} onPick={handlers.chooseCompany} />
					</Section>
					<Section title="Contact Principal">
						<ContactFields values={start.values} errors={errors} />
					</Section>
					<Section title="Adresse de Facturation">
						<BillingFields values={start.values} errors={errors} postal={isPosted(service)} onCity={() => handlers.edited("city")} />
					</Section>
					<Section title="Préférences">
						<PreferenceFields values={start.values} />
					</Section>
					<Section title="Votre accord">
						<ConsentFields errors={errors} />
						<PrivacyNote />
					</Section>
					<PrivateService short className="mb-6" />
					<SubmitBar draftSaved={draft.saved} />
				</Form>
				<div className="order-1 lg:order-2">
					<OrderSummary order={{ company: orderable, service, deadline: deadlines[service] }}>
						{fixed && orderable && (
							<a
								className="link mt-4 inline-flex min-h-11 items-center"
								href={`${href("/entreprise/:siren", { siren: orderable.siren })}?back=true&service=${service}`}
							>
								Modifier ma sélection
							</a>
						)}
					</OrderSummary>
				</div>
			</div>
		</Page>
	);
}

function OrderHeader({ assurances }: Pick<OrderPageProps, "assurances">) {
	return (
		<>
			<Steps current={1} title="Informations client" />
			<Breadcrumb
				places={[{ label: "Accueil", href: href("/") }, { label: "Commander", href: href("/commande") }, { label: "Informations" }]}
			/>
			<Title>Finaliser votre commande KBIS</Title>
			<KbisNeedLink className="-mt-4 mb-6" />
			<ul className="mb-8 flex flex-wrap gap-x-8 gap-y-2 text-sm text-soft">
				{assurances.map((assurance) => (
					<li key={assurance} className="inline-flex items-center gap-2">
						<Icon name="lock" /> {assurance}
					</li>
				))}
			</ul>
		</>
	);
}

interface DraftNoticeProps {
	draft: Draft;
	onRestore: (draft: Draft) => void;
	onDiscard: () => void;
}

function DraftNotice({ draft, onRestore, onDiscard }: DraftNoticeProps) {
	return (
		<Notice title="Reprendre votre brouillon ?" className="mb-8">
			<div className="flex flex-wrap gap-x-6">
				<button type="button" className={button("quiet")} onClick={() => onRestore(draft)}>
					Reprendre
				</button>
				<button type="button" className={button("quiet")} onClick={onDiscard}>
					Supprimer le brouillon
				</button>
			</div>
		</Notice>
	);
}

function PrivacyNote() {
	return (
		<p className="mt-4 text-sm text-soft">
			Vos données servent à traiter votre commande et à remplir nos obligations (facture, preuve, sécurité) ; à rien d’autre sans votre
			accord. Voyez la{" "}
			<a className="link" href={href("/politique-confidentialite")}>
				politique de confidentialité
			</a>{" "}
			et les{" "}
			<a className="link" href={href("/cgv")}>
				conditions générales
			</a>
			.
		</p>
	);
}

function SubmitBar({ draftSaved }: { draftSaved: boolean }) {
	const busy = useNavigation().state !== "idle";
	return (
		<div className="flex flex-wrap items-center gap-4">
			<button type="submit" className={button("primary", "max-sm:w-full")} disabled={busy}>
				{busy ? "Traitement en cours..." : "Continuer vers le paiement"}
			</button>
			<span role="status" className="text-sm text-soft">
				{draftSaved && "✓ Brouillon enregistré"}
			</span>
		</div>
	);
}
