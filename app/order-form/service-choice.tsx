import { type RefObject, useEffect, useState } from "react";
import { formatEuros } from "../catalogue/money.ts";
import { parseServiceCode, type Service, type ServiceCode, serviceCodes, services } from "../catalogue/services.ts";
import { ChoiceCard, Tag } from "../ui/card.tsx";
import { Icon } from "../ui/icon.tsx";

interface ServiceChoiceProps {
	chosen: ServiceCode | null;
	/** The deadline of each service if the customer pays now. */
	deadlines: Record<ServiceCode, string>;
	/** True: side by side with all features. False: one below the other, in a line or two. */
	detailed?: boolean;
	/** The id of the error about a missing choice. */
	errorId?: string | undefined;
	onChoose: (code: ServiceCode) => void;
}

/** The service chosen in a form. Reads the form once, for a choice made before the hydration. */
export function useChosenService<Initial extends ServiceCode | null>(form: RefObject<HTMLFormElement | null>, initial: Initial) {
	const [chosen, setChosen] = useState<ServiceCode | Initial>(initial);
	useEffect(() => {
		const checked = form.current && parseServiceCode(String(new FormData(form.current).get("service")));
		if (checked) setChosen(checked);
	}, [form]);
	return [chosen, setChosen] as const;
}

/** The three services as radio cards, each with its deadline. */
export function ServiceChoice({ chosen, deadlines, detailed = false, errorId, onChoose }: ServiceChoiceProps) {
	return (
		<fieldset id="service" aria-describedby={errorId} className={detailed ? "grid gap-5 lg:grid-cols-3" : "grid gap-3"}>
			<legend className="sr-only">Service</legend>
			{serviceCodes.map((code) => (
				<ChoiceCard
					key={code}
					name="service"
					value={code}
					title={services[code].name}
					aside={formatEuros(services[code].price)}
					mark={services[code].recommended ? <Tag strong>Recommandé</Tag> : undefined}
					defaultChecked={code === chosen}
					aria-describedby={errorId}
					onChange={() => onChoose(code)}
				>
					{detailed ? (
						<ServiceDetails service={services[code]} />
					) : (
						<>
							<span>{`${services[code].description} Livraison sous ${services[code].timeline}.`}</span>
							<span className="max-sm:hidden">{services[code].features.join(" · ")}</span>
						</>
					)}
					<span className="block">Pour un paiement immédiat : {deadlines[code]}.</span>
				</ChoiceCard>
			))}
		</fieldset>
	);
}

function ServiceDetails({ service }: { service: Service }) {
	return (
		<>
			<span className="block">{service.description}</span>
			<span className="mt-3 grid gap-1">
				{service.features.map((feature) => (
					<span key={feature} className="flex gap-2">
						<Icon name="check" className="mt-0.5 size-4.5 text-accent" />
						{feature}
					</span>
				))}
			</span>
			<span className="mt-auto pt-3 font-semibold text-ink">Livraison sous {service.timeline}</span>
		</>
	);
}
