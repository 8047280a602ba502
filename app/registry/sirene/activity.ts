import { cleanValue } from "./cell-values.ts";
import { findColumns } from "./stock-file.server.ts";

/** The main activity of a unit or an establishment. */
export interface Activity {
	nafCode: string | null;
	/** Null for NAF rév. 2. */
	nafNomenclature: string | null;
}

export const noActivity: Activity = { nafCode: null, nafNomenclature: null };

/**
 * Creates a parser of the activity in the rows of a stock file. It prefers rév. 2, which is in force until 2027.
 * @param suffix of the columns: UniteLegale or Etablissement.
 */
export function createActivityParser(header: readonly string[], suffix: string): (cells: readonly string[]) => Activity {
	const columns = findColumns(header, ["activitePrincipale", "nomenclatureActivitePrincipale", "activitePrincipaleNAF25"], suffix);
	return (cells) => {
		const nafCode = cleanValue(cells[columns.activitePrincipale] ?? "");
		if (!nafCode) {
			const naf25 = cleanValue(cells[columns.activitePrincipaleNAF25] ?? "");
			return naf25 ? { nafCode: naf25, nafNomenclature: "NAF25" } : noActivity;
		}
		const nomenclature = cleanValue(cells[columns.nomenclatureActivitePrincipale] ?? "");
		return { nafCode, nafNomenclature: nomenclature === "NAFRev2" ? null : nomenclature };
	};
}
