import { formatEuros } from "../catalogue/money.ts";
import { type ServiceCode, serviceCodes, services } from "../catalogue/services.ts";
import { ChoiceCard, Tag } from "../ui/card.tsx";
import { Icon } from "../ui/icon.tsx";

interface ServiceChoiceProps {
	chosen: ServiceCode | null;
	/** What each service would promise for a payment now. */
	deadlines: Record<ServiceCode, string>;
	/** The id of what complains of a missing choice. */
	errorId: string | undefined;
	onChoose: (code: ServiceCode) => void;
}

/** The three services side by side, none chosen beforehand. */
export function ServiceChoice({ chosen, deadlines, errorId, onChoose }: ServiceChoiceProps) {
	return (
		<fieldset aria-describedby={errorId} className="grid gap-5 lg:grid-cols-3">
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
						aria-describedby={errorId}
						onChange={() => onChoose(code)}
					>
						<span className="block">{service.description}</span>
						<span className="mt-3 grid gap-1">
							{service.features.map((feature) => (
								<span key={feature} className="flex gap-2">
									<Icon name="check" className="mt-0.5 size-4.5 text-accent" />
									{feature}
								</span>
							))}
						</span>
						<span className="mt-3 block font-semibold text-ink">Livraison sous {service.timeline}</span>
						<span className="block">Pour un paiement immédiat : {deadlines[code]}.</span>
					</ChoiceCard>
				);
			})}
		</fieldset>
	);
}
