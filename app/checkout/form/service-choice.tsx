import { type Deadlines, describeDelivery } from "../../catalogue/deadlines.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { type ServiceCode, serviceCodes, services } from "../../catalogue/services.ts";
import { ChoiceCard, Tag } from "../../ui/card.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";

interface ServiceChoiceProps {
	/** Null: nothing is chosen yet. */
	chosen: ServiceCode | null;
	/** The deadline of each service if the customer pays now. */
	deadlines: Deadlines;
	/** Why the chosen service cannot be ordered. */
	error?: string | undefined;
	onChoose?: () => void;
}

/** The three services as radio cards, each with its deadline. */
export function ServiceChoice({ chosen, deadlines, error, onChoose }: ServiceChoiceProps) {
	return (
		<fieldset id="service" className="grid gap-3" aria-describedby={error ? "service-error" : undefined}>
			<legend className="sr-only">Service</legend>
			{error && (
				<p id="service-error" className="font-semibold text-failed">
					{error}
				</p>
			)}
			{serviceCodes.map((code) => (
				<ChoiceCard
					key={code}
					name="service"
					value={code}
					title={services[code].name}
					aside={formatEuros(services[code].price)}
					mark={services[code].recommended && deadlines[code].open ? <Tag strong>Recommandé</Tag> : undefined}
					defaultChecked={code === chosen}
					// a chosen one is sent: the server says why it cannot be ordered
					disabled={!deadlines[code].open && code !== chosen}
					onChange={onChoose}
				>
					<span>{`${services[code].description} Livraison sous ${services[code].timeline}.`}</span>
					<span className="max-sm:hidden">{services[code].features.join(" · ")}</span>
					<span className="block">{setFrenchSpaces(describeDelivery(code, deadlines[code]))}</span>
				</ChoiceCard>
			))}
		</fieldset>
	);
}
