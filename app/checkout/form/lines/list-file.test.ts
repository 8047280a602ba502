import { describe, expect, test } from "vitest";
import { makeWorkbook } from "../../../../test/workbook.ts";
import { zip } from "../../../../test/zip.ts";
import { answerList } from "./answer-list.server.ts";
import { maxLines, maxListLength } from "./line-fields.ts";
import { maxFileBytes, readListFile } from "./list-file.ts";
import { maxRows, readList } from "./read-list.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const windows1252 = (text: string) => Uint8Array.from(text, (character) => (character === "’" ? 0x92 : character.charCodeAt(0)));
/** « L’Été », « é » as old programs of the Mac write them. */
const macRoman = (text: string) =>
	Uint8Array.from(text, (character) => ({ "’": 0xd5, É: 0x83, é: 0x8e })[character] ?? character.charCodeAt(0));
const utf16 = (text: string, bigEndian: boolean) => {
	const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
	return new Uint8Array(bigEndian ? bytes.swap16() : bytes);
};

/** The lines of a file as « company ; reference ». */
async function read(bytes: Uint8Array): Promise<string[]> {
	const file = await readListFile(bytes);
	return file.ok ? file.lines.map(({ company, reference }) => `${company} ; ${reference}`) : [file.code];
}

const table = "SIREN;Nom;Référence\r\n552032534;L’Été;dossier é\r\n552081317;EDF;\r\n";
const lines = ["552032534 (L’Été) ; dossier é", "552081317 (EDF) ; "];

describe("encodings", () => {
	test.each<[string, Uint8Array]>([
		["UTF-8", utf8(table)],
		["UTF-8 with a byte order mark", utf8(`\ufeff${table}`)],
		["UTF-16LE", utf16(table, false)],
		["UTF-16BE", utf16(table, true)],
		["Windows-1252", windows1252(table)],
		["UTF-16LE without its mark", utf16(table, false).subarray(2)],
		["UTF-16BE without its mark", utf16(table, true).subarray(2)],
		["two byte order marks", utf8(`\ufeff\ufeff${table}`)],
		["Mac OS Roman", macRoman(table)],
		["Mac line breaks", utf8(table.replaceAll("\r\n", "\r"))],
	])("%s", async (_, bytes) => {
		expect(await read(bytes)).toEqual(lines);
	});

	test.each<[string, number[]]>([
		["ÿA", [0xff, 0x41]],
		["Aþ", [0x41, 0xfe]],
		["þA", [0xfe, 0x41]],
		["Aÿ", [0x41, 0xff]],
	])("Windows-1252 that is not the byte order mark of another: %s", async (text, bytes) => {
		expect(await read(Uint8Array.from(bytes))).toEqual([`${text} ; `]);
	});

	test("a workbook has all four signs", async () => {
		for (const signs of [
			[0x50, 0x4b, 3, 4],
			[0xd0, 0xcf, 0x11, 0xe0],
		])
			for (const place of signs.keys())
				expect(await read(Uint8Array.from(signs.map((sign, index) => (index === place ? sign + 1 : sign))))).toEqual(["unreadable"]);
	});

	test.each<[string, Uint8Array]>([
		["spreadsheet", Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0)],
		["spreadsheet", utf8('<?xml version="1.0"?><Workbook><Row><Cell>552032534</Cell></Row></Workbook>')],
		["spreadsheet", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1)],
		["unreadable", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13)],
		["unreadable", utf8("552032534\0")],
		["unreadable", Uint8Array.of(0xff, 0xfe, 0x35)],
		["empty", utf8("")],
		["empty", utf8("\r\n;;\r\n")],
		["empty", utf8("SIREN;Référence\r\n")],
		["too-large", new Uint8Array(maxFileBytes + 1)],
		["unreadable", new Uint8Array(maxFileBytes)],
	])("%s", async (code, bytes) => {
		expect(await readListFile(bytes)).toEqual({ ok: false, code });
	});
});

describe("workbooks", () => {
	test.each<[string, Parameters<typeof makeWorkbook>[0], string[]]>([
		[
			"numbers and texts",
			[
				[
					["SIREN", "Référence"],
					[552032534, "dossier é"],
					["552 081 317", 12],
				],
			],
			["552032534 ; dossier é", "552081317 ; 12"],
		],
		["a SIRET as a number", [[["SIRET"], [55203253400646]]], ["55203253400646 ; "]],
		[
			"titles, empty rows and cells",
			[[["Clients"], [], [null, "Société", "SIREN"], [null, "DANONE", 552032534], [], ["Total", 1]]],
			["552032534 (DANONE) ; "],
		],
		["the first sheet with numbers", [[[]], [["DANONE"]], [["552032534"]], [["552081317"]]], ["552032534 ; "]],
		["the first sheet with names, where none has numbers", [[[]], [["DANONE"]], [["EDF"]]], ["DANONE ; "]],
		["a semicolon in a cell", [[["552032534", "a ; b"]]], ["552032534 ; a ; b"]],
		["many columns", [[[...Array<null>(30).fill(null), "552032534"]]], ["552032534 ; "]],
		["no companies", [[["Société"]]], ["empty"]],
		[
			"rows below many empty ones",
			[[[552032534], ...Array.from({ length: maxRows }, () => []), [552081317]]],
			["552032534 ; ", "552081317 ; "],
		],
		["2,001 rows", [Array.from({ length: maxRows + 1 }, () => [552032534])], ["too-many"]],
	])("%s", async (_, sheets, expected) => {
		expect((await read(await makeWorkbook(sheets))).map((line) => line.replace("552 081 317", "552081317"))).toEqual(expected);
	});

	test("one that unpacks to more than sixteen megabytes is not read, and a broken one is none", async () => {
		const sheet = [[[552032534]]];
		expect(await read(await makeWorkbook(sheet, { "xl/media/a.bin": Buffer.alloc(15 * 1024 * 1024) }))).toEqual(["552032534 ; "]);
		expect(await read(await makeWorkbook(sheet, { "xl/media/a.bin": Buffer.alloc(16 * 1024 * 1024) }))).toEqual(["too-large"]);
		// an archive that says less than it has
		const lying = await makeWorkbook(sheet, { "xl/media/a.bin": Buffer.alloc(1024 * 1024) });
		const at = lying.lastIndexOf("xl/media/a.bin") - 22;
		expect(lying.readUInt32LE(at)).toBe(1024 * 1024);
		lying.writeUInt32LE(1, at);
		expect(await read(lying)).toEqual(["spreadsheet"]);
		expect(await read((await makeWorkbook(sheet)).subarray(0, 400))).toEqual(["spreadsheet"]);
		expect(await read(zip("mimetype", Buffer.from("application/vnd.oasis.opendocument.spreadsheet")))).toEqual(["spreadsheet"]);
	});
});

/** A workbook with a number in the first row, and another cell. */
const withCell = (place: string, row = place.replace(/\D+/, "")) => {
	const rows = `<row r="1"><c r="A1"><v>552032534</v></c></row><row r="${row}"><c r="${place}"><v>1</v></c></row>`;
	const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
	return makeWorkbook([[]], { "xl/worksheets/sheet1.xml": Buffer.from(sheet) });
};

test.each<[string, string]>([
	["Z1900", "552032534 ; "],
	["XFD20", "552032534 ; "],
	["A500000", "552032534 ; "],
	["A1048576", "spreadsheet"],
	["XFD1048576", "spreadsheet"],
	["A999999999", "spreadsheet"],
	["XFD&#49;048576", "spreadsheet"],
])("a workbook whose last cell is %s does not fill the memory", async (place, expected) => {
	expect((await read(await withCell(place)))[0]).toBe(expected);
});

test("a date of a workbook is read as the sheet shows it", async () => {
	const cells = '<c r="A1"><v>552032534</v></c><c r="B1" t="d"><v>2026-11-26T00:00:00.000Z</v></c>';
	const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;
	expect(await read(await makeWorkbook([[]], { "xl/worksheets/sheet1.xml": Buffer.from(sheet) }))).toEqual(["552032534 ; 26/11/2026"]);
});

const unfinished = "<style </tr </td ";

describe("columns", () => {
	test.each<[string, string, string[]]>([
		["found by their heads, in any order", "Votre réf.,Raison sociale,N° SIREN\nA1,DANONE,552032534", ["552032534 (DANONE) ; A1"]],
		["a SIRET, where there is no SIREN", "siret\treference\n55203253400703\tA1", ["55203253400703 ; A1"]],
		["the name, where the number is missing", "SIREN;Entreprise\n552032534;DANONE\n;EDF", ["552032534 (DANONE) ; ", "EDF ; "]],
		["without heads, by what is in them", "A1;552032534\nA2;552081317", ["552032534 ; A1", "552081317 ; A2"]],
		["without heads, the reference is the other cell with digits", "DANONE\t552 032 534\t2026-101", ["552 032 534 (DANONE) ; 2026-101"]],
		["one column of names", "Société Générale\nDANONE", ["Société Générale ; ", "DANONE ; "]],
		["quotes, also with a separator and a line break in them", '"552032534";"dossier ;\n""114"""', ['552032534 ; dossier ; "114"']],
		["a quote that never ends", '552032534;"dossier', ['552032534 ; "dossier']],
		["the separator that Excel names", "sep=;\r\nSIREN;Réf\r\n552032534;a,b", ["552032534 ; a,b"]],
		["in columns of any depth, up to fifty", `${";".repeat(49)}552032534`, ["552032534 ; "]],
		["not in more", `${";".repeat(50)}552032534`, [" ; 552032534"]],
		["the column with the most numbers", "552032534;A1;552081317\nA2;x;552081317", ["552081317 ; 552032534 ; A1", "552081317 ; A2"]],
		["heads with other words", "Numéro de SIRET;Raison sociale du client;Notre dossier\n;DANONE;A1", ["DANONE ; A1"]],
		["a company's name that begins as a head does", "Société Générale;A1\nDANONE;A2", ["Société Générale ; A1", "DANONE ; A2"]],
		["a head with a number is a line", "SIREN 552032534;A1", ["SIREN 552032534 ; A1"]],
		["rows without a company are left out", "SIREN;Réf\n;A1\n552032534;A2", ["552032534 ; A2"]],
		["rows of several lengths", "552032534\n552081317;A2", ["552032534 ; ", "552081317 ; A2"]],
		["blank rows between them", "552032534;A1\n; ;\n \t\n552081317;A2", ["552032534 ; A1", "552081317 ; A2"]],
		["a separator in quotes is none", '"a;b",x\n"c;d",y', ["a;b ; x", "c;d ; y"]],
		["of two separators in as many lines, the semicolon", "a;b\nc,d", ["a ; b", "c,d ; "]],
		["quoted blank rows before the heads", '"";""\nSIREN;Réf\n" ";\n552032534;A1', ["552032534 ; A1"]],
		["quoted blank rows without heads", '"";""\n552032534;A1', ["552032534 ; A1"]],
		["a blank number, and a name", "SIREN;Entreprise\n\u00a0;EDF", ["EDF ; "]],
		["a head in brackets", "(SIREN);« Réf. »\n552032534;A1", ["552032534 ; A1"]],
		["a short row without the column of numbers", "a;b;552032534\nx;y", ["552032534 ; a ; b", "x ; y"]],
		["commas belong to names in other tables", "a;b\nc,d\n552032534,f", ["a ; b", "c,d ; ", "552032534 ; f"]],
		[
			"references below one head",
			"SIREN\n552032534 ; dossier 12\n552032534 ; dossier 13",
			["552032534 ; dossier 12", "552032534 ; dossier 13"],
		],
		["references below a head of names", "Société\nDANONE ; A1\nEDF", ["DANONE ; A1", "EDF ; "]],
		["no references below another head", "SIREN;Ville\n552032534;Paris", ["552032534 ; "]],
		["a matter", "SIREN;Affaire\n552032534;Durand", ["552032534 ; Durand"]],
		["the number of a matter", "SIREN;N° d’affaire\n552032534;12", ["552032534 ; 12"]],
		["references that look like numbers, below a head", "SIREN\n552032534 ; 732829320", ["552032534 ; 732829320"]],
		["one labelled column among others", "SIREN;;\n552032534;DANONE;75009", ["552032534 ; "]],
		["two numbers in a row, of which one is to be chosen", "552032534, 552081317", ["552032534 ; 552081317 ; "]],
		["two numbers in a row, with a reference", "552032534;552081317;dossier 12", ["552032534 ; 552081317 ; dossier 12"]],
		["two columns of numbers, heads that say neither", "Client;Tiers\n552032534;552081317", ["552032534 ; 552081317 ; "]],
		["two columns of numbers, one of them named", "Tiers;SIREN\n552081317;552032534", ["552032534 ; "]],
		["two numbers in one cell, with a reference", "552032534 / 552081317;dossier 12", ["552032534 / 552081317 ; dossier 12"]],
		["quotes inside a cell, beside quoted cells", '"DANONE;SA";A1\nLE "BON";A2', ["DANONE;SA ; A1", 'LE "BON" ; A2']],
		["a second number with a wrong key", "552032534;552081318;A1", ["552032534 ; 552081318 ; A1"]],
		["a name beside a number in groups with a wrong key", "DANONE;552 032 535;2026-101", ["552 032 535 (DANONE) ; 2026-101"]],
		["a name beside a SIRET in groups with a wrong key", "DANONE;552.032.535.00012;A1", ["552.032.535.00012 (DANONE) ; A1"]],
		["a name beside nine digits that may be a reference", "DANONE;202611401", ["DANONE ; 202611401"]],
		["a name beside the number of a telephone", "DANONE;01 44 35 20 20", ["DANONE ; 01 44 35 20 20"]],
		["a name beside a number to be completed", "DANONE;552032534\nEDF;à compléter", ["552032534 (DANONE) ; DANONE", "EDF ; à compléter"]],
		[
			"commas without heads, a number in the middle",
			"DANONE,552032534,A1\nEDF,552081317,A2",
			["552032534 (DANONE) ; A1", "552081317 (EDF) ; A2"],
		],
		["heads between marks", "(SIREN);(Client);(Référence)\n552032534;DANONE;A1", ["552032534 (DANONE) ; A1"]],
		["no head beyond fifty columns", `SIREN;${";".repeat(49)}Nom\n552032534;${";".repeat(49)}DANONE`, ["552032534 ; "]],
		[
			"a number in few rows of many",
			"A1;DANONE;552032534\nA2;EDF;\nA3;LA POSTE;",
			["552032534 (DANONE) ; A1", "A2 ; EDF", "A3 ; LA POSTE"],
		],
		["commas, where one line has quotes", '"DANONE, SA",A1\nEDF,A2', ["DANONE, SA ; A1", "EDF ; A2"]],
		["a SIREN with its own SIRET", "552032534;55203253400703", ["552032534 ; 55203253400703"]],
		["formulas are texts", "552032534;=HYPERLINK(1)", ["552032534 ; =HYPERLINK(1)"]],
	])("%s", async (_, text, expected) => {
		expect(await read(utf8(text))).toEqual(expected);
	});

	test.each<[string, string, string[]]>([
		[
			"titles above the heads",
			"Sociétés à commander;;\nExport du 24/11/2026;;\n;;\nSIREN;Société;Dossier\n552032534;DANONE;1\n",
			["552032534 (DANONE) ; 1"],
		],
		["a head with another word", "Code client;Code SIREN;Raison sociale;Référence\nC001;552032534;LORELEI;1", ["552032534 (LORELEI) ; 1"]],
		[
			"a head of an accounting program",
			'"Nom du tiers";"Id. prof. 1 (SIREN)";"Id. prof. 2 (SIRET)"\n"DANONE";"552032534";""',
			["552032534 (DANONE) ; "],
		],
		[
			"a head that does not name its numbers",
			"Tiers;Numéro d’identification;Réf. interne\nDANONE;552032534;A1",
			["552032534 (DANONE) ; A1"],
		],
		["a head that nobody knows", "Tiers;Matricule;Réf\nDANONE;552032534;A1", ["552032534 (DANONE) ; A1"]],
		["VAT numbers", "Client;N° TVA intracommunautaire;Ville\nDANONE;FR27552032534;Paris", ["FR27552032534 (DANONE) ; "]],
		["SIREN and NIC", "Siren;Nic;Ville\n552032534;00646;PARIS", ["552032534 ; "]],
		[
			"a SIRET where the SIREN is missing",
			"SIREN;SIRET;Nom\n;55203253400646;DANONE\n;;STELLANTIS",
			["55203253400646 (DANONE) ; ", "STELLANTIS ; "],
		],
		["references that look like numbers", "Référence client;Société\n732829320;DANONE", ["DANONE ; 732829320"]],
		[
			"a wrong number, and not the name beside it",
			"SIREN;Nom\n552032534;DANONE\n552032535;EDF",
			["552032534 (DANONE) ; ", "552032535 (EDF) ; "],
		],
		["a name in the column of numbers", "SIREN;Nom;Réf\n552032534;EDF;1\nDANONE;;2", ["552032534 (EDF) ; 1", "DANONE ; 2"]],
		[
			"heads after too many titles",
			`${"Titre;\n".repeat(20)}SIREN;Réf\n552032534;A1`,
			[...Array(20).fill("Titre ; "), "SIREN ; Réf", "552032534 ; A1"],
		],
		["a name after too many columns", `Tiers${";".repeat(50)}Nom\nDANONE${";".repeat(50)}EDF`, ["DANONE ; "]],
		["formulas of Excel", 'SIREN;Réf\n="552032534";1', ['="552032534" ; 1']],
		["a sum below", "SIREN;Prix\n552032534;59\nTotal;59\n", ["552032534 ; "]],
		["a company called Total", "SIREN;Nom\n552032534;DANONE\n;TOTAL\n", ["552032534 (DANONE) ; ", "TOTAL ; "]],
		["bars between cells", "SIREN|Réf\n552032534|A1", ["552032534 ; A1"]],
		["heads below lines are a line", "552032534;A1\nSociété;A2", ["552032534 ; A1", "Société ; A2"]],
		["heads below a name and a number", "EDF\n552032534;A1\nSIREN;Réf", ["EDF ; ", "552032534 ; A1", "SIREN ; Réf"]],
		["a line break in a cell", 'SIREN;Réf\n552032534;"ligne 1\nligne 2"', ["552032534 ; ligne 1 ligne 2"]],
		[
			"telephones beside numbers",
			"Société;Téléphone;SIREN\nDANONE;612345678;552032534\nEDF;145678901;552081317",
			["552032534 (DANONE) ; ", "552081317 (EDF) ; "],
		],
		["telephones and names", "Société;Téléphone\nDANONE;0145678901\nEDF;145678901", ["DANONE ; ", "EDF ; "]],
		["accounts and names", "Compte;Raison sociale\n41100017;DANONE\n41100018;EDF", ["DANONE ; ", "EDF ; "]],
		[
			"a name whose number is missing, beside a telephone",
			"SIREN;Nom;Tel\n552032534;EDF;1\n;DANONE;612345678",
			["552032534 (EDF) ; ", "DANONE ; "],
		],
		["a tax", "Client;TVA;Référence\nDANONE;20 %;A1", ["DANONE ; A1"]],
		[
			"names with references that begin as a head does",
			"DANONE ; dossier 2026-114\nEDF ; ref 12",
			["DANONE ; dossier 2026-114", "EDF ; ref 12"],
		],
		["companies called as a head", "REFERENCE CONSEIL\nDOSSIER 21", ["REFERENCE CONSEIL ; ", "DOSSIER 21 ; "]],
		["a table of Markdown", "| SIREN | Réf |\n|:---|---|\n| 552032534 | A1 |", ["552032534 ; A1"]],
		["rules of a terminal", "+---+---+\n| SIREN | Réf |\n+---+---+\n| 552032534 | A1 |\n+---+---+\n(1 row)", ["552032534 ; A1"]],
		["commas that a spreadsheet took for one column", "SIREN,Réf;;\n552032534,A1;;\n552081317,A2;;", ["552032534 ; A1", "552081317 ; A2"]],
		[
			"a name where a number is missing",
			"SIREN;Nom\n#N/A;DANONE\nà compléter;EDF\n000000000;PSA\n552081317;EDF",
			["DANONE ; ", "EDF ; ", "PSA ; ", "552081317 (EDF) ; "],
		],
		["a number that has lost a digit", "SIREN;Nom\n55203253;DANONE\n552081317;EDF", ["55203253 (DANONE) ; ", "552081317 (EDF) ; "]],
		["heads of programs", "numeroSiren;raisonSociale;maReference\n552032534;DANONE;A1", ["552032534 (DANONE) ; A1"]],
		["heads with remarks", "SIREN (9 chiffres) *;Votre référence (facultatif)\n552032534;A1", ["552032534 ; A1"]],
		["heads that leave a choice", "Référence externe;N° de SIREN ou SIRET\nA1;552032534", ["552032534 ; A1"]],
		["English heads", '"Third-party name";"Prof Id 1 (SIREN)";"Internal reference"\n"DANONE";"552032534";A1', ["552032534 (DANONE) ; A1"]],
		["persons beside companies", "Nom;Prénom;Société;SIREN\nDurand;Anne;DANONE;552032534", ["552032534 (DANONE) ; "]],
		[
			"sums of several kinds",
			"SIREN;Nom;Prix\n552032534;DANONE;59,00\nTotal HT;;49,17\nTVA;;9,83\nTotal TTC;;59,00",
			["552032534 (DANONE) ; "],
		],
		["a number of rows", "SIREN\n552032534\n1 ligne(s)", ["552032534 ; "]],
		[
			"references with labels",
			"552032534 - dossier 12\nDANONE 552032534 réf. 13",
			["552032534 ; dossier 12", "DANONE 552032534 ; réf. 13"],
		],
		["references with years", "DANONE;2026-00119\nEDF;2026-00127", ["DANONE ; 2026-00119", "EDF ; 2026-00127"]],
		["line breaks of old programs", "552032534;A1\v552081317;A2\f542051180;A3", ["552032534 ; A1", "552081317 ; A2", "542051180 ; A3"]],
		["quotes that open and never end", '"ALPHA\n552032534\n"BETA', ['"ALPHA ; ', "552032534 ; ", '"BETA ; ']],
		[
			"a page of HTML",
			"<html><head><title>EDF 552081317</title></head><table><tr><td>SIREN</td><td>Réf</td></tr><tr><td>552032534</td><td>R&amp;D&nbsp;1</td></tr></table></html>",
			["552032534 ; R&D 1"],
		],
		[
			"a page of a spreadsheet, with a number that it shows rounded",
			`<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><tr><th>SIREN<th>Soci&eacute;t&eacute;<th>Réf<tr><td x:num="552032534">5,52E+08<td>L&#39;Or&eacute;al<br>SA<td x:num="44000">18/06/2020</table>`,
			["552032534 (L'Oréal SA) ; 18/06/2020"],
		],
		[
			"a page of LibreOffice, with a number that it shows rounded",
			`<table><tr><th>SIREN<th>Réf<tr><td SDVAL="552032534" sdnum="1036;">5,52E+08<td>A1</table>`,
			["552032534 ; A1"],
		],
		["a page with text between its cells", "<TABLE><TR><TD>552032534</TD > not a cell <TD>A1</TD></TR></TABLE>", ["552032534 ; A1"]],
		[
			"a page with comments and tags before its table",
			`<?xml version="1.0"?><!-- a > b --><div><table><tr><td title="a>b">SIREN</td></tr><tr><td><b>552&#xA0;032</b> 534</td></tr></table></div>`,
			["552 032 534 ; "],
		],
		["a file that ends with Control-Z", "SIREN;Réf\r\n552032534;A1\r\n\u001a", ["552032534 ; A1"]],
	])("of tables that programs write: %s", async (_, text, expected) => {
		expect(await read(utf8(text))).toEqual(expected);
		// a table is pasted as it is exported
		if (!text.startsWith("<") && !text.endsWith("\x1a"))
			expect(readList(text).lines.map(({ company, reference }) => `${company} ; ${reference}`)).toEqual(expected);
	});

	test.each<[string, string[]]>([
		["Clients;;\nSIREN;Réf;\n552032534;A1;\n;A2;\nTotal;2;\n", ["Clients", "SIREN ; Réf", "A2", "Total ; 2"]],
		["552032534\nDANONE", []],
		[
			"Bonjour,\nmerci de commander les extraits suivants :\n- 552032534\n- DANONE\n- 552081317\nMerci d’avance.\nAnne Durand",
			["Bonjour", "merci de commander les extraits suivants", "Merci d’avance", "Anne Durand"].map(
				(line, index) => line + [",", " :", ".", ""][index],
			),
		],
		["MERCI\nDANONE", []],
		// words between companies may be the name of one
		["552032534\nMerci d’avance.\n552081317", []],
		["MONSIEUR MEUBLE\n552032534", []],
		["\ufeffsep=|\nSIREN|Réf\n552032534|A1", ["SIREN ; Réf"]],
		["Extraits à commander\n552032534\n552081317", ["Extraits à commander"]],
		["Code client légal;Ville\n552032534;Paris", ["Code client légal ; Ville"]],
		["552032534;A1\nTotal;1\nÉdité le 24/11/2026;", ["Total ; 1", "Édité le 24/11/2026"]],
		[`SIREN;${"a".repeat(200)}\n552032534;x`, [`SIREN ; ${"a".repeat(72)}`]],
	])("what names no company is told: %j", (text, leftOut) => {
		expect(readList(text).leftOut).toEqual(leftOut);
	});

	test("a number below the first two hundred rows is still found, in whatever column", async () => {
		const rows = [...Array<string>(maxLines).fill("552032534;x"), ...Array<string>(maxLines * 2).fill("x;552081317")];
		expect((await read(utf8(rows.join("\n")))).slice(maxLines - 1, maxLines + 1)).toEqual(["552032534 ; x", "552081317 ; x"]);
		const separators = [...Array<string>(maxLines).fill("a;b"), ...Array<string>(maxLines * 2).fill("c,d")];
		expect((await read(utf8(separators.join("\n")))).slice(maxLines - 1, maxLines + 1)).toEqual(["a ; b", "c,d ; "]);
	});

	test("two thousand lines are all counted, and blank ones do not count", async () => {
		expect((await read(utf8(`${"552032534\n".repeat(maxRows)}${";;\n".repeat(10_000)}`))).length).toBe(maxRows);
	});

	// some of these would take years if each cell of the widest row counted for all rows, or if blanks were read again from each blank
	test.each<[string, string, string]>([
		["150,000 short rows", "1\n".repeat(150_000), "too-many"],
		["rows of different lengths", 'x"\n"y;'.repeat(150_000), "too-many"],
		["100,000 rows and a wide one", `${"1\n".repeat(100_000)}${";".repeat(100_000)}1\n`, "too-many"],
		["a wide row among those allowed", `${"552032534\n".repeat(1_000)}${";".repeat(900_000)}x`, "552032534 ; "],
		["blanks after a label", `rcs a${" ".repeat(900_000)}!;1`, "rcs a ; 1"],
		["brackets of a page", `<table><tr><td>${"<".repeat(900_000)}x`, `${"<".repeat(200)} ; `],
		["rows of a page", `<table>${"<tr><td>".repeat(125_000)}`, "empty"],
		["tables in tables", "<table>".repeat(140_000), "empty"],
		["elements that are not closed, and the ends of others", `<table>${"<b>".repeat(150_000)}${"</i>".repeat(140_000)}`, "empty"],
		["unfinished elements of a page", `<html>${unfinished.repeat(60_000)}`, "empty"],
		["a separator that is a quote", 'sep="\n552032534', 'sep=" ; '],
	])("a crafted file is read in one pass: %s", async (_, text, first) => {
		expect((await read(utf8(text)))[0]).toBe(first);
	});

	test("a head with a million marks is no head", async () => {
		expect(await read(utf8(`SIREN;a${"\u0301".repeat(200_000)}${"\u0316".repeat(200_000)}\n552032534;x`))).toEqual(["552032534 ; "]);
	});
});

describe("the first step", () => {
	const answer = (text: string | null, file: File | string | null = null, isTruncated = false) => {
		const form = new FormData();
		if (text !== null) form.set("entreprises", text);
		if (file !== null) form.set("fichier", file);
		return answerList(form, isTruncated);
	};
	const csv = (text: BlobPart) => new File([text], "liste.csv");
	const most = "Vous pouvez commander 200 extraits à la fois\u00a0: retirez des lignes, ou passez plusieurs commandes.";
	const list = (count: number) => Array<string>(count).fill("552032534 ; a").join("\n");
	const spaced = (entreprises: string) => ({ entreprises: entreprises.replace(/(\d) (?=\d)/g, "$1\u202f") });

	test.each<[string, Parameters<typeof answer>, number, object]>([
		["nothing", [null], 400, { text: "", errors: spaced("Indiquez au moins une entreprise, ou choisissez un fichier.") }],
		["an empty file", [" ", csv("")], 400, { text: " ", errors: spaced("Indiquez au moins une entreprise, ou choisissez un fichier.") }],
		["201 lines", [list(201)], 400, { text: list(201), errors: spaced(`Votre liste a 201 lignes. ${most}`) }],
		[
			"201 lines with those of the file, which may then be shortened in the field",
			[list(200), csv("552081317\n")],
			400,
			{ text: `${list(200)}\n552081317`, errors: spaced(`Votre liste a 201 lignes. ${most}`) },
		],
		[
			"more characters than two hundred lines may have",
			["x".repeat(maxListLength + 1)],
			413,
			{
				text: "x".repeat(maxListLength + 1),
				errors: spaced(`Votre liste est trop longue\u00a0: 200 000 caractères au plus. ${most}`),
			},
		],
		[
			"a file that was too large to be read",
			["a", null, true],
			413,
			{ text: "a", errors: { fichier: "Ce fichier est trop volumineux\u00a0: 1\u00a0Mo au plus." } },
		],
		[
			"a large file",
			["a", csv(new Uint8Array(maxFileBytes + 1))],
			413,
			{ text: "a", errors: { fichier: "Ce fichier est trop volumineux\u00a0: 1\u00a0Mo au plus." } },
		],
		[
			"a file of too many rows",
			["a", csv("1\n".repeat(maxRows + 1))],
			400,
			{ text: "a", errors: { fichier: `Ce fichier a plus de 2\u202f000 lignes. ${most}` } },
		],
		[
			"no text",
			["a", csv("\0")],
			400,
			{ text: "a", errors: { fichier: "Ce fichier n’est pas un texte lisible. Choisissez un fichier CSV ou .xlsx." } },
		],
	])("refuses %s, and keeps what was typed", async (_, sent, status, state) => {
		expect(await answer(...sent)).toEqual({ ok: false, status, state });
	});

	test("takes two hundred lines, and the longest text", async () => {
		expect(await answer(list(199), csv("552081317;b"))).toEqual({
			ok: true,
			leftOut: [],
			lines: [...Array<object>(199).fill({ company: "552032534", reference: "a" }), { company: "552081317", reference: "b" }],
		});
		expect(await answer("x".repeat(maxListLength))).toMatchObject({ ok: true });
		expect(await answer("552032534", "no file")).toEqual({ ok: true, leftOut: [], lines: [{ company: "552032534", reference: "" }] });
	});
});
