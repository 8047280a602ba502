import { TextField } from "../../../ui/field.tsx";
import type { OrderErrors, OrderValues } from "../order-form.ts";

type InvoicedCompanyField = "company" | "billingSiren" | "billingVat";

interface InvoicedCompanyFieldsProps {
	values: Pick<OrderValues, InvoicedCompanyField>;
	errors: Pick<OrderErrors, InvoicedCompanyField>;
	hints?: Partial<Record<InvoicedCompanyField, string>>;
}

/** The company of an invoice and its two numbers, on the order form and where an invoice is corrected (docs/rules.md, R58). */
export function InvoicedCompanyFields({ values, errors, hints = {} }: InvoicedCompanyFieldsProps) {
	return (
		<>
			<TextField
				name="company"
				label="Société à facturer"
				hint={hints.company}
				optional
				defaultValue={values.company}
				error={errors.company}
				autoComplete="billing organization"
			/>
			<div className="grid gap-5 sm:grid-cols-2">
				<TextField
					name="billingSiren"
					label="SIREN de la société"
					hint={hints.billingSiren}
					optional
					inputMode="numeric"
					defaultValue={values.billingSiren}
					error={errors.billingSiren}
					autoComplete="off"
				/>
				<TextField
					name="billingVat"
					label="Numéro de TVA"
					hint={hints.billingVat}
					optional
					defaultValue={values.billingVat}
					error={errors.billingVat}
					autoComplete="off"
				/>
			</div>
		</>
	);
}
