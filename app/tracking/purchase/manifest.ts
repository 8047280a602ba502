import { writeCsv } from "../../accounts/files/csv.ts";
import { formatDay } from "../../catalogue/instants.ts";

/** One file of the archive, or a line of the purchase that has none. */
export interface ManifestRow {
	siren: string;
	company: string;
	/** The customer's own. */
	reference: string | null;
	orderNumber: string;
	issuedAt: Date | null;
	/** Null when the archive does not have the file; `remark` says why. */
	fileName: string | null;
	/** Hexadecimal. */
	sha256: string | null;
	remark: string;
}

export const manifestName = "manifeste.csv";

/**
 * Writes the table of an archive: which file is of which company, and its hash.
 * @param forOthers without numbers and references, which are the customer's (docs/rules.md, R34).
 */
export function writeManifest(rows: readonly ManifestRow[], { forOthers }: { forOthers: boolean }): Uint8Array {
	const head = ["SIREN", "Entreprise", ...(forOthers ? [] : ["Référence", "Commande"]), "Date", "Fichier", "SHA-256", "Remarque"];
	return writeCsv(
		head,
		rows.map(({ siren, company, reference, orderNumber, issuedAt, fileName, sha256, remark }) => [
			...[siren, company],
			...(forOthers ? [] : [reference, orderNumber]),
			...[issuedAt && formatDay(issuedAt), fileName, sha256, remark],
		]),
	);
}
