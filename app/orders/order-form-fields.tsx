import { href } from "react-router";
import { formatEuros } from "../catalogue/money.ts";
import { type ServiceCode, serviceCodes, services } from "../catalogue/services.ts";
import { ChoiceCard, Tag } from "../ui/card.tsx";
import { CheckboxField, TextField } from "../ui/field.tsx";
import type { OrderErrors, OrderValues } from "./order-form.ts";

/** The three services as radio cards, each with the date that it promises. */
export function ServiceFields({
	chosen,
	deadlines,
	onChoose,
}: {
	chosen: ServiceCode;
	deadlines: Record<ServiceCode, string>;
	onChoose: (code: ServiceCode) => void;
}) {
	return (
		<fieldset id="service" className="grid gap-3">
			<legend className="sr-only">Service</legend>
			{serviceCodes.map((code) => {
				const service = services[code];
				return (
					<ChoiceCard
						key={code}
						name="service"
						value={code}
						title={service.name}
						aside={formatEuros(service.price)}
						mark={service.recommended ? <Tag strong>Recommandé</Tag> : undefined}
						defaultChecked={code === chosen}
						onChange={() => onChoose(code)}
					>
						{service.description} {service.delivery}.<br />
						Pour un paiement immédiat : {deadlines[code]}.
					</ChoiceCard>
				);
			})}
		</fieldset>
	);
}

export function ContactFields({ values, errors }: { values: OrderValues; errors: OrderErrors }) {
	return (
		<div className="grid gap-5 sm:grid-cols-2">
			<TextField
				name="email"
				type="email"
				label="Adresse e-mail"
				hint="Le document y sera envoyé."
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
				hint="Laissez vide pour le recevoir à votre adresse e-mail."
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
				label="Recevoir les nouvelles de la boutique par e-mail"
				optional
				defaultChecked={values.newsletter !== ""}
			/>
			<CheckboxField name="emailInvoice" label="Recevoir ma facture par email" defaultChecked disabled />
		</>
	);
}

/** Two boxes, never ticked beforehand (decision B2); also on /paiement when it is opened without them. */
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
