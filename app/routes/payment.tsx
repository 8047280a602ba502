import { useState } from "react";
import { data, Form, href, redirect, useNavigation } from "react-router";
import { isDatabaseUnavailable } from "../../server/database/database.ts";
import { describeFault } from "../../server/observability/log.ts";
import { describeDeadlines } from "../catalogue/deadlines.ts";
import { formatEurosShort } from "../catalogue/money.ts";
import { parseServiceCode, services } from "../catalogue/services.ts";
import { formatHeadOffice } from "../companies/company.ts";
import { CompanyNoticeList } from "../companies/company-notice-list.tsx";
import { toPreview } from "../companies/company-rows.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { parseSiren } from "../companies/siren.ts";
import { checkOrder, type OrderErrors, type OrderValues, orderQuery, readOrderValues } from "../order-form/order-form.ts";
import { ConsentFields } from "../order-form/order-form-fields.tsx";
import { Amounts } from "../order-form/order-summary.tsx";
import { consentsOf, startCheckout } from "../payments/start-checkout.server.ts";
import { clientContext, retryAfterContext, shopContext } from "../shop.ts";
import { redirectToPayment } from "../tracking/redirect-to-payment.server.ts";
import { button } from "../ui/button.tsx";
import { DescriptionList } from "../ui/description-list.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { Siren } from "../ui/siren.tsx";
import { Steps } from "../ui/steps.tsx";
import { privateHeaders, readForm } from "../web/http.ts";
import type { Route } from "./+types/payment";

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Paiement de votre commande" }, { name: "robots", content: "noindex" }];

/** Reads the query contract (docs/rules.md, R11): nothing of it is believed about price or company. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const { db, calendar, now, provider } = context.get(shopContext);
	const values = readOrderValues(new URL(request.url).searchParams);
	const service = parseServiceCode(values.service);
	const siren = parseSiren(values.siren);
	const wrong = checkOrder(values, ["siren", "service", "email", "firstName", "lastName"]);
	if (service === null || siren === null || Object.keys(wrong).length > 0) throw redirect(href("/"));
	const company = await findCompany(db, siren);
	if (company === null) return data({ found: false as const, values }, { status: 404 });
	return data({
		found: true as const,
		values,
		service,
		company: toPreview(company),
		deadline: describeDeadlines(now(), calendar)[service],
		asksConsents: values.acceptTerms === "",
		key: crypto.randomUUID() as string,
		cards: provider.name === "sandbox" ? null : ["Visa", "Mastercard", "American Express"],
	});
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const form = await readForm(request);
	const values = readOrderValues(new URL(request.url).searchParams);
	const boxes = readOrderValues(form);
	if (values.acceptTerms === "") Object.assign(values, { acceptTerms: boxes.acceptTerms, waiveWithdrawal: boxes.waiveWithdrawal });
	const key = /^[\w-]{1,100}$/.exec(String(form.get("key")))?.[0] ?? null;
	const refuse = (status: number, error: string, errors: OrderErrors = {}) => data({ error, errors, key }, { status });

	const terms = checkOrder(values, ["acceptTerms"]);
	if (terms.acceptTerms) return refuse(400, terms.acceptTerms, terms);
	const service = parseServiceCode(values.service);
	const started = await startCheckout(shop, {
		values,
		amount: Number(form.get("amount")),
		deliveryMethod: service ? services[service].deliveryMethod : "",
		consents: consentsOf(values),
		idempotencyKey: key,
		client: context.get(clientContext).key,
	}).catch((error: Error) => {
		shop.log.error({ error: describeFault(error) }, "a payment could not be started");
		const status: 500 | 503 = isDatabaseUnavailable(error) ? 503 : 500;
		return { ok: false as const, status, error: "Erreur lors du traitement du paiement" };
	});
	if (!started.ok && started.status === 429) context.set(retryAfterContext, started.retryAfter);
	if (!started.ok) return refuse(started.status, started.error);
	return redirectToPayment(shop, started.url, started.orderId);
}

export default function Payment({ loaderData, actionData }: Route.ComponentProps) {
	return loaderData.found ? <PaymentStep loaded={loaderData} answer={actionData} /> : <UnknownCompany values={loaderData.values} />;
}

interface PaymentStepProps {
	loaded: Extract<Route.ComponentProps["loaderData"], { found: true }>;
	answer: Route.ComponentProps["actionData"];
}

function PaymentStep({ loaded, answer: actionData }: PaymentStepProps) {
	const { values, service: code, company, deadline, asksConsents, cards } = loaded;
	const orderable = company.eligibility !== "none";
	const service = services[code];
	// kept across answers: paying again after an error never makes a second order
	const [key] = useState(actionData?.key ?? loaded.key);
	const busy = useNavigation().state !== "idle";
	const errors = Object.entries(actionData?.errors ?? {}).map(([field, message]) => ({ field, message }));
	return (
		<Page width="form">
			<Steps current={2} title="Paiement" />
			<Title>Paiement</Title>
			<ErrorSummary errors={errors} />
			{actionData?.error && errors.length === 0 && (
				<Notice kind="failed" title={actionData.error} live className="mb-8">
					<p>Votre saisie est conservée. Vous pouvez corriger votre commande ou réessayer.</p>
				</Notice>
			)}
			<CompanyNoticeList notices={company.notices} className="mb-8" />
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
					<Amounts service={code} />
				</div>
				<p className="mt-2 text-sm text-soft">TVA 20 % incluse. Achat unique : aucun abonnement, votre carte n’est pas conservée.</p>
			</Section>
			<Section title="Destinataire">
				<DescriptionList
					rows={[
						["Nom", `${values.firstName} ${values.lastName}`],
						["E-mail", values.email],
						["Document envoyé à", service.deliveryMethod === "email" ? values.deliveryEmail : ""],
						["Adresse", [values.address, `${values.postalCode} ${values.city}`.trim()].filter(Boolean).join(", ")],
						["Société", values.company],
					]}
				/>
				<a className="link mt-4 inline-flex min-h-11 items-center" href={`${href("/commande")}?${orderQuery(values)}`}>
					Modifier ma commande
				</a>
			</Section>
			{orderable && (
				<Form method="post" noValidate>
					<input type="hidden" name="key" value={key} />
					<input type="hidden" name="amount" value={service.price} />
					{asksConsents && (
						<Section title="Votre accord">
							<ConsentFields errors={actionData?.errors ?? {}} />
						</Section>
					)}
					<Section title="Règlement">
						<p className="flex gap-2">
							<Icon name="lock" className="mt-1 size-5" /> Vous saisissez votre carte sur la page du prestataire de paiement : la boutique
							ne la voit pas.
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
						<button type="submit" disabled={busy} className={button("primary", "mt-6 w-full flex-col sm:w-auto")}>
							{busy ? (
								"Redirection en cours..."
							) : (
								<>
									<span>Finaliser ma commande - {formatEurosShort(service.price)}€</span>
									<span className="text-sm">Commander avec obligation de paiement</span>
								</>
							)}
						</button>
						<p className="mt-4 flex flex-wrap gap-x-6 text-sm text-soft">
							<a className="link inline-flex min-h-11 items-center" href={href("/cgv")}>
								Conditions générales de vente
							</a>
							<a className="link inline-flex min-h-11 items-center" href="/rgpd">
								Protection des données
							</a>
						</p>
					</Section>
				</Form>
			)}
		</Page>
	);
}

function UnknownCompany({ values }: { values: OrderValues }) {
	return (
		<Page width="form">
			<Title lead={`Aucune entreprise trouvée avec le SIREN ${values.siren}`}>Entreprise introuvable</Title>
			<p>
				<a className={button()} href={`${href("/commande")}?${orderQuery({ ...values, siren: "" })}`}>
					Modifier ma commande
				</a>
			</p>
		</Page>
	);
}
