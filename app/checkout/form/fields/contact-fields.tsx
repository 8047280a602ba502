import { TextField } from "../../../ui/field.tsx";
import type { OrderErrors, OrderValues } from "../order-form.ts";
import { EmailField } from "./email-field.tsx";
import { OptionalFields } from "./optional-fields.tsx";

interface ContactFieldsProps {
	values: OrderValues;
	errors: OrderErrors;
	/** What was probably meant by an address whose domain looks mistyped. */
	suggestions: OrderErrors;
}

export function ContactFields({ values, errors, suggestions }: ContactFieldsProps) {
	return (
		<div className="grid grid-cols-2 gap-x-3 gap-y-5 sm:gap-x-5">
			<EmailField
				name="email"
				label="Adresse e-mail"
				hint="Pour la confirmation, la facture et le suivi."
				defaultValue={values.email}
				error={errors.email}
				suggestion={suggestions.email}
				autoComplete="email"
				className="col-span-2"
			/>
			<TextField name="firstName" label="Prénom" defaultValue={values.firstName} error={errors.firstName} autoComplete="given-name" />
			<TextField name="lastName" label="Nom" defaultValue={values.lastName} error={errors.lastName} autoComplete="family-name" />
			<div className="col-span-2 -mt-2">
				<OptionalFields label="Ajouter un téléphone" needed={Boolean(values.phone || errors.phone)}>
					<TextField
						name="phone"
						type="tel"
						label="Téléphone"
						optional
						defaultValue={values.phone}
						error={errors.phone}
						autoComplete="tel"
					/>
				</OptionalFields>
				<div className="for-pdf">
					<OptionalFields
						label={
							<>
								Envoyer aussi l’extrait à une autre adresse <span className="whitespace-nowrap">e-mail</span>
							</>
						}
						needed={Boolean(values.deliveryEmail || errors.deliveryEmail)}
					>
						<EmailField
							name="deliveryEmail"
							label="Autre adresse e-mail"
							hint="Par exemple celle de votre client."
							optional
							defaultValue={values.deliveryEmail}
							error={errors.deliveryEmail}
							suggestion={suggestions.deliveryEmail}
							autoComplete="off"
						/>
					</OptionalFields>
				</div>
			</div>
		</div>
	);
}
