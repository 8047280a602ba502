import { writeCsv } from "./csv.ts";
import { type FecField, fecFields, type JournalPart, listFecRows, writeTabs } from "./journal-files.ts";

/** The lines of a journal as a program takes them: which fields, in which order and form. */
interface Layout {
	/** Who published it, and when that was read; null: it is the shop's or the accountant's own. */
	source: { name: string; readOn: string } | null;
	columns: readonly Column[];
	/** Of a day. */
	day: "JJ/MM/AAAA" | "JJMMAA";
	/** `table`: for spreadsheets (UTF-8, semicolons). `tabs`: ISO 8859-15. Both with a line of names, decimal commas and CRLF. */
	form: "table" | "tabs";
}

interface Column {
	name: string;
	/** A field, or a text that is the same in each line. */
	value: FecField | { text: string };
}

const column = (name: string, value: Column["value"]): Column => ({ name, value });
const empty = { text: "" };

const table = {
	source: null,
	columns: [
		column("Journal", "JournalCode"),
		column("Écriture", "EcritureNum"),
		column("Date", "EcritureDate"),
		column("Compte", "CompteNum"),
		column("Libellé du compte", "CompteLib"),
		column("Auxiliaire", "CompAuxNum"),
		column("Pièce", "PieceRef"),
		column("Date de pièce", "PieceDate"),
		column("Libellé", "EcritureLib"),
		column("Débit", "Debit"),
		column("Crédit", "Credit"),
		column("Lettrage", "EcritureLet"),
		column("Date de lettrage", "DateLet"),
	],
	day: "JJ/MM/AAAA",
	form: "table",
} as const satisfies Layout;

/**
 * Eleven columns; the lines of an entry have the same journal, day and number. Payment and due date are for open customers' accounts; here
 * the money is an entry of its own.
 */
export const sage100 = {
	source: {
		name: "l’exemple d’import publié par Sage (developer.sage.com/100/fr/saas/guides/samples/exemplesmappage)",
		readOn: "1er\u00a0décembre 2026",
	},
	columns: [
		column("", { text: "G" }),
		column("Jou", "JournalCode"),
		column("Date", "EcritureDate"),
		column("N°", "EcritureNum"),
		column("Général", "CompteNum"),
		column("Tiers", "CompAuxNum"),
		column("Libellé", "EcritureLib"),
		column("Règlement", empty),
		column("Echéance", empty),
		column("Débit", "Debit"),
		column("Crédit", "Credit"),
	],
	day: "JJMMAA",
	form: "tabs",
} as const satisfies Layout;

/** What stands for an empty column where columns are typed. */
export const emptyColumn = "-";

/** A layout of the accountant's own. @param names of fields, or `emptyColumn`. */
export const composeLayout = (names: readonly string[]): Layout => ({
	source: null,
	columns: names.map((name) => {
		const field = fecFields.find((each) => each === name);
		return field === undefined ? column("", empty) : column(field, field);
	}),
	day: "JJ/MM/AAAA",
	form: "table",
});

const days: ReadonlySet<FecField> = new Set(["EcritureDate", "PieceDate", "DateLet", "ValidDate"]);

/** @param day AAAAMMJJ, or nothing. */
function formatDay(day: string, form: Layout["day"]): string {
	const [, century = "", year = "", month = "", date = ""] = /^(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(day) ?? [];
	if (date === "") return "";
	return form === "JJMMAA" ? `${date}${month}${year}` : `${date}/${month}/${century}${year}`;
}

export function writeLayout(layout: Layout, journal: JournalPart): Uint8Array<ArrayBuffer> {
	const names = layout.columns.map(({ name }) => name);
	const rows = listFecRows(journal).map((row) =>
		layout.columns.map(({ value }) => {
			if (typeof value === "object") return value.text;
			const field = row[fecFields.indexOf(value)] ?? "";
			return days.has(value) ? formatDay(field, layout.day) : field;
		}),
	);
	if (layout.form === "table") return writeCsv(names, rows);
	return writeTabs([names, ...rows]);
}

/** The journal as a table. */
export const writeJournal = (journal: JournalPart): Uint8Array<ArrayBuffer> => writeLayout(table, journal);
