import { expect, test } from "vitest";
import { cents } from "../../catalogue/money.ts";
import type { Entry } from "../entry.ts";
import { letterLines } from "../letter-lines.ts";
import type { Day } from "../month.ts";
import { fecFields, type JournalPart } from "./journal-files.ts";
import { composeLayout, sage100, writeJournal, writeLayout } from "./journal-layouts.ts";

const entry = (id: number, content: Pick<Entry, "journal" | "number" | "pieceRef" | "label" | "lines">): Entry => ({
	...{ id, fact: `fact:${id}`, subject: "KB-7F3K-92QD", day: "2026-11-09" as Day, pieceDay: "2026-11-08" as Day, vat: null },
	...{ postedOn: "2026-12-01" as Day, ...content },
});
const line = (account: Entry["lines"][number]["account"], number: string, debit: number, credit: number) => ({
	...{ account, number, debit: cents(debit), credit: cents(credit) },
});
const entries = [
	entry(27, {
		...{ journal: "VT", number: "VT2026-000007", pieceRef: "F2026-000007", label: "Facture ; « F2026-000007 »\tsuite" },
		lines: [line("customers", "411000", 5900, 0), line("sales", "706000", 0, 4917), line("vat", "445710", 0, 983)],
	}),
	entry(28, {
		...{ journal: "PP", number: "PP2026-000009", pieceRef: "pi_1", label: "=Encaissement" },
		lines: [line("provider", "467000", 5900, 0), line("customers", "411000", 0, 5900)],
	}),
];
const journal: JournalPart = { entries, letters: letterLines(entries), customers: "order" };
const collective: JournalPart = { ...journal, customers: "collective" };
const toLines = (bytes: Uint8Array, encoding: "utf8" | "latin1") => Buffer.from(bytes).toString(encoding).split("\r\n");

test("the journal as a table", () => {
	expect(toLines(writeJournal(journal), "utf8")).toEqual([
		"\ufeffJournal;Écriture;Date;Compte;Libellé du compte;Auxiliaire;Pièce;Date de pièce;Libellé;Débit;Crédit;Lettrage;Date de lettrage",
		'VT;VT2026-000007;09/11/2026;411000;Clients;KB-7F3K-92QD;F2026-000007;08/11/2026;"Facture ; « F2026-000007 »\tsuite";59,00;0,00;A;09/11/2026',
		'VT;VT2026-000007;09/11/2026;706000;Prestations de services;;F2026-000007;08/11/2026;"Facture ; « F2026-000007 »\tsuite";0,00;49,17;;',
		'VT;VT2026-000007;09/11/2026;445710;TVA collectée;;F2026-000007;08/11/2026;"Facture ; « F2026-000007 »\tsuite";0,00;9,83;;',
		"PP;PP2026-000009;09/11/2026;467000;Prestataire de paiement;;pi_1;08/11/2026;'=Encaissement;59,00;0,00;;",
		"PP;PP2026-000009;09/11/2026;411000;Clients;KB-7F3K-92QD;pi_1;08/11/2026;'=Encaissement;0,00;59,00;A;09/11/2026",
		"",
	]);
});

test("for Sage 100: eleven columns, days as JJMMAA, and entries that balance by journal, day and number", () => {
	const [head = "", ...lines] = toLines(writeLayout(sage100, journal), "latin1");
	expect(head).toBe("\tJou\tDate\tN°\tGénéral\tTiers\tLibellé\tRèglement\tEchéance\tDébit\tCrédit");
	expect(lines.pop()).toBe("");
	expect(lines[0]).toBe("G\tVT\t091126\tVT2026-000007\t411000\tKB-7F3K-92QD\tFacture ; « F2026-000007 » suite\t\t\t59,00\t0,00");
	const sums = new Map<string, number>();
	for (const fields of lines.map((text) => text.split("\t"))) {
		expect(fields).toHaveLength(11);
		const [debit = 0, credit = 0] = fields.slice(9).map((amount) => Number(amount.replace(",", "")));
		const key = fields.slice(1, 4).join(" ");
		sums.set(key, (sums.get(key) ?? 0) + debit - credit);
	}
	expect([...sums]).toEqual([
		["VT 091126 VT2026-000007", 0],
		["PP 091126 PP2026-000009", 0],
	]);
	expect(toLines(writeLayout(sage100, collective), "latin1").join()).not.toContain("KB-");
});

test("in the accountant's own columns, with empty ones, and letters of the account where it is collective", () => {
	const layout = composeLayout(["EcritureLet", "-", "Debit", "ValidDate", "DateLet", "EcritureLet"]);
	expect(toLines(writeLayout(layout, collective), "utf8").slice(0, 3)).toEqual([
		"\ufeffEcritureLet;;Debit;ValidDate;DateLet;EcritureLet",
		// 28, the balancing entry, in letters
		"AC;;59,00;01/12/2026;09/11/2026;AC",
		";;0,00;01/12/2026;;",
	]);
	const all = toLines(writeLayout(composeLayout(fecFields), journal), "utf8");
	expect(all[0]).toBe(`\ufeff${fecFields.join(";")}`);
	expect(all[4]).toBe(
		"PP;Prestataire de paiement;PP2026-000009;09/11/2026;467000;Prestataire de paiement;;;pi_1;08/11/2026;'=Encaissement;59,00;0,00;;;01/12/2026;;",
	);
});
