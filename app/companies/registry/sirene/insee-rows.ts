import { z } from "zod";
import { establishmentColumns, unitColumns } from "./sirene-rows.ts";

/** A unit or an establishment in the API's response, by the columns of the stock files. */
type Fields = Record<string, unknown>;

const siren = z.string().regex(/^\d{9}$/);
const siret = z.string().regex(/^\d{14}$/);
const processedAt = z.string().nullish();
/** INSEE omits null values in some responses. */
const periods = z.array(z.looseObject({ dateFin: z.string().nullish() }));

/** A changed unit with the day of the change, yyyy-mm-dd, if known. */
export const changedUnit = z
	.object({ siren, dateDernierTraitementUniteLegale: processedAt })
	.transform((row) => ({ siren: row.siren, day: row.dateDernierTraitementUniteLegale?.slice(0, 10) }));

/** The unit of a changed establishment. */
export const changedEstablishment = z
	.object({ siren, dateDernierTraitementEtablissement: processedAt })
	.transform((row) => ({ siren: row.siren, day: row.dateDernierTraitementEtablissement?.slice(0, 10) }));

export const unitHeader = [...unitColumns, "activitePrincipaleNAF25UniteLegale"];
export const establishmentHeader = [...establishmentColumns, "activitePrincipaleNAF25Etablissement"];

/** Converts a unit, with its current period, to a row of StockUniteLegale. */
export const unitRow = z
	.looseObject({ siren, periodesUniteLegale: periods })
	.transform(({ periodesUniteLegale, ...unit }, context) =>
		toCells(unitHeader, { ...findCurrentPeriod(periodesUniteLegale, "periodesUniteLegale", context), ...unit }),
	);

/** Converts an establishment, with its address and current period, to a row of StockEtablissement. */
export const establishmentRow = z
	.looseObject({
		siret,
		etablissementSiege: z.boolean(),
		adresseEtablissement: z.looseObject({}),
		periodesEtablissement: periods,
	})
	.transform(({ periodesEtablissement, adresseEtablissement, ...establishment }, context) =>
		toCells(establishmentHeader, {
			...findCurrentPeriod(periodesEtablissement, "periodesEtablissement", context),
			...adresseEtablissement,
			...establishment,
		}),
	);

function findCurrentPeriod(candidates: z.infer<typeof periods>, path: string, context: z.RefinementCtx): Fields {
	const period = candidates.find(({ dateFin }) => !dateFin);
	if (!period) context.addIssue({ code: "custom", path: [path], message: "none of the periods is the current one" });
	return period ?? {};
}

function toCells(header: readonly string[], fields: Fields): string[] {
	return header.map((column) => formatCell(fields[column]));
}

function formatCell(value: unknown): string {
	// PostgreSQL refuses a NUL
	return value === null || value === undefined ? "" : String(value).replaceAll("\0", "");
}
