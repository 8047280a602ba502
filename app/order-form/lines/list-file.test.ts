import { describe, expect, test } from "vitest";
import { answerList } from "./answer-list.server.ts";
import { maxFileBytes, maxRows, readListFile } from "./list-file.ts";
import { maxLines, maxListLength } from "./typed-lines.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const windows1252 = (text: string) => Uint8Array.from(text, (character) => (character === "’" ? 0x92 : character.charCodeAt(0)));
const utf16 = (text: string, bigEndian: boolean) => {
	const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
	return new Uint8Array(bigEndian ? bytes.swap16() : bytes);
};

/** The lines of a file as « company ; reference ». */
function read(bytes: Uint8Array): string[] {
	const file = readListFile(bytes);
	return file.ok ? file.lines.map(({ company, reference }) => `${company} ; ${reference}`) : [file.code];
}

const table = "SIREN;Nom;Référence\r\n552032534;L’Été;dossier é\r\n552081317;EDF;\r\n";
const lines = ["552032534 ; dossier é", "552081317 ; "];

describe("encodings", () => {
	test.each<[string, Uint8Array]>([
		["UTF-8", utf8(table)],
		["UTF-8 with a byte order mark", utf8(`\ufeff${table}`)],
		["UTF-16LE", utf16(table, false)],
		["UTF-16BE", utf16(table, true)],
		["Windows-1252", windows1252(table)],
		["Mac line breaks", utf8(table.replaceAll("\r\n", "\r"))],
	])("%s", (_, bytes) => {
		expect(read(bytes)).toEqual(lines);
	});

	test.each<[string, number[]]>([
		["ÿA", [0xff, 0x41]],
		["Aþ", [0x41, 0xfe]],
		["þA", [0xfe, 0x41]],
		["Aÿ", [0x41, 0xff]],
	])("Windows-1252 that is not the byte order mark of another: %s", (text, bytes) => {
		expect(read(Uint8Array.from(bytes))).toEqual([`${text} ; `]);
	});

	test("a workbook has all four signs", () => {
		for (const signs of [
			[0x50, 0x4b, 3, 4],
			[0xd0, 0xcf, 0x11, 0xe0],
		])
			for (const place of signs.keys())
				expect(read(Uint8Array.from(signs.map((sign, index) => (index === place ? sign + 1 : sign))))).toEqual(["unreadable"]);
	});

	test.each<[string, Uint8Array]>([
		["spreadsheet", Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0)],
		["spreadsheet", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1)],
		["unreadable", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13)],
		["unreadable", utf8("552032534\0")],
		["unreadable", Uint8Array.of(0xff, 0xfe, 0x35)],
		["empty", utf8("")],
		["empty", utf8("\r\n;;\r\n")],
		["empty", utf8("SIREN;Référence\r\n")],
		["too-large", new Uint8Array(maxFileBytes + 1)],
		["unreadable", new Uint8Array(maxFileBytes)],
	])("%s", (code, bytes) => {
		expect(readListFile(bytes)).toEqual({ ok: false, code });
	});
});

describe("columns", () => {
	test.each<[string, string, string[]]>([
		["found by their heads, in any order", "Votre réf.,Raison sociale,N° SIREN\nA1,DANONE,552032534", ["552032534 ; A1"]],
		["a SIRET, where there is no SIREN", "siret\treference\n55203253400703\tA1", ["55203253400703 ; A1"]],
		["the name, where the number is missing", "SIREN;Entreprise\n552032534;DANONE\n;EDF", ["552032534 ; ", "EDF ; "]],
		["without heads, by what is in them", "A1;552032534\nA2;552081317", ["552032534 ; A1", "552081317 ; A2"]],
		["without heads and with more columns, no reference", "A1;552032534;Paris", ["552032534 ; "]],
		["one column of names", "Société Générale\nDANONE", ["Société Générale ; ", "DANONE ; "]],
		["quotes, also with a separator and a line break in them", '"552032534";"dossier ;\n""114"""', ['552032534 ; dossier ; "114"']],
		["a quote that never ends", '552032534;"dossier', ['552032534 ; "dossier']],
		["the separator that Excel names", "sep=;\r\nSIREN;Réf\r\n552032534;a,b", ["552032534 ; a,b"]],
		["in columns of any depth, up to fifty", `${";".repeat(49)}552032534`, ["552032534 ; "]],
		["not in more", `${";".repeat(50)}552032534`, [" ; "]],
		["the column with the most numbers", "552032534;A1;552081317\nA2;x;552081317", ["552081317 ; ", "552081317 ; "]],
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
		["a short row without the column of numbers", "a;b;552032534\nx;y", ["552032534 ; ", " ; "]],
		["the separator of most lines", "a;b\nc,d\ne,f", ["a;b ; ", "c ; d", "e ; f"]],
		["formulas are texts", "552032534;=HYPERLINK(1)", ["552032534 ; =HYPERLINK(1)"]],
	])("%s", (_, text, expected) => {
		expect(read(utf8(text))).toEqual(expected);
	});

	test("only the first two hundred rows say which column has the numbers", () => {
		const rows = [...Array<string>(maxLines).fill("552032534;x"), ...Array<string>(maxLines * 2).fill("x;552081317")];
		expect(read(utf8(rows.join("\n"))).slice(maxLines - 1, maxLines + 1)).toEqual(["552032534 ; x", "x ; 552081317"]);
		const separators = [...Array<string>(maxLines).fill("a;b"), ...Array<string>(maxLines * 2).fill("c,d")];
		expect(read(utf8(separators.join("\n"))).slice(maxLines - 1, maxLines + 1)).toEqual(["a ; b", "c,d ; "]);
	});

	test("two thousand lines are all counted, and blank ones do not count", () => {
		expect(read(utf8(`${"552032534\n".repeat(maxRows)}${";;\n".repeat(10_000)}`)).length).toBe(maxRows);
	});

	// some of these would take years if each cell of the widest row counted for all rows, or if blanks were read again from each blank
	test.each<[string, string, string]>([
		["150,000 short rows", "1\n".repeat(150_000), "too-many"],
		["rows of different lengths", 'x"\n"y;'.repeat(150_000), "too-many"],
		["100,000 rows and a wide one", `${"1\n".repeat(100_000)}${";".repeat(100_000)}1\n`, "too-many"],
		["a wide row among those allowed", `${"552032534\n".repeat(1_000)}${";".repeat(900_000)}x`, "552032534 ; "],
		["blanks after a label", `rcs a${" ".repeat(900_000)}!;1`, "rcs a ; 1"],
		["a separator that is a quote", 'sep="\n552032534', 'sep=" ; '],
	])("a crafted file is read in one pass: %s", (_, text, first) => {
		expect(read(utf8(text))[0]).toBe(first);
	});

	test("a head with a million marks is no head", () => {
		expect(read(utf8(`SIREN;a${"\u0301".repeat(200_000)}${"\u0316".repeat(200_000)}\n552032534;x`))).toEqual(["552032534 ; "]);
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
			{ text: "a", errors: { fichier: "Ce fichier n’est pas un texte lisible. Choisissez un fichier CSV." } },
		],
	])("refuses %s, and keeps what was typed", async (_, sent, status, state) => {
		expect(await answer(...sent)).toEqual({ ok: false, status, state });
	});

	test("takes two hundred lines, and the longest text", async () => {
		expect(await answer(list(199), csv("552081317;b"))).toEqual({
			ok: true,
			lines: [...Array<object>(199).fill({ company: "552032534", reference: "a" }), { company: "552081317", reference: "b" }],
		});
		expect(await answer("x".repeat(maxListLength))).toMatchObject({ ok: true });
		expect(await answer("552032534", "no file")).toEqual({ ok: true, lines: [{ company: "552032534", reference: "" }] });
	});
});
