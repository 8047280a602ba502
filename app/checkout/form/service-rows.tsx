import { type Deadline, type Deadlines, describeArrival, describeDeadline } from "../../catalogue/deadlines.ts";
import { inParis } from "../../catalogue/instants.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { type ServiceCode, serviceCodes, services } from "../../catalogue/services.ts";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";

interface ServiceRowsProps {
	/** Null: none is chosen yet. */
	chosen: ServiceCode | null;
	/** The deadline of each service if the customer pays now. */
	deadlines: Deadlines;
	legend?: string;
	/** Whether the recommended service is marked. */
	recommends?: boolean;
	/** Price and hour alone, for many lines: what is the same for all services is said beside. */
	brief?: boolean;
	/** The id of the error. */
	error?: string | undefined;
	onChoose?: (() => void) | undefined;
}

/** The choice of a service, wherever there is one: radio buttons, whose whole row is the click target. It works without JavaScript. */
export function ServiceRows({ chosen, deadlines, legend = "Service", recommends, brief, error, onChoose }: ServiceRowsProps) {
	return (
		<fieldset aria-describedby={error} className="divide-y divide-line overflow-hidden rounded-lg border border-edge bg-sheet">
			<legend className="sr-only">{legend}</legend>
			{serviceCodes.map((code) => {
				const { name, price, recommended } = services[code];
				const deadline = deadlines[code];
				return (
					<label
						key={code}
						className="flex cursor-pointer has-disabled:cursor-not-allowed gap-3 px-4 py-3 max-sm:py-2 transition-colors hover:bg-shade has-checked:bg-shade has-checked:chosen has-focus-visible:chosen"
					>
						<input
							type="radio"
							name="service"
							id={`service-${code}`}
							value={code}
							defaultChecked={code === chosen}
							// a chosen one is sent: the server says why it cannot be ordered
							disabled={!deadline.open && code !== chosen}
							onChange={onChoose}
							className="radio mt-1 outline-none"
						/>
						<span className="min-w-0 flex-1 text-sm">
							<span className="flex flex-wrap items-baseline gap-x-2 text-base">
								<span className="font-serif text-lg leading-snug font-medium">{name}</span>
								{recommends && recommended && deadline.open && (
									<span className="text-xs font-semibold text-accent max-[22rem]:order-1 max-[22rem]:w-full">Recommandé</span>
								)}
								<span className="figures ml-auto font-semibold">{formatEuros(price)}</span>
							</span>
							{brief ? (
								<span className="block text-soft">{setFrenchSpaces(describeArrival(code, deadline).replace(inParis, ""))}</span>
							) : (
								<Description code={code} deadline={deadline} />
							)}
						</span>
					</label>
				);
			})}
		</fieldset>
	);
}

/** When it comes, and what it is. On narrow screens, what it is unfolds with the choice. */
function Description({ code, deadline }: { code: ServiceCode; deadline: Deadline }) {
	const { description, features, timeline } = services[code];
	return (
		<>
			<span className="block">
				<span className="sm:font-semibold">{setFrenchSpaces(`Livraison sous ${timeline}`)}</span>
				<span className={`block ${deadline.open ? "text-soft" : "font-semibold"}`}>
					{setFrenchSpaces(describeDeadline(code, deadline))}
				</span>
			</span>
			<span className="mt-1 hidden text-soft [label:has(:checked)_&]:block lg:block">
				{description} {deadline.arrival}
				<span className="block">{features.join(" · ")}</span>
			</span>
		</>
	);
}
