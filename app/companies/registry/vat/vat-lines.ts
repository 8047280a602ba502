import { parseCsvRow } from "../../../../server/files/csv-row.ts";
import { calculateVatNumber, parseSiren, type Siren } from "../../siren.ts";
import { compactVatNumber } from "../../vat-number.ts";

/** A VAT number without FR. */
export interface VatEntry {
	/** The two characters before the SIREN; some have letters. */
	key: string;
	siren: Siren;
}

/** The columns, from 0, of a list of VAT numbers. */
export interface VatFormat {
	separator: string;
	vat: number;
	/** -1 without such a column: each number ends with its SIREN. */
	siren: number;
}

const separators = [";", ",", "\t"];
const maxColumns = 64;
/** The DGFiP's file has numbers without FR. Source: its page on data.gouv.fr, column vat_no. */
const pattern = /^(FR)?([A-HJ-NP-Z\d]{2})(\d{9})$/;

/**
 * Finds the columns of a list of VAT numbers by their values; null when less than half of the lines have one.
 * @param lines the first lines, with or without a header.
 */
export function findVatFormat(lines: readonly string[]): VatFormat | null {
	let best: VatFormat | null = null;
	let most = 0;
	for (const separator of separators) {
		const rows = lines.map((line) => parseCsvRow(line, separator) ?? []);
		const width = Math.min(maxColumns, Math.max(...rows.map((cells) => cells.length)));
		for (let vat = 0; vat < width; vat++) {
			const found = rows.filter((cells) => parseVatCell(cells[vat]) !== null);
			if (found.length <= most || found.length < (rows.length - 1) / 2) continue;
			// eleven digits may be anything: FR, a letter, or the calculated key shows that they are VAT numbers
			if (found.filter((cells) => isSurelyVat(cells[vat] ?? "")).length < found.length / 2) continue;
			const siren = Array.from({ length: width }, (_, column) => column).find(
				(column) => found.filter((cells) => parseSirenCell(cells[column]) === parseVatCell(cells[vat])?.siren).length > found.length / 2,
			);
			best = { separator, vat, siren: siren ?? -1 };
			most = found.length;
		}
	}
	return best;
}

/** Creates a parser of lines. It returns null for a line without a VAT number, and for a number of another SIREN than the line's. */
export function createVatParser({ separator, vat, siren }: VatFormat): (line: string) => VatEntry | null {
	return (line) => {
		const cells = parseCsvRow(line, separator) ?? [];
		const entry = parseVatCell(cells[vat]);
		return entry && siren >= 0 && parseSirenCell(cells[siren]) !== entry.siren ? null : entry;
	};
}

/** Whether a line ends before its VAT number is complete. */
export function endsEarly(line: string, { separator, vat }: VatFormat): boolean {
	return /^(F|(FR)?[A-Z\d]{0,2}\d{0,8})$/.test(compactCell(parseCsvRow(line, separator)?.[vat]));
}

function parseVatCell(cell = ""): VatEntry | null {
	// most cells need no cleaning, which would double the memory of an import
	const [, , key, siren] = pattern.exec(cell) ?? pattern.exec(compactCell(cell)) ?? [];
	return key && siren ? { key, siren: siren as Siren } : null;
}

function parseSirenCell(cell: string | undefined): Siren | null {
	return parseSiren(compactCell(cell));
}

function isSurelyVat(cell: string): boolean {
	const entry = parseVatCell(cell);
	const number = compactCell(cell);
	return entry !== null && (/[A-Z]/.test(number) || calculateVatNumber(entry.siren) === `FR${number}`);
}

const compactCell = (cell = "") => compactVatNumber(cell);
