import type { ReactNode } from "react";
import { type ServiceCode, services } from "../../catalogue/services.ts";
import { type CompanyPreview, formatHeadOffice } from "../../companies/company.ts";
import { DescriptionList } from "../../ui/description-list.tsx";
import { Section } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";
import type { PaymentCustomer } from "./payment-customer.ts";

export interface OrderedSectionsProps {
	customer: PaymentCustomer;
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
			<RecipientSection {...order} className="max-sm:pt-4 max-sm:pb-5 max-sm:[&>h2]:sr-only" />
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

interface RecipientSectionProps extends Pick<OrderedSectionsProps, "customer" | "editUrl"> {
	className?: string;
}

/** The e-mail address is large: a slip in it is found here, or not before the document is missing. */
export function RecipientSection({ customer: { sent, email, meant, rows }, editUrl, className }: RecipientSectionProps) {
	return (
		<Section title="Destinataire" className={className}>
			<p className="text-soft max-sm:text-sm">{sent}</p>
			{email && <p className="text-xl font-semibold break-all">{email}</p>}
			<EmailQuestion meant={meant.email} editUrl={`${editUrl}#email`} />
			{rows.length > 0 && <DescriptionList className="mt-3 sm:mt-5" rows={rows} />}
			<EmailQuestion meant={meant.deliveryEmail} editUrl={`${editUrl}#deliveryEmail`} />
		</Section>
	);
}

/** Asks about an address whose domain looks mistyped; never keeps the customer from paying. */
function EmailQuestion({ meant, editUrl }: { meant: string | undefined; editUrl: string }) {
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
