import { z } from "zod";
import { establishmentColumns, unitColumns } from "./sirene-rows.ts";

/** What the API says of a unit or an establishment, by the columns of the stock files. */
type Fields = Record<string, unknown>;

const siren = z.string().regex(/^\d{9}$/);
const siret = z.string().regex(/^\d{14}$/);
const treated = z.string().nullish();
/** INSEE leaves out what is null, where it is asked to, and by itself in some answers. */
const periods = z.array(z.looseObject({ dateFin: z.string().nullish() }));

/** A unit that changed. Its day is yyyy-mm-dd, where it is known. */
export const changedUnit = z
	.object({ siren, dateDernierTraitementUniteLegale: treated })
	.transform((row) => ({ siren: row.siren, day: row.dateDernierTraitementUniteLegale?.slice(0, 10) }));

/** The unit of an establishment that changed. */
export const changedEstablishment = z
	.object({ siren, dateDernierTraitementEtablissement: treated })
	.transform((row) => ({ siren: row.siren, day: row.dateDernierTraitementEtablissement?.slice(0, 10) }));

export const unitHeader = [...unitColumns, "activitePrincipaleNAF25UniteLegale"];
export const establishmentHeader = establishmentColumns;

/** A unit as a row of StockUniteLegale: with its current period, the one without an end. */
export const unitRow = z
	.looseObject({ siren, periodesUniteLegale: periods })
	.transform(({ periodesUniteLegale, ...unit }, context) =>
		cells(unitHeader, { ...current(periodesUniteLegale, "periodesUniteLegale", context), ...unit }),
	);

/** An establishment as a row of StockEtablissement, with its address and its current period. */
export const establishmentRow = z
	.looseObject({
		siret,
		etablissementSiege: z.boolean(),
		adresseEtablissement: z.looseObject({}),
		periodesEtablissement: periods,
	})
	.transform(({ periodesEtablissement, adresseEtablissement, ...establishment }, context) =>
		cells(establishmentHeader, {
			...current(periodesEtablissement, "periodesEtablissement", context),
			...adresseEtablissement,
			...establishment,
		}),
	);

function current(all: z.infer<typeof periods>, path: string, context: z.RefinementCtx): Fields {
	const found = all.find(({ dateFin }) => !dateFin);
	if (!found) context.addIssue({ code: "custom", path: [path], message: "none of the periods is the current one" });
	return found ?? {};
}

function cells(header: readonly string[], fields: Fields): string[] {
	return header.map((column) => text(fields[column]));
}

function text(value: unknown): string {
	// PostgreSQL refuses a NUL
	return value === null || value === undefined ? "" : String(value).replaceAll("\0", "");
}
