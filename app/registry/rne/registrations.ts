import { z } from "zod";
import { parseCalendarDay } from "../calendar-day.ts";

/** What the national register of enterprises (RNE) says of a company, and SIRENE does not. Days are yyyy-mm-dd. */
export interface Registration {
	siren: string;
	/** The day on which the register said so. */
	asOf: string;
	/** Not diffused at the unit's own request: everything else is null, and what was known of it is to be forgotten. */
	withheld: boolean;
	registeredOn: string | null;
	removedOn: string | null;
	/** Null where unknown, and where it is variable. */
	capital: number | null;
	/** ISO 4217. */
	currency: string | null;
	durationYears: number | null;
	/** Null where the register does not say. */
	singlePartner: boolean | null;
}

/**
 * Why an entry is not taken: a sole trader or a joint farm; not diffused at the unit's own request (diffusionINSEE); older than what is
 * known of the same SIREN.
 */
export type SetAside = "no-legal-person" | "withheld" | "older";

const siren = z.string().regex(/^\d{9}$/, "expected nine digits");
const day = z.string().nullish().transform(parseCalendarDay);
const flag = z.boolean().nullish();
const number = z.coerce.number().nullish(); // digits in quotes, too
// a company has a capital of at least one euro, or none: 0 stands for unknown; so do amounts beyond any there is
const capital = number.transform((amount) => (amount && amount > 0 && amount < 1e15 ? amount : null));
const currency = z
	.string()
	.nullish()
	.transform((code) => (code && /^[A-Z]{3}$/.test(code) ? code : null));
const years = number.transform((count) => (count && Number.isInteger(count) && count > 0 && count < 1000 ? count : null));

/** An answer of INPI's API. Source: INPI, technical documentation of the RNE API, formalités; only what is read here. */
const rneAnswer = z.object({
	updatedAt: z.string().nullish(),
	formality: z.object({
		siren,
		// « O » but where the unit opposed it. diffusionCommerciale stands beside it: it is about canvassing, which the shop does not do
		diffusionINSEE: z.string().nullish(),
		content: z.object({
			personneMorale: z
				.object({
					identite: z
						.object({
							// the day of registration; natureCreation.dateCreation is no substitute: a company may be created and registered on two days
							entreprise: z.object({ dateImmat: day, indicateurAssocieUnique: flag }).nullish(),
							description: z
								.object({
									montantCapital: capital,
									capitalVariable: flag,
									deviseCapital: currency,
									duree: years,
									// INPI documents it above and writes it here
									indicateurAssocieUnique: flag,
								})
								.nullish(),
						})
						.nullish(),
					// its dateEffet and dateCessationTotaleActivite are the end of the activity: such a company may still be registered
					detailCessationEntreprise: z.object({ dateRadiation: day }).nullish(),
				})
				.nullish(),
		}),
	}),
});
const recordedAnswer = z.object({ recorded: z.string(), response: rneAnswer });

/** A registration as the State's company search API gives it. */
const searchAnswer = z.object({
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
 * Reads an entry of a file: an answer of the RNE's API, bare or with the day on which it was `recorded`, or a registration of the State's
 * company search API.
 * @param fileDay yyyy-mm-dd, for entries that do not say their day.
 * @throws ZodError where it is something else.
 */
export function readRegistration(entry: unknown, fileDay: string): Registration | "no-legal-person" {
	const { response, formality } = z.looseObject({}).parse(entry);
	if (response !== undefined) {
		const { recorded, response: answer } = recordedAnswer.parse(entry);
		return ofRne(answer, recorded, fileDay);
	}
	if (formality !== undefined) {
		const answer = rneAnswer.parse(entry);
		return ofRne(answer, answer.updatedAt, fileDay);
	}
	const answer = searchAnswer.parse(entry);
	return {
		siren: answer.siren,
		asOf: fileDay,
		withheld: false,
		registeredOn: answer.date_immatriculation,
		removedOn: answer.date_radiation,
		capital: answer.capital_variable ? null : answer.capital_social,
		currency: answer.devise_capital,
		durationYears: answer.duree_personne_morale,
		singlePartner: answer.indicateur_associe_unique ?? null,
	};
}

function ofRne(
	{ formality }: z.output<typeof rneAnswer>,
	said: string | null | undefined,
	fileDay: string,
): Registration | "no-legal-person" {
	const person = formality.content.personneMorale;
	if (!person) return "no-legal-person";
	const { entreprise, description } = person.identite ?? {};
	const withheld = (formality.diffusionINSEE ?? "O") !== "O";
	const nothing = { registeredOn: null, removedOn: null, capital: null, currency: null, durationYears: null, singlePartner: null };
	return {
		siren: formality.siren,
		asOf: parseCalendarDay(said) ?? fileDay,
		withheld,
		...(withheld
			? nothing
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
