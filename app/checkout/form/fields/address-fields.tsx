import { useEffect, useRef, useState } from "react";
import { href } from "react-router";
import { readAddress } from "../../../companies/addresses/read-address.ts";
import { button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import type { OrderErrors, OrderField, OrderValues } from "../order-form.ts";

/** The fields of each address, and their section in the browser's address book. */
const addresses = {
	billing: { address: "address", postalCode: "postalCode", city: "city", section: "billing" },
	delivery: { address: "deliveryAddress", postalCode: "deliveryPostalCode", city: "deliveryCity", section: "shipping" },
} as const satisfies Record<string, Record<string, OrderField | string>>;

type AddressField = Extract<OrderField, (typeof addresses)[keyof typeof addresses]["address" | "postalCode" | "city"]>;

interface AddressFieldsProps {
	kind: keyof typeof addresses;
	values: Partial<Pick<OrderValues, AddressField>>;
	errors: Pick<OrderErrors, AddressField>;
	hint?: string;
	/** Called when the city has been filled in. */
	onCity?: (field: AddressField) => void;
	/** Further fields between street and postal code. */
	children?: React.ReactNode;
}

/** Street, postal code and city of an address in France. On pages without scripts, the city is typed. */
export function AddressFields({ kind, values, errors, hint, onCity, children }: AddressFieldsProps) {
	const { address, postalCode, city, section } = addresses[kind];
	const { field, postalCodeField, cities, unknown, chooseCity, cancel, lookUp } = useCityLookup(() => onCity?.(city));
	return (
		<div className="grid grid-cols-2 gap-x-3 gap-y-5 sm:grid-cols-[10rem_1fr] sm:gap-x-5">
			<TextField
				name={address}
				label="Adresse"
				hint={hint}
				placeholder="Numéro et voie"
				defaultValue={values[address]}
				error={errors[address]}
				autoComplete={`${section} street-address`}
				className="col-span-2"
			/>
			{children}
			<TextField
				ref={postalCodeField}
				name={postalCode}
				label="Code postal"
				inputMode="numeric"
				autoComplete={`${section} postal-code`}
				defaultValue={values[postalCode]}
				// an unknown postal code is only a hint: it may be a CEDEX code
				error={errors[postalCode] ?? (unknown ? "Code postal non trouvé" : undefined)}
				onChange={({ currentTarget }) => {
					const digits = currentTarget.value.replace(/\s/g, "").slice(0, postalCodeLength);
					// what is pasted around a code is read when the form is sent
					if (!/[^\d\s]/.test(currentTarget.value) && currentTarget.value !== digits) currentTarget.value = digits;
					lookUp(readAddress({ street: "", postalCode: currentTarget.value, city: "" }).postalCode);
				}}
			/>
			<TextField
				ref={field}
				name={city}
				label="Ville"
				defaultValue={values[city]}
				error={errors[city]}
				autoComplete={`${section} address-level2`}
				onChange={cancel}
			/>
			<CityChoice cities={cities} onChoose={chooseCity} />
			<p className="col-span-2 -mt-2 text-sm text-soft">Pays&nbsp;: France</p>
		</div>
	);
}

function CityChoice({ cities, onChoose }: { cities: readonly string[]; onChoose: (city: string) => void }) {
	return (
		<>
			{cities.length > 0 && (
				<fieldset aria-label="Villes de ce code postal" className="col-span-2 flex flex-wrap gap-2">
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

/**
 * Fills in the city of a postal code, or offers its cities. The customer can always type another city.
 * The field is uncontrolled, to keep text that was typed before the hydration.
 * @param onCity called when the city has been filled in.
 */
function useCityLookup(onCity: () => void) {
	const field = useRef<HTMLInputElement>(null);
	const postalCodeField = useRef<HTMLInputElement>(null);
	const [cities, setCities] = useState<string[]>([]);
	const [unknown, setUnknown] = useState(false);
	const request = useRef<AbortController>(null);

	const setCity = (city: string) => {
		if (field.current) field.current.value = city;
	};
	const chooseCity = (city: string) => {
		setCity(city);
		setCities([]);
		onCity();
	};
	const lookUp = async (postalCode: string) => {
		request.current?.abort();
		const before = field.current?.value;
		setCity("");
		setCities([]);
		setUnknown(false);
		if (!/^\d{5}$/.test(postalCode)) return;
		request.current = new AbortController();
		const { signal } = request.current;
		const found = await fetchCities(postalCode, signal);
		if (signal.aborted || found === null) return;
		// a browser's address book may fill in the city first
		const city = found.length === 1 ? found[0] : found.find((name) => name === before);
		if (city) chooseCity(city);
		else if (found.length > 1) setCities(found);
		else setUnknown(true);
	};
	const lookUpOnArrival = useRef(lookUp);
	// the postal code may have been typed before this code arrived
	useEffect(() => {
		if (field.current?.value === "" && postalCodeField.current?.value) lookUpOnArrival.current(postalCodeField.current.value);
	}, []);
	return {
		field,
		postalCodeField,
		/** The cities to choose from, when several share the postal code. */
		cities,
		/** The postal code has no city. Only a hint: a CEDEX code has none either. */
		unknown,
		chooseCity,
		/** Stops the lookup, so that a late answer does not overwrite a typed city. */
		cancel: () => request.current?.abort(),
		lookUp,
	};
}

/** A postal code may cover more communes than the ten that the service returns by default. */
const maxCities = 100;

/** @returns the cities of a postal code, or null when the service does not answer: then nothing is shown. */
async function fetchCities(postalCode: string, signal: AbortSignal): Promise<string[] | null> {
	const query = new URLSearchParams({ q: postalCode, postcode: postalCode, limit: String(maxCities), type: "municipality" });
	try {
		const response = await fetch(`${href("/api/adresse/search")}?${query}`, { signal });
		if (!response.ok) return null;
		const { features }: { features: { properties: { city: string; citycode: string } }[] } = await response.json();
		return [...new Map(features.map(({ properties }) => [properties.citycode, properties.city])).values()];
	} catch {
		return null;
	}
}
