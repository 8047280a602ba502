import { useState } from "react";
import { Form, href, useNavigation } from "react-router";
import { formatAddress } from "../../addresses/address-lines.ts";
import { describeArrival } from "../../catalogue/describe-deadline.ts";
import { formatEurosShort } from "../../catalogue/money.ts";
import { formatPeriod, orderFormHours } from "../../catalogue/retention.ts";
import { isPosted, type Service, type ServiceCode, services } from "../../catalogue/services.ts";
import { type CompanyPreview, formatHeadOffice } from "../../companies/company.ts";
import { CompanyNoticeList } from "../../companies/company-notice-list.tsx";
import { ConsentFields } from "../../order-form/fields/consent-fields.tsx";
import type { OrderErrors, OrderValues } from "../../order-form/order-form.ts";
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
	/** The values with all addresses filled in. */
	values: OrderValues;
	/** The form with the same values. */
	editUrl: string;
	service: ServiceCode;
	company: CompanyPreview;
	/** « lundi 23 novembre avant 10 h », if the customer pays now. */
	deadline: string;
	/** The form has no consents: this page shows the boxes. */
	asksConsents: boolean;
	/** The idempotency key of this visit's order. */
	idempotencyKey: string;
	/** Another tab has changed the order since its payment was asked for. */
	changed: boolean;
	/** Names of the accepted cards; null: the payment is simulated. */
	cards: readonly string[] | null;
	/** The refusal of the last submit, with the key of the next one. */
	refusal: { error: string; errors: OrderErrors; idempotencyKey: string | null } | undefined;
}

/** The order before its payment: product, customer, and the button to the provider's page. */
export function PaymentPage({ refusal, ...step }: PaymentPageProps) {
	const { values, service, company, deadline, changed, editUrl } = step;
	const errors = Object.entries(refusal?.errors ?? {}).map(([field, message]) => ({ field, message }));
	return (
		<Page width="form">
			<Steps current={2} title="Paiement" />
			<Title>Paiement</Title>
			<ErrorSummary errors={errors} />
			{changed && !refusal && (
				<Notice kind="warning" title="Votre commande a été modifiée dans un autre onglet." live className="mb-8">
					<p>Rien n’a été débité. Vérifiez-la avant de payer.</p>
				</Notice>
			)}
			{refusal && errors.length === 0 && (
				<Notice kind="failed" title={refusal.error} live className="mb-8">
					<p>Votre saisie est conservée. Vous pouvez corriger votre commande ou réessayer.</p>
				</Notice>
			)}
			<CompanyNoticeList notices={company.notices} className="mb-8" />
			<OrderSection company={company} code={service} deadline={deadline} />
			<RecipientSection values={values} editUrl={editUrl} posted={isPosted(service)} />
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
					["Si vous payez maintenant", describeArrival(code, deadline)],
					["Inclus", service.features.join(" · ")],
				]}
			/>
			<div className="[&>dl]:border-0">
				<PriceBreakdown service={code} />
			</div>
			<p className="mt-2 text-sm text-soft">
				TVA de 20&nbsp;% incluse. Achat unique&nbsp;: aucun abonnement, vos données bancaires ne sont pas conservées.
			</p>
		</Section>
	);
}

/** What the invoice will contain, in the order of an address. */
function formatInvoiced({ company, firstName, lastName, address, postalCode, city, billingSiren, billingVat }: OrderValues): string {
	const numbers = [billingSiren && `SIREN ${billingSiren}`, billingVat && `TVA ${billingVat}`];
	const buyer = formatAddress({ name: company || `${firstName} ${lastName}`, street: address, postalCode, city });
	return [buyer, ...numbers].filter(Boolean).join(", ");
}

/** A letter without its own address goes to the billing address. */
function formatDelivery(values: OrderValues): string {
	const { deliveryName, deliveryComplement, deliveryAddress, deliveryPostalCode, deliveryCity, firstName, lastName } = values;
	const address = deliveryAddress
		? { street: deliveryAddress, postalCode: deliveryPostalCode, city: deliveryCity }
		: { street: values.address, postalCode: values.postalCode, city: values.city };
	return formatAddress({ name: deliveryName || `${firstName} ${lastName}`, complement: deliveryComplement, ...address });
}

/** The e-mail address is large: a slip in it is found here, or not before the document is missing. */
function RecipientSection({ values, editUrl, posted }: { values: OrderValues; editUrl: string; posted: boolean }) {
	return (
		<Section title="Destinataire">
			<p className="text-soft">
				{posted ? "Confirmation, facture et numéro de suivi envoyés à" : "Extrait, confirmation et facture envoyés à"}
			</p>
			<p className="mb-4 text-xl font-semibold break-all">{values.email}</p>
			<DescriptionList
				rows={[
					["Nom", `${values.firstName} ${values.lastName}`],
					["PDF envoyé aussi à", posted ? "" : values.deliveryEmail],
					["Courrier posté à", posted ? formatDelivery(values) : ""],
					["Facturé à", formatInvoiced(values)],
				]}
			/>
			<a className="link mt-4 inline-flex min-h-11 items-center" href={editUrl}>
				Modifier ma commande
			</a>
		</Section>
	);
}

function PaymentForm({ service: code, asksConsents, cards, idempotencyKey, refusal }: PaymentPageProps) {
	const service = services[code];
	// the first key stays until a refusal gives another: a new submit after an error never places a second order
	const [first] = useState(refusal?.idempotencyKey ?? idempotencyKey);
	const key = refusal?.idempotencyKey ?? first;
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
					<Icon name="lock" className="mt-1 size-5" /> Vous saisirez votre carte sur la page sécurisée de notre prestataire. Nous n’y avons
					jamais accès.
				</p>
				{cards ? (
					<p className="mt-2 text-soft">
						Cartes acceptées&nbsp;: {cards.join(", ")}. Apple Pay aussi, si la page de paiement le propose sur votre appareil.
					</p>
				) : (
					<p className="mt-2 text-soft">Démonstration&nbsp;: paiement simulé, aucune carte réelle n’est débitée.</p>
				)}
				<Notice kind="done" title={service.highlight} className="mt-6" />
				<PayButton price={service.price} />
				<PrivateService short className="mt-6" />
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

/** Shown when no company has the SIREN of the order; leads back to its form. */
export function UnknownCompanyPage({ siren, editUrl }: { siren: string; editUrl: string }) {
	return (
		<Page width="form">
			<Title lead={`Aucune entreprise trouvée avec le SIREN ${siren}`}>Entreprise introuvable</Title>
			<p>
				<a className={button()} href={editUrl}>
					Modifier ma commande
				</a>
			</p>
		</Page>
	);
}

/** Shown when the stored form has expired. The browser's draft lives longer, and the form offers it. */
export function ExpiredFormPage() {
	return (
		<Page width="form">
			<Title lead={`Nous gardons une saisie non payée pendant ${formatPeriod({ hours: orderFormHours })}. Rien n’a été débité.`}>
				Votre saisie a expiré
			</Title>
			<p className="mb-8">
				Si ce navigateur en a gardé un brouillon, le formulaire vous propose de le reprendre. Si vous avez déjà payé, votre commande est
				enregistrée&nbsp;: retrouvez-la sur la page de suivi.
			</p>
			<p className="flex flex-wrap items-center gap-6">
				<a className={button("primary")} href={href("/commande")}>
					Reprendre ma commande
				</a>
				<a className={button("secondary")} href={href("/suivi-commande")}>
					Suivre ma commande
				</a>
			</p>
		</Page>
	);
}
