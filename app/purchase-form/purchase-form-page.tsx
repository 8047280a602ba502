import { href, useLocation } from "react-router";
import { isPosted } from "../catalogue/services.ts";
import { AddressFields } from "../order-form/fields/address-fields.tsx";
import { BillToChoice, CompanyInvoice } from "../order-form/fields/billing-fields.tsx";
import { ConsentFields } from "../order-form/fields/consent-fields.tsx";
import { ContactFields } from "../order-form/fields/contact-fields.tsx";
import { DeliveryFields } from "../order-form/fields/delivery-fields.tsx";
import { PreferenceFields } from "../order-form/fields/preference-fields.tsx";
import { PrivacyNote } from "../order-form/fields/privacy-note.tsx";
import { ServiceChoice } from "../order-form/service-choice.tsx";
import { Breadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { Disclosure } from "../ui/disclosure.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { FieldMessages, TextAreaField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { Steps } from "../ui/steps.tsx";
import type { PurchaseFormState } from "./answer-purchase-form.server.ts";
import { LineList } from "./line-list.tsx";
import { maxPlaces } from "./line-sentences.ts";
import type { PurchaseFormData } from "./purchase-form-data.server.ts";
import { PurchaseSummary } from "./purchase-summary.tsx";
import { linesField, shownField } from "./read-purchase-form.ts";
import { maxLines } from "./typed-lines.ts";

export type PurchaseFormPageProps = PurchaseFormData & PurchaseFormState;

const nothing = () => {};

/** The form of several orders: the checked list, then what the form of one order asks. It has no scripts. */
export function PurchaseFormPage(page: PurchaseFormPageProps) {
	const { totals, errors, values, deadlines } = page;
	// without the anchor of a line that was visited, which would keep the focus from the errors
	const { pathname, search } = useLocation();
	const { lines: listError, ...fieldErrors } = errors;
	const summary = Object.entries(fieldErrors).map(([field, message]) => ({ field, message }));
	return (
		<Page width="page" className="max-sm:pt-5">
			<Steps current={1} title="Vérifiez la liste, complétez vos coordonnées" />
			<div className="max-sm:hidden">
				<Breadcrumb
					places={[{ label: "Accueil", href: href("/") }, { label: "Commander", href: href("/commande") }, { label: "Plusieurs extraits" }]}
				/>
			</div>
			<Title>Commander plusieurs extraits</Title>
			<ErrorSummary errors={listError ? [{ field: "entreprises-titre", message: listError }, ...summary] : summary} />
			<FormNotices {...page} />
			<div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
				<form method="post" action={`${pathname}${search}`} noValidate className="min-w-0">
					{/* Enter in a field continues to payment, never removes a line */}
					<button type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
					<Lines {...page} />
					<Section title="Service par défaut">
						<ServiceChoice chosen={values.service} deadlines={deadlines} error={errors.service} onChoose={nothing} />
						<p className="mt-3 text-sm text-soft">
							Il vaut pour chaque ligne où vous n’en choisissez pas un autre. Pour chaque service, un e-mail vous prévient quand tout est
							prêt ou posté.
						</p>
					</Section>
					<CustomerFields {...page} />
					<section aria-label="Résumé de commande" className="mb-6 lg:hidden">
						<PurchaseSummary totals={totals} />
					</section>
					<button type="submit" className={button("primary", "max-sm:w-full")}>
						Continuer vers le paiement
					</button>
					<PrivateService short className="mt-8" />
				</form>
				<aside
					aria-label="Résumé de commande"
					className="hidden rounded-lg border border-line bg-sheet p-6 lg:sticky lg:top-8 lg:block lg:self-start"
				>
					<h2 className="mb-4 text-lg">Résumé de commande</h2>
					<PurchaseSummary totals={totals} />
					<p className="mt-3 text-sm text-soft">Si vous changez un service, le total est recalculé quand vous continuez.</p>
				</aside>
			</div>
		</Page>
	);
}

/** What the server says about the form beside wrong fields. */
function FormNotices({ lines, doubtful, refusal, unseen }: PurchaseFormPageProps) {
	const wrong = lines.filter(({ problem }) => problem !== null).map(({ place }) => place);
	return (
		<>
			{unseen.length > 0 && (
				// biome-ignore lint/a11y/noAutofocus: the page of a form that did not go on starts with the reason
				<div tabIndex={-1} autoFocus>
					<Notice kind="warning" title="Vérifiez les lignes que vous venez d’ajouter ou de modifier" live className="mb-8">
						<p>
							Vous n’aviez pas encore vu ce que le registre en dit&nbsp;: <LineLinks places={unseen} />. Si tout est exact, continuez vers
							le paiement.
						</p>
					</Notice>
				</div>
			)}
			{doubtful && (
				<Notice kind="warning" title="Vérifiez votre adresse e-mail" live className="mb-8">
					<p>
						<a className="link" href={`#${doubtful}`}>
							Elle semble contenir une faute de frappe.
						</a>{" "}
						Si elle est exacte, continuez vers le paiement.
					</p>
				</Notice>
			)}
			{refusal && (
				<Notice kind="failed" title={refusal} live className="mb-8">
					<p>Votre saisie est conservée.</p>
				</Notice>
			)}
			{wrong.length > 0 && (
				<Notice kind="warning" title={describeWrong(wrong.length, lines.length)} className="mb-8">
					<p>
						{describeCorrection(wrong.length, lines.length)}&nbsp;: <LineLinks places={wrong} />
					</p>
				</Notice>
			)}
		</>
	);
}

const LineLinks = ({ places }: { places: readonly number[] }) => (
	<>
		{places.slice(0, maxPlaces).map((place, index) => (
			<span key={place}>
				{index > 0 && ", "}
				<a className="link" href={`#ligne-${place}`}>
					ligne&nbsp;{place}
				</a>
			</span>
		))}
		{places.length > maxPlaces && "…"}
	</>
);

const describeWrong = (wrong: number, all: number): string =>
	`${wrong} ligne${wrong > 1 ? "s" : ""} sur ${all} ne ${wrong > 1 ? "seront pas commandées" : "sera pas commandée"}.`;

function describeCorrection(wrong: number, all: number): string {
	const [correct, without] = wrong > 1 ? ["Corrigez-les", "elles"] : ["Corrigez-la", "elle"];
	return wrong < all ? `${correct} ou continuez sans ${without}` : correct;
}

function Lines({ lines, noticeSource, shown, added }: Pick<PurchaseFormPageProps, "lines" | "noticeSource" | "shown" | "added">) {
	return (
		<section className="pb-10">
			<h2 id="entreprises-titre" tabIndex={-1} className="mb-5 text-xl">
				{lines.length === 0 ? "Aucune entreprise" : `${lines.length} entreprise${lines.length > 1 ? "s" : ""}`}
			</h2>
			<input type="hidden" name={linesField} value={lines.length} />
			<input type="hidden" name={shownField} value={shown} />
			<LineList lines={lines} />
			{noticeSource && <p className="border-t border-line pt-3 text-sm text-soft">Annonces publiées. {noticeSource}</p>}
			{(lines.length < maxLines || added !== "") && (
				<Disclosure title="Ajouter des entreprises" open={lines.length === 0 || added !== ""} className="border-y">
					<TextAreaField
						name="entreprises"
						label="Une entreprise par ligne"
						hint="SIREN, SIRET ou nom, et votre référence après un point-virgule."
						rows={4}
						defaultValue={added}
						spellCheck={false}
						autoComplete="off"
						className="pb-4"
					/>
				</Disclosure>
			)}
			<button type="submit" name="intent" value="update" className={button("secondary", "mt-5")}>
				Mettre à jour la liste
			</button>
		</section>
	);
}

/** Contact, addresses, preferences and consents: the fields of the form of one order. */
function CustomerFields({ values, errors, suggestions, billingFound, totals }: PurchaseFormPageProps) {
	const toLetter = values.billTo === "delivery" && totals.services.some(({ code }) => isPosted(code));
	return (
		<>
			<Section title="Contact Principal">
				<ContactFields values={values} errors={errors} suggestions={suggestions} />
			</Section>
			<Section title="Adresse de livraison des courriers" className="for-letters">
				<DeliveryFields values={values} errors={errors} company={null} onFill={nothing} onCity={nothing} />
			</Section>
			<Section title="Adresse de Facturation">
				<fieldset id="billTo" aria-describedby={errors.billTo && "billTo-error"} className="for-letters">
					<legend className="sr-only">Facturer à</legend>
					<FieldMessages name="billTo" label="" error={errors.billTo} />
					<BillToChoice code="delivery" checked={toLetter} className="">
						Facturer à l’adresse de livraison
					</BillToChoice>
					<BillToChoice code="other" checked={!toLetter} className="">
						Facturer à une autre adresse
					</BillToChoice>
				</fieldset>
				<div className="for-other-invoice mt-3">
					<CompanyInvoice values={values} errors={errors} found={billingFound} onFill={nothing} />
					<div className="mt-3">
						<AddressFields kind="billing" values={values} errors={errors} />
					</div>
				</div>
				<p className="mt-4 text-sm text-soft">Une seule facture, avec une ligne par extrait et votre référence.</p>
			</Section>
			<Section title="Préférences">
				<PreferenceFields values={values} />
			</Section>
			<Section title="Votre accord">
				<ConsentFields errors={errors} ticked={values} />
				<PrivacyNote />
			</Section>
		</>
	);
}
