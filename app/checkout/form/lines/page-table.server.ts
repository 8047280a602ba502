import { Tokenizer } from "htmlparser2";
import { readLine } from "../../../ui/forms/text.ts";

/** The attributes in which Excel and LibreOffice write a number that the cell shows rounded. */
const numberAttributes: ReadonlySet<string> = new Set(["x:num", "sdval"]);

/** All digits of a number. Of a date, the attribute has a count of days, which is shorter. */
const longNumber = /^\d{7,14}$/;

/**
 * Reads the cells of the tables of a page of HTML, by row: programs export such pages under the names of workbooks. In one pass, because
 * anybody may send any HTML; nothing is nested.
 * @param most the rows that are read.
 */
export function readPageTable(page: string, most: number): string[][] {
	const rows: string[][] = [];
	let cell: { number: string; text: string } | null = null;
	let [tag, attribute, number] = ["", "", ""];
	const addText = (text: string) => {
		if (cell) cell.text += text;
	};
	const closeCell = () => {
		if (cell) rows.at(-1)?.push(cell.number || readLine(cell.text.replace(/\s+/g, " ")));
		cell = null;
	};
	const openTag = () => {
		if (tag === "br") addText(" ");
		if (tag === "tr" || tag === "td" || tag === "th") closeCell();
		if (tag === "tr") rows.push([]);
		if (tag === "td" || tag === "th") cell = { number, text: "" };
	};
	const tokenizer = new Tokenizer(
		{ decodeEntities: true },
		{
			ontext: (start, end) => addText(page.slice(start, end)),
			ontextentity: (codePoint) => addText(String.fromCodePoint(codePoint)),
			onopentagname(start, end) {
				tag = page.slice(start, end).toLowerCase();
				number = "";
			},
			onattribname(start, end) {
				attribute = page.slice(start, end).toLowerCase();
			},
			onattribdata(start, end) {
				const value = page.slice(start, end);
				if (numberAttributes.has(attribute) && longNumber.test(value)) number = value;
			},
			onattribentity() {},
			onattribend() {},
			onopentagend: openTag,
			onselfclosingtag: openTag,
			onclosetag(start, end) {
				if (["td", "th", "tr", "table"].includes(page.slice(start, end).toLowerCase())) closeCell();
			},
			oncdata() {},
			oncomment() {},
			ondeclaration() {},
			onprocessinginstruction() {},
			onend: closeCell,
		},
	);
	tokenizer.write(page);
	tokenizer.end();
	return rows.slice(0, most);
}
