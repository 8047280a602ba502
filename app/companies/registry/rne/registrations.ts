import { z } from "zod";
import { parseCalendarDay } from "../../calendar-day.ts";

/** Data of a company that only the national register of enterprises (RNE) has. Days are yyyy-mm-dd. */
export interface Registration {
	siren: string;
	/** The day of the data. */
	asOf: string;
	/** Not diffused at the unit's request: all other values are null, and stored ones must be deleted. */
	withheld: boolean;
	registeredOn: string | null;
	removedOn: string | null;
	/** Null when unknown or variable. */
	capital: number | null;
	/** ISO 4217. */
	currency: string | null;
	durationYears: number | null;
	/** Null when unknown. */
	singlePartner: boolean | null;
}

/**
 * Why an entry is skipped: a sole trader or a joint farm; not diffused at the unit's request (diffusionINSEE); older than the stored entry.
 */
export type SkipReason = "no-legal-person" | "withheld" | "older";

const siren = z.string().regex(/^\d{9}$/, "expected nine digits");
const day = z.string().nullish().transform(parseCalendarDay);
const flag = z.boolean().nullish();
const number = z.coerce.number().nullish(); // accepts digits in quotes
// 0 and absurdly large amounts mean unknown
const capital = number.transform((amount) => (amount && amount > 0 && amount < 1e15 ? amount : null));
const currency = z
	.string()
	.nullish()
	.transform((code) => (code && /^[A-Z]{3}$/.test(code) ? code : null));
const years = number.transform((count) => (count && Number.isInteger(count) && count > 0 && count < 1000 ? count : null));

/** A response of INPI's API; only the fields that are read. Source: INPI, technical documentation of the RNE API, formalités. */
const rneResponse = z.object({
	updatedAt: z.string().nullish(),
	formality: z.object({
		siren,
		// « O » unless the unit objected; diffusionCommerciale concerns canvassing, which the shop does not do
		diffusionINSEE: z.string().nullish(),
		content: z.object({
			personneMorale: z
				.object({
					identite: z
						.object({
							// the day of registration, which may differ from natureCreation.dateCreation
							entreprise: z.object({ dateImmat: day, indicateurAssocieUnique: flag }).nullish(),
							description: z
								.object({
									montantCapital: capital,
									capitalVariable: flag,
									deviseCapital: currency,
									duree: years,
									// INPI documents this field above but writes it here
									indicateurAssocieUnique: flag,
								})
								.nullish(),
						})
						.nullish(),
					// dateEffet and dateCessationTotaleActivite mark the end of activity only: the company may still be registered
					detailCessationEntreprise: z.object({ dateRadiation: day }).nullish(),
				})
				.nullish(),
		}),
	}),
});
const recordedResponse = z.object({ recorded: z.string(), response: rneResponse });

/** A registration in the format of the State's company search API. */
const searchResponse = z.object({
	siren,
	capital_social: capital,
	devise_capital: currency,
	capital_variable: flag,
	date_immatriculation: z
		.string("this is neither an answer of the RNE (formality) nor one of the company search (date_immatriculation)")
		.nullable()
		.transform(parseCalendarDay),
	date_radiation: day,
	duree_personne_morale: years,
	indicateur_associe_unique: flag,
});

/**
 * Parses an entry of a file: a response of the RNE's API, with or without its `recorded` day, or a registration of the State's company
 * search API.
 * @param fileDay yyyy-mm-dd, for entries without a date.
 * @throws ZodError for any other format.
 */
export function parseRegistration(entry: unknown, fileDay: string): Registration | "no-legal-person" {
	const { response, formality } = z.looseObject({}).parse(entry);
	if (response !== undefined) {
		const { recorded, response: data } = recordedResponse.parse(entry);
		return parseRneResponse(data, recorded, fileDay);
	}
	if (formality !== undefined) {
		const data = rneResponse.parse(entry);
		return parseRneResponse(data, data.updatedAt, fileDay);
	}
	const data = searchResponse.parse(entry);
	return {
		siren: data.siren,
		asOf: fileDay,
		withheld: false,
		registeredOn: data.date_immatriculation,
		removedOn: data.date_radiation,
		capital: data.capital_variable ? null : data.capital_social,
		currency: data.devise_capital,
		durationYears: data.duree_personne_morale,
		singlePartner: data.indicateur_associe_unique ?? null,
	};
}

function parseRneResponse(
	{ formality }: z.output<typeof rneResponse>,
	day: string | null | undefined,
	fileDay: string,
): Registration | "no-legal-person" {
	const person = formality.content.personneMorale;
	if (!person) return "no-legal-person";
	const { entreprise, description } = person.identite ?? {};
	const withheld = (formality.diffusionINSEE ?? "O") !== "O";
	const withheldValues = { registeredOn: null, removedOn: null, capital: null, currency: null, durationYears: null, singlePartner: null };
	return {
		siren: formality.siren,
		asOf: parseCalendarDay(day) ?? fileDay,
		withheld,
		...(withheld
			? withheldValues
			: {
					registeredOn: entreprise?.dateImmat ?? null,
					removedOn: person.detailCessationEntreprise?.dateRadiation ?? null,
					capital: description?.capitalVariable ? null : (description?.montantCapital ?? null),
					currency: description?.deviseCapital ?? null,
					durationYears: description?.duree ?? null,
					singlePartner: entreprise?.indicateurAssocieUnique ?? description?.indicateurAssocieUnique ?? null,
				}),
	};
}
