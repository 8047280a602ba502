import { Temporal } from "temporal-polyfill";
import { z } from "zod";
import { toParisDay } from "../../../catalogue/settings/days-off.ts";
import { cleanLine } from "../../../ui/forms/text.ts";
import { parseCalendarDay } from "../../calendar-day.ts";
import { isSiren } from "../../siren.ts";
import { cleanName } from "../sirene/clean-value.ts";

/** Data of a company that only the national register of enterprises (RNE) has. Days are yyyy-mm-dd. */
interface RegistrationData {
	registeredOn: string | null;
	/** Null: it is registered. */
	removedOn: string | null;
	/** Null when variable. */
	capital: number | null;
	/** ISO 4217, of the capital; null when it is not said. */
	currency: string | null;
	durationYears: number | null;
	singlePartner: boolean | null;
	/** In the company's words, at most 2,000 characters. */
	purpose: string | null;
	/** The last day of its financial year: 1231 is 31 December. */
	yearEnd: number | null;
	/** The year in which its duration ends, which may have been extended: it does not follow from registration and duration. */
	endsIn: number | null;
}

/** What an entry says about a company. What it does not say stays as it is known (docs/rules.md, R235). */
export interface Registration extends Partial<RegistrationData> {
	siren: string;
	/** The instant of the data, ISO 8601. */
	at: string;
	/** Not diffused at the unit's request: it says null of everything, so that stored values are deleted. */
	withheld: boolean;
}

/**
 * Why an entry is skipped: a sole trader or a joint farm; not diffused at the unit's request (diffusionINSEE); without anything that is newer than
 * what is known; unreadable.
 */
export type SkipReason = "no-legal-person" | "withheld" | "older" | "faulty";

const siren = z.string().refine(isSiren, "expected nine digits that are not all zero");
const day = z.string().nullish().transform(parseRegisterDay);
const flag = z.boolean().nullish();
const number = z
	.union([
		z.number(),
		z
			.string()
			.regex(/^(-?\d+(\.\d+)?)?$/, "expected a number")
			.transform(Number),
	])
	.nullish();
/** 0, negative and absurdly large amounts mean unknown. */
const capital = number.transform((amount) => (typeof amount === "number" && amount > 0 && amount < 1e15 ? amount : null));
const currency = z.string().nullish().transform(parseCurrency);
const years = number.transform((count) =>
	typeof count === "number" && Number.isInteger(count) && count > 0 && count < 1000 ? count : null,
);
const purpose = z.string().nullish().transform(parsePurpose);
const yearEnd = z.string().nullish().transform(parseYearEnd);
const endsIn = z.string().nullish().transform(parseEndYear);

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
									objet: purpose,
									dateClotureExerciceSocial: yearEnd,
									dateFinExistence: endsIn,
									// INPI documents this field above but writes it here
									indicateurAssocieUnique: flag,
								})
								.nullish(),
						})
						.nullish(),
					// dateEffet and dateCessationTotaleActivite also belong to a company that rests (mise en sommeil), and stays registered
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
		.transform(parseRegisterDay),
	date_radiation: day,
	duree_personne_morale: years,
	date_cloture_exercice: yearEnd,
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
		return parseRneResponse(data, parseInstant(recorded, fileDay));
	}
	if (formality !== undefined) {
		const data = rneResponse.parse(entry);
		return parseRneResponse(data, parseInstant(data.updatedAt, fileDay));
	}
	const data = searchResponse.parse(entry);
	return {
		siren: data.siren,
		at: parseInstant(null, fileDay),
		withheld: false,
		...omitUnsaid({ registeredOn: data.date_immatriculation, durationYears: data.duree_personne_morale }),
		...omitUnsaid({ singlePartner: data.indicateur_associe_unique, yearEnd: data.date_cloture_exercice }),
		...describeCapital(data.capital_social, data.devise_capital, data.capital_variable),
		...(data.date_radiation !== undefined && { removedOn: data.date_radiation }),
	};
}

const withheldData: RegistrationData = {
	registeredOn: null,
	removedOn: null,
	capital: null,
	currency: null,
	durationYears: null,
	singlePartner: null,
	purpose: null,
	yearEnd: null,
	endsIn: null,
};

function parseRneResponse({ formality }: z.output<typeof rneResponse>, at: string): Registration | "no-legal-person" {
	const person = formality.content.personneMorale;
	if (!person) return "no-legal-person";
	const identity = { siren: formality.siren, at };
	if ((formality.diffusionINSEE ?? "O") !== "O") return { ...identity, withheld: true, ...withheldData };
	const { entreprise, description } = person.identite ?? {};
	const { detailCessationEntreprise: cessation } = person;
	const removedOn = cessation?.dateRadiation;
	// a whole entry without a removal says that there is none; one that lacks more may lack the removal too
	const saysRemoval = removedOn !== undefined || cessation === null || (!cessation && entreprise?.dateImmat && description);
	return {
		...identity,
		withheld: false,
		...omitUnsaid({ registeredOn: entreprise?.dateImmat, durationYears: description?.duree }),
		...omitUnsaid({
			purpose: description?.objet,
			yearEnd: description?.dateClotureExerciceSocial,
			endsIn: description?.dateFinExistence,
		}),
		...omitUnsaid({ singlePartner: entreprise?.indicateurAssocieUnique ?? description?.indicateurAssocieUnique }),
		...describeCapital(description?.montantCapital, description?.deviseCapital, description?.capitalVariable),
		...(saysRemoval && { removedOn: removedOn ?? null }),
	};
}

/** Leaves out what an entry does not say: no company loses its registration, its duration or the number of its partners. */
function omitUnsaid<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
		[Key in keyof Fields]?: NonNullable<Fields[Key]>;
	};
}

/** An amount in a currency that cannot be read says nothing. */
function describeCapital(
	amount: number | null | undefined,
	code: string | null | undefined,
	isVariable: boolean | null | undefined,
): Pick<Registration, "capital" | "currency"> {
	if (isVariable) return { capital: null, currency: null };
	return amount && code !== unknownCurrency ? { capital: amount, currency: code ?? null } : {};
}

const unknownCurrency = "?";

/** The ways in which the register writes currencies, besides their codes. */
const currencyNames: Record<string, string> = {
	"€": "EUR",
	EURO: "EUR",
	EUROS: "EUR",
	F: "FRF",
	FF: "FRF",
	FRS: "FRF",
	FRANC: "FRF",
	FRANCS: "FRF",
	"FRANC FRANCAIS": "FRF",
	"FRANCS FRANCAIS": "FRF",
	CFP: "XPF",
	FCFP: "XPF",
	"FRANC CFP": "XPF",
	"FRANCS CFP": "XPF",
};

/** ISO 4217, with the currencies of before the euro. */
const currencyCodes = new Set([...Intl.supportedValuesOf("currency"), ..."ATS BEF DEM ESP FIM FRF GRD IEP ITL LUF NLG PTE".split(" ")]);

/** Returns the code of a currency; null for none, and `unknownCurrency` for anything else. */
function parseCurrency(text: string | null | undefined): string | null {
	const name = (text ?? "").trim().normalize("NFD").replace(/\p{M}/gu, "").toUpperCase();
	if (name === "") return null;
	return currencyNames[name] ?? (currencyCodes.has(name) ? name : unknownCurrency);
}

/** The purposes of statutes are longer than what a page needs of them. */
const maxPurposeLength = 2000;

/** Returns a purpose on one line, cut if it is longer; null for none, and for what stands where there is none. */
function parsePurpose(text: string | null | undefined): string | null {
	const purpose = cleanLine((text ?? "").normalize().replace(/\s+/g, " "), maxPurposeLength + 1);
	return cleanName(purpose.length > maxPurposeLength ? `${purpose.slice(0, maxPurposeLength - 1)}…` : purpose);
}

/** « 3112 » → 1231; null for none, and for what is no day. Source: INPI, technical documentation of the RNE API (JJMM). */
function parseYearEnd(text: string | null | undefined): number | null {
	const [, date = "", month = ""] = /^(\d\d)(\d\d)$/.exec(text?.trim() ?? "") ?? [];
	// 29 February is one
	return parseCalendarDay(`2000-${month}-${date}`) ? Number(month + date) : null;
}

/** The year of a day after which a company no longer exists: a duration has 99 years at most (C. civ. art. 1838). Null for « without end ». */
function parseEndYear(text: string | null | undefined): number | null {
	const year = Number(/^(\d{4})-\d\d-\d\d/.exec(text?.trim() ?? "")?.[1]);
	return year > 1900 && year < 2200 ? year : null;
}

/** Returns the day of a date (2010-01-15, 15/01/2010), or of an instant, in Paris; null for an unknown one, and undefined for none. */
function parseRegisterDay(text: string | null | undefined): string | null | undefined {
	if (text === null || text === undefined) return text;
	const trimmed = text.trim();
	const [, date, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(trimmed) ?? [];
	const instant = trimmed.includes("T") && /(?:Z|[+-]\d\d:?\d\d)$/.test(trimmed) && parseCalendarDay(trimmed) ? new Date(trimmed) : null;
	const day = instant && !Number.isNaN(instant.getTime()) ? toParisDay(instant).toString() : year ? `${year}-${month}-${date}` : trimmed;
	return parseCalendarDay(day);
}

/** A day and a time without a zone. */
const localTime = /^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/;

/** Returns the instant of an entry, by the clock of Paris where it names no zone; the start of the file's day for an unknown one. */
function parseInstant(text: string | null | undefined, fileDay: string): string {
	const day = parseRegisterDay(text);
	const said = text?.trim() ?? "";
	if (day && localTime.test(said))
		return new Date(Temporal.PlainDateTime.from(said).toZonedDateTime("Europe/Paris").epochMilliseconds).toISOString();
	// « 01/05/2026 » is no date for JavaScript, or another one
	const instant = new Date(day ? (/^\d{4}/.test(said) ? said : day) : fileDay);
	return (Number.isNaN(instant.getTime()) ? new Date(fileDay) : instant).toISOString();
}
