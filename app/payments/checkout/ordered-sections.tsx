import type { ReactNode } from "react";
import { formatAddress } from "../../addresses/address-lines.ts";
import { isPosted, type ServiceCode, services } from "../../catalogue/services.ts";
import { type CompanyPreview, formatHeadOffice } from "../../companies/company.ts";
import type { MaskedNotice } from "../../order-form/describe-masked.ts";
import type { OrderValues } from "../../order-form/order-form.ts";
import { DescriptionList } from "../../ui/description-list.tsx";
import { Section } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";

export interface OrderedSectionsProps {
	/** The values with all addresses filled in. */
	values: OrderValues;
	/** Why the customer's details are not among the values; null: they are. */
	masked: MaskedNotice | null;
	/** What was probably meant by an e-mail address whose domain looks mistyped. */
	suggestions: { email?: string | undefined; deliveryEmail?: string | undefined };
	/** The form with the same values. */
	editUrl: string;
	service: ServiceCode;
	company: CompanyPreview;
}

/** What is ordered, and who receives it. On phones the labels of obvious values are for screen readers only. */
export function OrderedSections(order: OrderedSectionsProps) {
	return (
		<>
			<OrderSection {...order} />
			<RecipientSection {...order} />
		</>
	);
}

function OrderSection({ company, service: code, editUrl }: OrderedSectionsProps) {
	const { name, delivery, features } = services[code];
	const headOffice = formatHeadOffice(company);
	return (
		<section className="border-t border-line pt-2 pb-4 sm:pb-10 lg:pt-4">
			<div className="mb-1 flex flex-wrap items-center justify-between gap-x-4 sm:mb-3">
				<h2 className="text-xl max-sm:text-lg">Votre commande</h2>
				<a className="link inline-flex min-h-11 items-center max-sm:text-sm" href={editUrl}>
					Modifier ma commande
				</a>
			</div>
			<DescriptionList
				className="max-sm:divide-y-0 max-sm:border-0 max-sm:[&_dt]:sr-only max-sm:[&>div]:py-1"
				rows={[
					[
						"Entreprise",
						<NameWithDescription key="company" name={company.name}>
							SIREN <Siren value={company.siren} />
							{headOffice && ` · ${headOffice}`}
						</NameWithDescription>,
					],
					[
						"Service",
						<NameWithDescription key="service" name={name}>
							{[delivery, ...features].join(" · ")}
						</NameWithDescription>,
					],
				]}
			/>
		</section>
	);
}

/** A name with its description: below it, on phones after it. */
function NameWithDescription({ name, children }: { name: string; children: ReactNode }) {
	return (
		<>
			<strong>{name}</strong> <span className="text-sm text-soft sm:block">{children}</span>
		</>
	);
}

/** A letter without its own address goes to the billing address. */
export function formatDelivery(values: OrderValues): string {
	const { deliveryName, deliveryComplement, deliveryAddress, deliveryPostalCode, deliveryCity, firstName, lastName } = values;
	const address = deliveryAddress
		? { street: deliveryAddress, postalCode: deliveryPostalCode, city: deliveryCity }
		: { street: values.address, postalCode: values.postalCode, city: values.city };
	return formatAddress({ name: deliveryName || `${firstName} ${lastName}`, complement: deliveryComplement, ...address });
}

/** The e-mail address is large: a slip in it is found here, or not before the document is missing. */
function RecipientSection({ values, masked, suggestions, editUrl, service }: OrderedSectionsProps) {
	const posted = isPosted(service);
	const sent = posted ? "Facture et numéro de suivi" : "Extrait et facture";
	if (masked) return <MaskedRecipient sent={sent} letters={posted ? "Courrier posté" : null} />;
	const other = posted ? (["Courrier posté à", formatDelivery(values)] as const) : (["PDF envoyé aussi à", values.deliveryEmail] as const);
	return (
		<Section title="Destinataire" className="max-sm:pt-4 max-sm:pb-5 max-sm:[&>h2]:sr-only">
			<p className="text-soft max-sm:text-sm">
				{sent} envoyés à {values.firstName} {values.lastName}
			</p>
			<p className="text-xl font-semibold break-all">{values.email}</p>
			<EmailQuestion meant={suggestions.email} editUrl={`${editUrl}#email`} />
			{other[1] && <DescriptionList className="mt-3 sm:mt-5" rows={[other]} />}
			{!posted && <EmailQuestion meant={suggestions.deliveryEmail} editUrl={`${editUrl}#deliveryEmail`} />}
		</Section>
	);
}

/** Where everything goes, in a browser that may not see it. @param letters « Courrier posté »; null: nothing is posted. */
export function MaskedRecipient({ sent, letters }: { sent: string; letters: string | null }) {
	return (
		<Section title="Destinataire">
			<p>{sent} envoyés à l’adresse e-mail indiquée dans la commande</p>
			{letters && <p className="mt-2">{letters} à l’adresse indiquée dans la commande</p>}
		</Section>
	);
}

/** Asks about an address whose domain looks mistyped; never keeps the customer from paying. */
export function EmailQuestion({ meant, editUrl }: { meant: string | undefined; editUrl: string }) {
	if (!meant) return null;
	return (
		<p className="mt-2 flex flex-wrap items-center gap-x-3 border-l-2 border-waiting pl-3">
			<span>
				Vouliez-vous dire <strong className="break-all">{meant.slice(meant.indexOf("@") + 1)}</strong>&nbsp;?
			</span>
			<a className="link inline-flex min-h-11 items-center font-semibold" href={editUrl}>
				Corriger<span className="sr-only"> l’adresse e-mail</span>
			</a>
		</p>
	);
}
