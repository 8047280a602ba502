import { type Deadlines, describeArrival } from "../../../catalogue/deadlines.ts";
import { inParis } from "../../../catalogue/instants.ts";
import { formatEuros } from "../../../catalogue/money.ts";
import { type ServiceCode, serviceCodes, services } from "../../../catalogue/services.ts";
import { FieldMessages } from "../../../ui/field.tsx";
import { setFrenchSpaces } from "../../../ui/french-spaces.ts";

interface CommonServiceProps {
	/** Null: none is chosen yet, and none is recommended for all lines. */
	chosen: ServiceCode | null;
	/** The deadline of each service if the customer pays now. */
	deadlines: Deadlines;
	/** Why the chosen service cannot be ordered. */
	error: string | undefined;
}

/** The service of the lines that have none of their own: a row each, and what is the same for all of them said once. */
export function CommonService({ chosen, deadlines, error }: CommonServiceProps) {
	return (
		<>
			<FieldMessages name="service" label="" error={error} />
			<fieldset
				id="service"
				className="divide-y divide-line rounded-lg border border-edge bg-sheet"
				aria-describedby={error ? "service-error" : undefined}
			>
				<legend className="sr-only">Service commun</legend>
				{serviceCodes.map((code) => (
					<label
						key={code}
						className="flex cursor-pointer has-disabled:cursor-not-allowed gap-3 px-4 py-2 hover:bg-shade has-checked:bg-shade has-checked:chosen has-focus-visible:chosen"
					>
						<input
							type="radio"
							name="service"
							value={code}
							defaultChecked={code === chosen}
							// a chosen one is sent: the server says why it cannot be ordered
							disabled={!deadlines[code].open && code !== chosen}
							className="radio mt-1 outline-none"
						/>
						<span className="min-w-0 flex-1">
							<span className="flex justify-between gap-4 font-semibold">
								{services[code].name}
								<span className="figures">{formatEuros(services[code].price)}</span>
							</span>
							<span className="block text-sm text-soft">
								{setFrenchSpaces(describeArrival(code, deadlines[code]).replace(inParis, ""))}
							</span>
						</span>
					</label>
				))}
			</fieldset>
			<p className="mt-2 text-sm text-soft">
				Si vous payez maintenant, à l’heure de Paris. Ce service s’applique aux lignes sans choix particulier. Vous recevez un e-mail quand
				tout est prêt.
			</p>
		</>
	);
}
