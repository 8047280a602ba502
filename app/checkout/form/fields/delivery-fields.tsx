import { type CompanyPreview, formatHeadOffice } from "../../../companies/company.ts";
import { button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { useHydrated } from "../../../ui/use-hydrated.ts";
import { isBillable } from "../billing.ts";
import type { OrderErrors, OrderField, OrderValues } from "../order-form.ts";
import { AddressFields } from "./address-fields.tsx";
import type { FieldTexts } from "./fill-fields.ts";

interface DeliveryFieldsProps {
	values: OrderValues;
	errors: OrderErrors;
	/** The company of the extract, once it is chosen. */
	company: CompanyPreview | null;
	onFill: (texts: FieldTexts) => void;
	onCity: (field: OrderField) => void;
}

/** Recipient and address of a letter. No address is suggested: a letter to a wrong one is lost. */
export function DeliveryFields({ values, errors, company, onFill, onCity }: DeliveryFieldsProps) {
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
			<TextField
				name="deliveryName"
				label="À l’attention de"
				hint="Si vous laissez ce champ vide, le courrier est à votre nom."
				optional
				defaultValue={values.deliveryName}
				error={errors.deliveryName}
				autoComplete="shipping name"
				className="mb-5"
			/>
			<AddressFields kind="delivery" values={values} errors={errors} hint="Le courrier sera posté à cette adresse." onCity={onCity}>
				<TextField
					name="deliveryComplement"
					label={"Complément\u00a0: bâtiment, étage, service"}
					optional
					defaultValue={values.deliveryComplement}
					error={errors.deliveryComplement}
					autoComplete="shipping address-line2"
					className="col-span-2"
				/>
			</AddressFields>
		</>
	);
}
