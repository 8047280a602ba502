import type { ReactNode } from "react";
import { href } from "react-router";
import { type Deadline, describeDelivery } from "../../catalogue/deadlines.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { type ServiceCode, services } from "../../catalogue/services.ts";
import type { CompanyPreview } from "../../companies/company.ts";
import { CompanyNoticeList, CompanyStatus } from "../../companies/company-notice-list.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { Icon } from "../../ui/icon.tsx";
import { Siren } from "../../ui/siren.tsx";

interface SummarisedOrder {
	company: CompanyPreview | null;
	service: ServiceCode;
	/** Of the service, if the customer pays now. */
	deadline: Deadline;
}

/** Product, price and deadline of the only line. */
export function LineSummary({ order: { company, service: code, deadline }, children }: { order: SummarisedOrder; children?: ReactNode }) {
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
				<p className="mt-1 text-sm">{setFrenchSpaces(describeDelivery(code, deadline))}</p>
				<ul className="mt-2 text-sm">
					{service.features.map((feature) => (
						<li key={feature} className="flex items-center gap-2">
							<Icon name="check" className="size-4 text-done" /> {feature}
						</li>
					))}
				</ul>
			</div>
			<PriceBreakdown service={code} />
			{children}
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

/** To the company's page, with this service chosen. */
export function ChangeSelection({ siren, service }: { siren: string; service: ServiceCode }) {
	return (
		<a
			className="link mt-4 inline-flex min-h-11 items-center"
			href={`${href("/entreprise/:siren", { siren })}?back=true&service=${service}`}
		>
			Modifier ma sélection
		</a>
	);
}
