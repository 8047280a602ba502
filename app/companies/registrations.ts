import { z } from "zod";

/** What the RNE knows and SIRENE does not. Dates are yyyy-mm-dd. */
export interface Registration {
	capital: number | null;
	currency: string | null;
	registeredOn: string | null;
	removedOn: string | null;
	singlePartner: boolean | null;
}

const answers = z.array(
	z.object({
		siren: z.string().regex(/^\d{9}$/),
		capital_social: z.number().nonnegative().nullish(),
		devise_capital: z.string().nullish(),
		date_immatriculation: z.string().nullish(),
		date_radiation: z.string().nullish(),
		indicateur_associe_unique: z.boolean().nullish(),
	}),
);

/**
 * Reads `immatriculations.json`: registrations by SIREN, as the State's company search API gives them.
 * @throws ZodError when the file is another one.
 */
export function readRegistrations(json: string): Map<string, Registration> {
	return new Map(
		answers.parse(JSON.parse(json)).map((answer) => [
			answer.siren,
			{
				capital: answer.capital_social ?? null,
				currency: answer.devise_capital ?? null,
				registeredOn: answer.date_immatriculation ?? null,
				removedOn: answer.date_radiation ?? null,
				singlePartner: answer.indicateur_associe_unique ?? null,
			},
		]),
	);
}
