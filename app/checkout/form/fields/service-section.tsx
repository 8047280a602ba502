import { type ReactNode, useRef, useState } from "react";
import { type Deadlines, describeArrival } from "../../../catalogue/deadlines.ts";
import { formatEuros } from "../../../catalogue/money.ts";
import { type ServiceCode, services } from "../../../catalogue/services.ts";
import type { CompanyPreview } from "../../../companies/company.ts";
import { PriceBreakdown } from "../order-summary.tsx";
import { ServiceChoice } from "../service-choice.tsx";

interface ServiceSectionProps {
	/** The company of the URL; null on the form that asks for it. */
	company: CompanyPreview | null;
	service: ServiceCode;
	/** False: the service is only suggested, and the choice is open. */
	confirmed: boolean;
	deadlines: Deadlines;
	/** Why the chosen service cannot be ordered. */
	error: string | undefined;
	onChoose: () => void;
	children?: ReactNode;
}

/** What is ordered, in one line: company, service, price and deadline. It opens the choice of the service. */
export function ServiceSection({ company, service, confirmed, deadlines, error, onChoose, children }: ServiceSectionProps) {
	const [open, setOpen] = useState(!confirmed || error !== undefined);
	const usesPointer = useRef(false);
	return (
		<details
			open={open}
			onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
			className="group mb-6 rounded-lg sm:mb-8 border border-line bg-sheet"
		>
			<summary className="flex items-center justify-between gap-4 px-4 py-3">
				<span className="min-w-0">
					<span className="block text-sm text-soft">{company ? "Votre commande" : confirmed ? "Service" : "Service à confirmer"}</span>
					{company && (
						<strong>
							<span className="company-name">{company.name}</span>
							{" · "}
						</strong>
					)}
					<span className="figures">{`${services[service].name} · ${formatEuros(services[service].price)} · ${describeArrival(service, deadlines[service])}`}</span>
				</span>
				<span className="link inline-flex min-h-11 items-center font-semibold">
					<span className="group-open:hidden">Modifier</span>
					<span className="hidden group-open:inline">Fermer</span>
				</span>
			</summary>
			{/* biome-ignore lint/a11y/noStaticElementInteractions: only detects how a choice is made: arrow keys may go on, a tap is the last act */}
			<div
				className="px-4 pb-4"
				onPointerDown={() => {
					usesPointer.current = true;
				}}
				onKeyDown={() => {
					usesPointer.current = false;
				}}
			>
				<ServiceChoice
					chosen={service}
					deadlines={deadlines}
					error={error}
					onChoose={() => {
						onChoose();
						if (usesPointer.current) setOpen(false);
					}}
				/>
				<div className="mt-4 lg:hidden">
					<PriceBreakdown service={service} />
				</div>
				{children}
			</div>
		</details>
	);
}
