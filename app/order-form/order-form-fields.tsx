import { href } from "react-router";
import { CheckboxField, TextField } from "../ui/field.tsx";
import type { OrderErrors, OrderValues } from "./order-form.ts";

export function ContactFields({ values, errors }: { values: OrderValues; errors: OrderErrors }) {
	return (
		<div className="grid gap-5 sm:grid-cols-2">
			<TextField
				name="email"
				type="email"
				label="Adresse e-mail"
				hint="Pour la confirmation, la facture et l’extrait en PDF."
				defaultValue={values.email}
				error={errors.email}
				autoComplete="email"
				className="sm:col-span-2"
			/>
			<TextField name="firstName" label="Prénom" defaultValue={values.firstName} error={errors.firstName} autoComplete="given-name" />
			<TextField name="lastName" label="Nom" defaultValue={values.lastName} error={errors.lastName} autoComplete="family-name" />
			<TextField
				name="phone"
				type="tel"
				label="Téléphone"
				optional
				defaultValue={values.phone}
				error={errors.phone}
				autoComplete="tel"
				className="sm:col-span-2"
			/>
			<TextField
				name="deliveryEmail"
				type="email"
				label="Envoyer le document à une autre adresse"
				hint="Pour un extrait en PDF. Laissez vide pour le recevoir à votre adresse e-mail."
				optional
				defaultValue={values.deliveryEmail}
				error={errors.deliveryEmail}
				autoComplete="off"
				className="sm:col-span-2"
			/>
		</div>
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
				hint="Au plus une par mois. Un message vous demandera de confirmer."
				optional
				defaultChecked={values.newsletter !== ""}
			/>
			<CheckboxField name="emailInvoice" label="Recevoir ma facture par email" defaultChecked disabled />
		</>
	);
}

/** The two consents, never ticked in advance (docs/rules.md, R9); also on /paiement when its query has none. */
export function ConsentFields({ errors }: { errors: OrderErrors }) {
	return (
		<>
			<CheckboxField
				name="acceptTerms"
				value="on"
				error={errors.acceptTerms}
				label={
					<>
						J’accepte les{" "}
						<a className="link" href={href("/cgv")} target="_blank" rel="noopener">
							conditions générales de vente
						</a>
						.
					</>
				}
			/>
			<CheckboxField
				name="waiveWithdrawal"
				value="on"
				optional
				label="Je demande l’exécution immédiate de ma commande et je reconnais perdre mon droit de rétractation une fois le document livré."
				hint="Sans cette case, vous gardez votre droit de rétractation de quatorze jours et votre commande est servie de la même façon."
			/>
		</>
	);
}
