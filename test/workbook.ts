import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

type Cell = string | number | null;

const toXml = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

/** « A1 » for the first cell. */
const address = (column: number, row: number) =>
	`${column > 25 ? String.fromCharCode(64 + Math.floor(column / 26)) : ""}${String.fromCharCode(65 + (column % 26))}${row}`;

function toSheet(rows: readonly (readonly Cell[])[], texts: string[]): string {
	const cell = (value: Cell, column: number, row: number) => {
		const place = address(column, row);
		if (value === null) return "";
		if (typeof value === "number") return `<c r="${place}"><v>${value}</v></c>`;
		return `<c r="${place}" t="s"><v>${texts.push(value) - 1}</v></c>`;
	};
	const lines = rows.map(
		(row, index) => `<row r="${index + 1}">${row.map((value, column) => cell(value, column, index + 1)).join("")}</row>`,
	);
	return `<worksheet xmlns="${namespace}"><sheetData>${lines.join("")}</sheetData></worksheet>`;
}

const namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";

/** Makes an .xlsx workbook with the parts that Excel writes (ECMA-376). @param sheets the rows of each. @param parts other ones, by name. */
export async function makeWorkbook(sheets: readonly (readonly (readonly Cell[])[])[], parts: Record<string, Buffer> = {}): Promise<Buffer> {
	const texts: string[] = [];
	const pages = sheets.map((rows) => toSheet(rows, texts));
	const list = pages.map((_, index) => `<sheet name="Feuil${index + 1}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`);
	const links = pages.map(
		(_, index) => `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
	);
	const files: Record<string, string> = {
		"[Content_Types].xml": `<Types xmlns="${packages}/content-types"/>`,
		"_rels/.rels": `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml": `<workbook xmlns="${namespace}" xmlns:r="${relations}"><sheets>${list.join("")}</sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packages}/relationships">${links.join("")}<Relationship Id="rId99" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
		"xl/sharedStrings.xml": `<sst xmlns="${namespace}">${texts.map((text) => `<si><t>${toXml(text)}</t></si>`).join("")}</sst>`,
		...Object.fromEntries(pages.map((page, index) => [`xl/worksheets/sheet${index + 1}.xml`, page])),
	};
	const archive = new ZipFile();
	const written = Object.entries(files).map(
		([name, text]) => [name, Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`)] as const,
	);
	for (const [name, bytes] of new Map([...written, ...Object.entries(parts)])) archive.addBuffer(bytes, name);
	archive.end();
	return buffer(archive.outputStream);
}
