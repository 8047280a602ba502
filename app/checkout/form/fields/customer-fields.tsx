import { href } from "react-router";
import { formatEuros } from "../../../catalogue/money.ts";
import { archivedContractCents, formatPeriod, retention } from "../../../catalogue/retention.ts";
import { type CompanyPreview, formatHeadOffice } from "../../../companies/company.ts";
import { button } from "../../../ui/button.tsx";
import { CheckboxField, TextField } from "../../../ui/field.tsx";
import { Section } from "../../../ui/page.tsx";
import { useHydrated } from "../../../ui/use-hydrated.ts";
import { isBillable } from "../billing.ts";
import type { BillingIdentity } from "../billing-identity.ts";
import type { FormPage, FormState } from "../form-state.ts";
import { lineFields, maxReferenceLength } from "../lines/line-fields.ts";
import type { OrderErrors, OrderField, OrderValues } from "../order-form.ts";
import { BillingFields } from "./billing-fields.tsx";
import { ConsentFields } from "./consent-fields.tsx";
import { ContactFields } from "./contact-fields.tsx";
import type { FieldTexts } from "./fill-fields.ts";
import { LetterFields } from "./letter-fields.tsx";
import { OptionalFields } from "./optional-fields.tsx";

interface CustomerFieldsProps extends Pick<FormPage, "values" | "lines" | "hasList" | "suggestions" | "billingFound" | "letterHint"> {
	errors: FormState["errors"];
	/** The companies of the extracts, each once; none before one is chosen. */
	companies: readonly CompanyPreview[];
	/** An extract is posted. */
	posted: boolean;
	/** What this browser remembers. */
	remembers: { stored: boolean; identity: BillingIdentity | null; onDelete: () => void };
	onFill: (texts: FieldTexts) => void;
	/** Called when fields have been filled in. */
	onEdit: (...fields: string[]) => void;
}

/** Who orders, where letters go, who is invoiced, and the consents: once for all extracts. */
export function CustomerFields({
	values,
	errors,
	lines,
	hasList,
	companies,
	posted,
	remembers,
	onFill,
	onEdit,
	...found
}: CustomerFieldsProps) {
	const [only = null] = companies.length === 1 ? companies : [];
	return (
		<>
			<Section title="Contact Principal">
				<ContactFields values={values} errors={errors} suggestions={found.suggestions} />
			</Section>
			<Section title={hasList ? "Adresse de livraison des courriers" : "Adresse de livraison"} className="for-letters">
				<DeliveryFields values={values} errors={errors} company={only} hint={found.letterHint} onFill={onFill} onCity={onEdit} />
			</Section>
			<Section title="Adresse de Facturation">
				<BillingFields
					values={values}
					errors={errors}
					companies={companies}
					posted={posted}
					lastIdentity={remembers.identity}
					found={found.billingFound}
					onFill={onFill}
					onCity={onEdit}
				/>
				{!hasList && <ReferenceField posted={posted} reference={lines[0]?.line.reference ?? ""} error={errors["reference-1"]} />}
			</Section>
			<Section title="Préférences">
				<PreferenceFields values={values} />
				<RememberField remembered={remembers.stored} onDelete={remembers.onDelete} />
			</Section>
			<Section title="Votre accord">
				<ConsentFields errors={errors} ticked={values} />
				<PrivacyNote />
			</Section>
		</>
	);
}

/** The customer's own reference of the only line, as each line of a list has one (docs/rules.md, R238). */
function ReferenceField({ reference, posted, error }: { reference: string; posted: boolean; error: string | undefined }) {
	return (
		<OptionalFields label="Ajouter votre référence (dossier, bon de commande)" needed={Boolean(reference || error)}>
			<TextField
				name={lineFields(1).reference}
				label="Votre référence"
				hint={`Celle de votre dossier. Elle figure sur la facture${posted ? ", les e-mails et le courrier" : " et les e-mails"}.`}
				optional
				defaultValue={reference}
				maxLength={maxReferenceLength + 1}
				error={error}
				spellCheck={false}
				autoComplete="off"
			/>
		</OptionalFields>
	);
}

interface DeliveryFieldsProps {
	values: OrderValues;
	errors: OrderErrors;
	/** The company of the extract, once it is chosen. */
	company: CompanyPreview | null;
	/** Of the address. */
	hint: string;
	onFill: (texts: FieldTexts) => void;
	onCity: (field: OrderField) => void;
}

/** Recipient and address of a letter. No address is suggested: a letter to a wrong one is lost. */
function DeliveryFields({ values, errors, company, hint, onFill, onCity }: DeliveryFieldsProps) {
	const hydrated = useHydrated();
	return (
		<>
			{hydrated && company && isBillable(company) && (
				<button
					type="button"
					className={button("quiet", "mb-3 text-left")}
					onClick={() =>
						onFill({
							deliveryAddress: company.headOffice?.street ?? "",
							deliveryComplement: company.headOffice?.complement ?? "",
							deliveryPostalCode: company.headOffice?.postalCode ?? "",
							deliveryCity: company.headOffice?.city ?? "",
						})
					}
				>
					Livrer à {company.name}, {formatHeadOffice(company)}
				</button>
			)}
			<LetterFields values={values} errors={errors} hint={hint} onCity={onCity} />
		</>
	);
}

export function PreferenceFields({ values }: { values: OrderValues }) {
	return (
		<>
			<CheckboxField
				name="newsletter"
				value="on"
				label={
					<>
						Recevoir la lettre d’information par <span className="whitespace-nowrap">e-mail</span>
					</>
				}
				hint="Une par mois au plus, après confirmation."
				optional
				defaultChecked={values.newsletter !== ""}
			/>
			<CheckboxField name="emailInvoice" label="Recevoir ma facture par email" defaultChecked disabled />
		</>
	);
}

interface RememberFieldProps {
	/** Details of an earlier order are stored in this browser. */
	remembered: boolean;
	onDelete: () => void;
}

/** The customer's choice to find their details filled in next time. They stay in this browser: without JavaScript there is no choice. */
function RememberField({ remembered, onDelete }: RememberFieldProps) {
	return (
		<div className="flex flex-wrap items-start gap-x-6 noscript:hidden">
			<CheckboxField
				key={String(remembered)}
				name="remember"
				value="on"
				label="Retenir mes coordonnées sur cet appareil"
				defaultChecked={remembered}
			/>
			{remembered && (
				<button type="button" className={button("quiet")} onClick={onDelete}>
					Effacer mes coordonnées de cet appareil
				</button>
			)}
		</div>
	);
}

function PrivacyNote() {
	return (
		<p className="mt-3 text-sm text-soft">
			Vos données servent uniquement à traiter votre commande et à remplir nos obligations (facture, preuve, sécurité). Nous archivons le
			contrat {formatPeriod(retention.orders)}, et {formatPeriod(retention.contracts)} dès {formatEuros(archivedContractCents)}
			&nbsp;: vous le retrouvez dans «&nbsp;Mes commandes&nbsp;». Consultez notre{" "}
			<a className="link" href={href("/politique-confidentialite")}>
				politique de confidentialité
			</a>{" "}
			et nos{" "}
			<a className="link" href={href("/cgv")}>
				conditions générales
			</a>
			.
		</p>
	);
}
