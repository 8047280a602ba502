import { useState } from "react";
import { Form, href, useNavigation } from "react-router";
import { formatEurosShort } from "../../catalogue/money.ts";
import { type Service, type ServiceCode, services } from "../../catalogue/services.ts";
import { type CompanyPreview, formatHeadOffice } from "../../companies/company.ts";
import { CompanyNoticeList } from "../../companies/company-notice-list.tsx";
import { type OrderErrors, type OrderValues, toOrderQuery } from "../../order-form/order-form.ts";
import { ConsentFields } from "../../order-form/order-form-fields.tsx";
import { PriceBreakdown } from "../../order-form/order-summary.tsx";
import { button } from "../../ui/button.tsx";
import { DescriptionList } from "../../ui/description-list.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { PrivateService } from "../../ui/private-service.tsx";
import { Siren } from "../../ui/siren.tsx";
import { Steps } from "../../ui/steps.tsx";

interface PaymentPageProps {
	values: OrderValues;
	service: ServiceCode;
	company: CompanyPreview;
	/** « lundi 23 novembre avant 10 h », if the customer pays now. */
	deadline: string;
	/** The query has no consents: this page shows the boxes. */
	asksConsents: boolean;
	/** The idempotency key of this visit's order. */
	idempotencyKey: string;
	/** Names of the accepted cards; null: the payment is simulated. */
	cards: readonly string[] | null;
	/** The refusal of the last submit. */
	refusal: { error: string; errors: OrderErrors; idempotencyKey: string | null } | undefined;
}

/** The order before its payment: product, customer, and the button to the provider's page. */
export function PaymentPage({ refusal, ...step }: PaymentPageProps) {
	const { values, service, company, deadline } = step;
	const errors = Object.entries(refusal?.errors ?? {}).map(([field, message]) => ({ field, message }));
	return (
		<Page width="form">
			<Steps current={2} title="Paiement" />
			<Title>Paiement</Title>
			<ErrorSummary errors={errors} />
			{refusal && errors.length === 0 && (
				<Notice kind="failed" title={refusal.error} live className="mb-8">
					<p>Votre saisie est conservée. Vous pouvez corriger votre commande ou réessayer.</p>
				</Notice>
			)}
			<CompanyNoticeList notices={company.notices} className="mb-8" />
			<OrderSection company={company} code={service} deadline={deadline} />
			<RecipientSection values={values} deliveryMethod={services[service].deliveryMethod} />
			{company.eligibility !== "none" && <PaymentForm {...step} refusal={refusal} />}
		</Page>
	);
}

function OrderSection({ company, code, deadline }: { company: CompanyPreview; code: ServiceCode; deadline: string }) {
	const service = services[code];
	return (
		<Section title="Votre commande">
			<DescriptionList
				rows={[
					["Entreprise", company.name],
					["SIREN", <Siren key="siren" value={company.siren} />],
					["Siège", formatHeadOffice(company)],
					["Service", service.name],
					["Livraison", service.delivery],
					["Pour un paiement immédiat", deadline],
					[
						"Compris",
						<ul key="features">
							{service.features.map((feature) => (
								<li key={feature}>{feature}</li>
							))}
						</ul>,
					],
				]}
			/>
			<div className="[&>dl]:border-0">
				<PriceBreakdown service={code} />
			</div>
			<p className="mt-2 text-sm text-soft">TVA 20 % incluse. Achat unique : aucun abonnement, votre carte n’est pas conservée.</p>
		</Section>
	);
}

function RecipientSection({ values, deliveryMethod }: { values: OrderValues } & Pick<Service, "deliveryMethod">) {
	return (
		<Section title="Destinataire">
			<DescriptionList
				rows={[
					["Nom", `${values.firstName} ${values.lastName}`],
					["E-mail", values.email],
					["Document envoyé à", deliveryMethod === "email" ? values.deliveryEmail : ""],
					["Adresse", [values.address, `${values.postalCode} ${values.city}`.trim()].filter(Boolean).join(", ")],
					["Société", values.company],
				]}
			/>
			<a className="link mt-4 inline-flex min-h-11 items-center" href={`${href("/commande")}?${toOrderQuery(values)}`}>
				Modifier ma commande
			</a>
		</Section>
	);
}

function PaymentForm({ service: code, asksConsents, cards, idempotencyKey, refusal }: PaymentPageProps) {
	const service = services[code];
	// the first key stays: a new submit after an error never places a second order
	const [key] = useState(refusal?.idempotencyKey ?? idempotencyKey);
	return (
		<Form method="post" noValidate>
			<input type="hidden" name="key" value={key} />
			<input type="hidden" name="amount" value={service.price} />
			{asksConsents && (
				<Section title="Votre accord">
					<ConsentFields errors={refusal?.errors ?? {}} />
				</Section>
			)}
			<Section title="Règlement">
				<p className="flex gap-2">
					<Icon name="lock" className="mt-1 size-5" /> Vous saisissez votre carte sur la page du prestataire de paiement : la boutique ne la
					voit pas.
				</p>
				{cards ? (
					<p className="mt-2 text-soft">
						Cartes acceptées : {cards.join(", ")}. Apple Pay aussi, si la page de paiement le propose sur votre appareil.
					</p>
				) : (
					<p className="mt-2 text-soft">Démonstration : paiement simulé, aucune carte réelle n’est débitée.</p>
				)}
				<Notice kind="done" title={service.highlight} className="mt-6" />
				<PrivateService className="mt-6" />
				<PayButton price={service.price} />
				<p className="mt-4 flex flex-wrap gap-x-6 text-sm text-soft">
					<a className="link inline-flex min-h-11 items-center" href={href("/cgv")}>
						Conditions générales de vente
					</a>
					<a className="link inline-flex min-h-11 items-center" href={href("/politique-rgpd")}>
						Protection des données
					</a>
				</p>
			</Section>
		</Form>
	);
}

/** Its text must state the obligation to pay (docs/rules.md, R12). */
function PayButton({ price }: Pick<Service, "price">) {
	const busy = useNavigation().state !== "idle";
	return (
		<button type="submit" disabled={busy} className={button("primary", "mt-6 w-full flex-col sm:w-auto")}>
			{busy ? (
				"Redirection en cours..."
			) : (
				<>
					<span>Finaliser ma commande - {formatEurosShort(price)}€</span>
					<span className="text-sm">Commander avec obligation de paiement</span>
				</>
			)}
		</button>
	);
}

/** Shown when no company has the SIREN of the query; leads back to the order form without it. */
export function UnknownCompanyPage({ values }: { values: OrderValues }) {
	return (
		<Page width="form">
			<Title lead={`Aucune entreprise trouvée avec le SIREN ${values.siren}`}>Entreprise introuvable</Title>
			<p>
				<a className={button()} href={`${href("/commande")}?${toOrderQuery({ ...values, siren: "" })}`}>
					Modifier ma commande
				</a>
			</p>
		</Page>
	);
}
