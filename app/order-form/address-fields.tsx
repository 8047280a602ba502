import { type ClipboardEvent, useRef, useState } from "react";
import { button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import type { OrderErrors, OrderValues } from "./order-form.ts";

/** Billing address: a full postal code fills in its city, or offers those it covers. A city can always be typed. */
export function AddressFields({
	values,
	errors,
	postal,
	onCity,
}: {
	values: OrderValues;
	errors: OrderErrors;
	postal: boolean;
	onCity: () => void;
}) {
	// not in a state: what was typed before the page's JavaScript came would be overwritten
	const city = useRef<HTMLInputElement>(null);
	const [choices, setChoices] = useState<string[]>([]);
	const [unknown, setUnknown] = useState(false);
	const asking = useRef<AbortController>(null);

	const setCity = (text: string) => {
		if (city.current) city.current.value = text;
	};
	const fillIn = (found: string) => {
		setCity(found);
		setChoices([]);
		onCity();
	};
	const changePostalCode = async (field: HTMLInputElement) => {
		asking.current?.abort();
		const digits = field.value.replace(/\s/g, "").slice(0, postalCodeLength);
		if (field.value !== digits) field.value = digits;
		setCity("");
		setChoices([]);
		setUnknown(false);
		if (!/^\d{5}$/.test(digits)) return;
		const mine = new AbortController();
		asking.current = mine;
		const cities = await lookUpCities(digits, mine.signal);
		if (mine.signal.aborted || cities === null) return;
		if (cities.length === 1) fillIn(cities[0] ?? "");
		else if (cities.length > 1) setChoices(cities);
		else setUnknown(true);
	};

	return (
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
				// an unknown postal code informs and never blocks (CEDEX)
				error={errors.postalCode ?? (unknown ? "Code postal non trouvé" : undefined)}
				onPaste={pasteWithoutSpaces}
				onChange={(event) => changePostalCode(event.currentTarget)}
			/>
			<div>
				<TextField
					ref={city}
					name="city"
					label="Ville"
					defaultValue={values.city}
					error={errors.city}
					autoComplete="address-level2"
					// what is typed is not overwritten by what is looked up
					onChange={() => asking.current?.abort()}
				/>
				{choices.length > 0 && (
					<fieldset aria-label="Villes de ce code postal" className="mt-2 flex flex-wrap gap-2">
						{choices.map((choice) => (
							<button key={choice} type="button" className={button("secondary")} onClick={() => fillIn(choice)}>
								{choice}
							</button>
						))}
					</fieldset>
				)}
				<p role="status" className="sr-only">
					{choices.length > 0 ? `${choices.length} villes pour ce code postal` : ""}
				</p>
			</div>
			<TextField name="country" label="Pays" value="France" readOnly className="sm:col-span-2" autoComplete="off" />
		</div>
	);
}

const postalCodeLength = 5;

/** « 75 008 » is pasted as 75008: the field's length would count the space and lose the last digit. */
function pasteWithoutSpaces(event: ClipboardEvent<HTMLInputElement>): void {
	event.preventDefault();
	const field = event.currentTarget;
	const pasted = event.clipboardData.getData("text").replace(/\s/g, "");
	field.setRangeText(pasted, field.selectionStart ?? 0, field.selectionEnd ?? field.value.length, "end");
	field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** A postal code may cover more communes than the service's usual ten. */
const mostCities = 100;

/** @returns the cities of a postal code, or null when nobody could say: then nothing is shown. */
async function lookUpCities(postalCode: string, signal: AbortSignal): Promise<string[] | null> {
	const query = new URLSearchParams({ q: postalCode, postcode: postalCode, limit: String(mostCities), type: "municipality" });
	try {
		const response = await fetch(`/api/adresse/search?${query}`, { signal });
		if (!response.ok) return null;
		const { features }: { features: { properties: { city: string; citycode: string } }[] } = await response.json();
		return [...new Map(features.map(({ properties }) => [properties.citycode, properties.city])).values()];
	} catch {
		return null;
	}
}
