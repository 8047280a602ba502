import { button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import type { OrderErrors, OrderField, OrderValues } from "../order-form.ts";
import { useCityLookup } from "./use-city-lookup.ts";

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
					if (currentTarget.value !== digits) currentTarget.value = digits;
					lookUp(digits);
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
