import { useEffect, useRef, useState } from "react";
import { href } from "react-router";

/**
 * Fills in the city of a postal code, or offers its cities. The customer can always type another city.
 * The field is uncontrolled, to keep text that was typed before the hydration.
 * @param onCity called when the city has been filled in.
 */
export function useCityLookup(onCity: () => void) {
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
		setCity("");
		setCities([]);
		setUnknown(false);
		if (!/^\d{5}$/.test(postalCode)) return;
		request.current = new AbortController();
		const { signal } = request.current;
		const found = await fetchCities(postalCode, signal);
		if (signal.aborted || found === null) return;
		if (found.length === 1) chooseCity(found[0] ?? "");
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
