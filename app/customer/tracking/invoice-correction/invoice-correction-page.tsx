import { href } from "react-router";
import { formatLongDay } from "../../../catalogue/instants.ts";
import { AddressFields } from "../../../checkout/form/fields/address-fields.tsx";
import { InvoicedCompanyFields } from "../../../checkout/form/fields/invoiced-company-fields.tsx";
import { maxReferenceLength } from "../../../checkout/form/lines/line-fields.ts";
import { button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { ErrorSummary } from "../../../ui/error-summary.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Focused } from "../../../ui/focused.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page, Title } from "../../../ui/page.tsx";
import type { CorrectionPageProps } from "./answer-invoice-correction.server.ts";
import { checkedNameField, correctionFields, nameChecked, toReferenceField } from "./correction-form.ts";

/** « Corriger la facture »: the buyer's data of the invoice in force, to be changed. Works without scripts. */
export function InvoiceCorrectionPage({ number, form, refused }: CorrectionPageProps) {
	const back = href("/suivi/:number", { number });
	return (
		<Page width="form">
			<Title
				above={<>Commande {number}</>}
				lead={
					form && (
						<>
							Nous annulons la facture <span className="whitespace-nowrap">{form.invoice}</span> par un avoir et en établissons une
							nouvelle, au même montant. Rien n’est débité ni remboursé.
						</>
					)
				}
			>
				Corriger la facture
			</Title>
			{form && <ErrorSummary errors={listFields(form).flatMap((field) => toFieldError(field, form.errors[field]))} />}
			{refused && <Notice kind="failed" title={refused} live className="mb-8" />}
			{form ? (
				<CorrectionForm {...form} back={back} />
			) : (
				<a className={button("secondary")} href={back}>
					Revenir à la commande
				</a>
			)}
		</Page>
	);
}

const listFields = ({ lines }: NonNullable<CorrectionPageProps["form"]>) => [
	...correctionFields,
	...lines.map((_, index) => toReferenceField(index)),
];

const toFieldError = (field: string, message: string | undefined) => (message ? [{ field, message }] : []);

function CorrectionForm({
	invoice,
	until,
	left,
	values,
	lines,
	errors,
	otherName,
	back,
}: NonNullable<CorrectionPageProps["form"]> & { back: string }) {
	return (
		<form method="post" noValidate className="grid gap-5">
			<input type="hidden" name="invoice" value={invoice} />
			<InvoicedCompanyFields
				values={values}
				errors={errors}
				hints={{
					company: "Sa raison sociale. Laissez vide pour une facture à votre nom.",
					billingSiren: "9 chiffres",
					billingVat: "Laissez vide si la société n’en a pas.",
				}}
			/>
			<TextField name="name" label="Prénom et nom" defaultValue={values.name} error={errors.name} autoComplete="name" />
			<AddressFields kind="billing" values={values} errors={errors} />
			<ReferenceFields lines={lines} errors={errors} />
			<p className="text-sm text-soft">
				Vous pouvez corriger cette facture jusqu’au {formatLongDay(new Date(until))}
				{left === 1 ? ", une dernière fois." : `, encore ${left}\u00a0fois au plus.`} L’avoir et la nouvelle facture vous sont envoyés par
				e-mail. L’ancienne facture reste téléchargeable.
			</p>
			{otherName && (
				<Focused>
					<Notice kind="warning" title={`Ce SIREN appartient à ${otherName}.`} live>
						<p>
							Vous avez écrit «{"\u00a0"}
							{values.company}
							{"\u00a0"}». Corrigez l’un des deux, ou confirmez.
						</p>
					</Notice>
					<input type="hidden" name={checkedNameField} value={nameChecked(values)} />
				</Focused>
			)}
			<div className="flex flex-wrap items-center gap-6">
				<button type="submit" className={button("primary")}>
					Corriger la facture
				</button>
				<a className={button("quiet")} href={back}>
					Ne rien changer
				</a>
			</div>
		</form>
	);
}

/** One field, or a fold with one for each line, which opens for what is wrong in it. */
function ReferenceFields({ lines, errors }: Pick<NonNullable<CorrectionPageProps["form"]>, "lines" | "errors">) {
	const fields = lines.map(({ description, reference }, index) => (
		<TextField
			key={toReferenceField(index)}
			name={toReferenceField(index)}
			label="Votre référence"
			hint={lines.length > 1 ? description : "Dossier, bon de commande."}
			optional
			defaultValue={reference}
			maxLength={maxReferenceLength + 1}
			error={errors[toReferenceField(index)]}
			autoComplete="off"
		/>
	));
	if (lines.length <= 1) return fields;
	return (
		<Disclosure
			title={`Vos ${lines.length} références`}
			open={lines.some((_, index) => errors[toReferenceField(index)])}
			className="border-y"
		>
			<div className="grid gap-5 pb-4">{fields}</div>
		</Disclosure>
	);
}
