import type { ClipboardEvent } from "react";
import { button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import type { OrderErrors, OrderValues } from "./order-form.ts";
import { useCityLookup } from "./use-city-lookup.ts";

interface BillingFieldsProps {
	values: OrderValues;
	errors: OrderErrors;
	/** The extract is posted to this address. */
	postal: boolean;
	/** Called when the city has been filled in. */
	onCity: () => void;
}

export function BillingFields({ values, errors, postal, onCity }: BillingFieldsProps) {
	const { field, cities, unknown, chooseCity, cancel, lookUp } = useCityLookup(onCity);
	return (
		<>
			<TextField
				name="company"
				label="Société à facturer"
				optional
				defaultValue={values.company}
				error={errors.company}
				autoComplete="organization"
				className="mb-5"
			/>
			<div className="grid gap-5 sm:grid-cols-[10rem_1fr]">
				<TextField
					name="address"
					label="Adresse"
					hint={postal ? "Numéro et voie. Le courrier sera posté à cette adresse." : "Numéro et voie"}
					defaultValue={values.address}
					error={errors.address}
					autoComplete="street-address"
					className="sm:col-span-2"
				/>
				<TextField
					name="postalCode"
					label="Code postal"
					inputMode="numeric"
					maxLength={postalCodeLength}
					autoComplete="postal-code"
					defaultValue={values.postalCode}
					// an unknown postal code is only a hint: it may be a CEDEX code
					error={errors.postalCode ?? (unknown ? "Code postal non trouvé" : undefined)}
					onPaste={pasteWithoutSpaces}
					onChange={({ currentTarget }) => {
						const digits = currentTarget.value.replace(/\s/g, "").slice(0, postalCodeLength);
						if (currentTarget.value !== digits) currentTarget.value = digits;
						lookUp(digits);
					}}
				/>
				<div>
					<TextField
						ref={field}
						name="city"
						label="Ville"
						defaultValue={values.city}
						error={errors.city}
						autoComplete="address-level2"
						onChange={cancel}
					/>
					<CityChoice cities={cities} onChoose={chooseCity} />
				</div>
				<TextField name="country" label="Pays" value="France" readOnly className="sm:col-span-2" autoComplete="off" />
			</div>
		</>
	);
}

function CityChoice({ cities, onChoose }: { cities: readonly string[]; onChoose: (city: string) => void }) {
	return (
		<>
			{cities.length > 0 && (
				<fieldset aria-label="Villes de ce code postal" className="mt-2 flex flex-wrap gap-2">
					{cities.map((city) => (
						<button key={city} type="button" className={button("secondary")} onClick={() => onChoose(city)}>
							{city}
						</button>
					))}
				</fieldset>
			)}
			<p role="status" className="sr-only">
				{cities.length > 0 ? `${cities.length} villes pour ce code postal` : ""}
			</p>
		</>
	);
}

const postalCodeLength = 5;

/** « 75 008 » is pasted as 75008: with the space, the field's length limit would cut the last digit. */
function pasteWithoutSpaces(event: ClipboardEvent<HTMLInputElement>): void {
	event.preventDefault();
	const field = event.currentTarget;
	const pasted = event.clipboardData.getData("text").replace(/\s/g, "");
	field.setRangeText(pasted, field.selectionStart ?? 0, field.selectionEnd ?? field.value.length, "end");
	field.dispatchEvent(new Event("input", { bubbles: true }));
}
