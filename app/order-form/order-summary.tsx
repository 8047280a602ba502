import type { ReactNode } from "react";
import { formatEuros } from "../catalogue/money.ts";
import { type ServiceCode, services } from "../catalogue/services.ts";
import type { CompanyPreview } from "../companies/company.ts";
import { CompanyNoticeList, CompanyStatus } from "../companies/company-notice-list.tsx";
import { Icon } from "../ui/icon.tsx";
import { Siren } from "../ui/siren.tsx";

export interface SummarisedOrder {
	company: CompanyPreview | null;
	service: ServiceCode;
	/** « lundi 23 novembre avant 10 h », if the customer pays now. */
	deadline: string;
}

/** Product, price and deadline: beside the form on wide screens, collapsed above it on narrow ones. */
export function OrderSummary({ order, children }: { order: SummarisedOrder; children?: ReactNode }) {
	const total = formatEuros(services[order.service].price);
	return (
		<aside aria-label="Résumé de commande" className="lg:sticky lg:top-32 lg:self-start">
			<details className="group rounded-lg border border-line bg-sheet px-5 lg:hidden">
				<summary className="flex min-h-12 cursor-pointer items-center justify-between gap-4 font-semibold">
					<span className="inline-flex items-center gap-2">
						Résumé de commande <Icon name="chevron" className="size-4 group-open:rotate-180" />
					</span>
					<span className="figures">{total}</span>
				</summary>
				<div className="pb-5">
					<SummaryLines order={order} />
					{children}
				</div>
			</details>
			<div className="hidden rounded-lg border border-line bg-sheet p-6 lg:block">
				<h2 className="mb-4 text-lg">Résumé de commande</h2>
				<SummaryLines order={order} />
				{children}
			</div>
		</aside>
	);
}

function SummaryLines({ order: { company, service: code, deadline } }: { order: SummarisedOrder }) {
	const service = services[code];
	return (
		<>
			<div className="border-t border-line py-3">
				{company ? (
					<>
						<p className="font-semibold">{company.name}</p>
						<p className="text-sm text-soft">
							SIREN <Siren value={company.siren} />
						</p>
						{company.status === "active" && (
							<p className="mt-1 text-sm">
								<CompanyStatus status="active" />
							</p>
						)}
						<CompanyNoticeList notices={company.notices} className="mt-3 text-sm" />
					</>
				) : (
					<p className="text-soft">Entreprise à choisir</p>
				)}
			</div>
			<div className="border-t border-line py-3">
				<p className="font-semibold">{service.name}</p>
				<p className="text-sm">{service.description}</p>
				<p className="text-sm text-soft">{service.delivery}</p>
				<p className="mt-1 text-sm">Pour un paiement immédiat : {deadline}</p>
				<ul className="mt-2 text-sm">
					{service.features.map((feature) => (
						<li key={feature} className="flex items-center gap-2">
							<Icon name="check" className="size-4 text-done" /> {feature}
						</li>
					))}
				</ul>
			</div>
			<PriceBreakdown service={code} />
		</>
	);
}

/** Base price, postal supplement where there is one, total. */
export function PriceBreakdown({ service: code }: { service: ServiceCode }) {
	const service = services[code];
	return (
		<dl className="figures border-t border-line pt-3 [&>div]:flex [&>div]:justify-between [&>div]:gap-4">
			<div>
				<dt>{service.name}</dt>
				<dd>{formatEuros(service.basePrice)}</dd>
			</div>
			{service.postalSupplement > 0 && (
				<div>
					<dt>Supplément postal</dt>
					<dd>{formatEuros(service.postalSupplement)}</dd>
				</div>
			)}
			<div className="mt-1 text-lg font-semibold">
				<dt>Total TTC</dt>
				<dd>{formatEuros(service.price)}</dd>
			</div>
		</dl>
	);
}
