/** PDFs for the tests, written by hand so that they may be as wrong as needed. None looks like an extract of a greffe. */
interface MadeUp {
	/** The text of the page, a line each; characters of Latin-1. */
	lines?: string[];
	/** How often that page comes. */
	pages?: number;
	/** Added to the catalogue, the page, the trailer. */
	catalog?: string;
	page?: string;
	trailer?: string;
	/** The dictionary and bytes of the page's content, in place of the lines. */
	content?: { dictionary: string; bytes: Buffer };
	/** Objects 10, 11, 12… */
	objects?: (string | Buffer)[];
	/** Objects 50, 51, 52… packed in a stream of objects: its dictionary's filter, and how its bytes become packed. */
	packed?: { objects: string[]; filter: string; pack: (bytes: Buffer) => Buffer; type?: string };
}

const latin1 = (text: string) => Buffer.from(text, "latin1");

export const stream = (dictionary: string, bytes: Buffer): Buffer =>
	Buffer.concat([latin1(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`), bytes, latin1("\nendstream")]);

function drawing(lines: string[]): Buffer {
	const shown = lines.map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj T*`).join("\n");
	return latin1(`BT /F1 11 Tf 14 TL 50 780 Td\n${shown}\nET`);
}

export function madeUpPdf(made: MadeUp = {}): Uint8Array {
	const { lines = extractLines(), pages = 1, catalog = "", page = "", trailer = "", objects = [], packed } = made;
	const content = made.content ?? { dictionary: "", bytes: drawing(lines) };
	const numbered = new Map<number, string | Buffer>([
		[1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
		[2, `<< /Type /Pages /Count ${pages} /Kids [${"3 0 R ".repeat(pages)}] >>`],
		[
			3,
			"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R " +
				`/Resources << /Font << /F1 5 0 R >> /XObject << /X 10 0 R >> >> ${page} >>`,
		],
		[4, stream(content.dictionary, content.bytes)],
		[5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"],
		...objects.map((object, index): [number, string | Buffer] => [10 + index, object]),
	]);
	if (packed) {
		const offsets = packed.objects.map((_, index) => packed.objects.slice(0, index).join(" ").length + (index > 0 ? 1 : 0));
		const head = `${offsets.map((offset, index) => `${50 + index} ${offset}`).join(" ")} `;
		const bytes = packed.pack(latin1(head + packed.objects.join(" ")));
		const dictionary = `/Type /${packed.type ?? "ObjStm"} /N ${offsets.length} /First ${head.length} ${packed.filter}`;
		numbered.set(40, stream(dictionary, bytes));
	}

	const parts: Buffer[] = [latin1("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")];
	let length = parts[0]?.length ?? 0;
	const offsets = new Map<number, number>();
	const write = (bytes: Buffer) => {
		parts.push(bytes);
		length += bytes.length;
	};
	for (const [number, body] of numbered) {
		offsets.set(number, length);
		write(Buffer.concat([latin1(`${number} 0 obj\n`), Buffer.from(body as string, "latin1"), latin1("\nendobj\n")]));
	}
	const start = length;
	if (packed) write(crossReferenceStream(offsets, packed.objects.length, start, trailer));
	else {
		const rows = [...offsets].map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, "0")} 00000 n \n`).join("");
		write(latin1(`xref\n0 1\n0000000000 65535 f \n${rows}trailer\n<< /Size 100 /Root 1 0 R ${trailer} >>\n`));
	}
	write(latin1(`startxref\n${start}\n%%EOF\n`));
	return new Uint8Array(Buffer.concat(parts));
}

/** ISO 32000-2, 7.5.8: objects in object 40 are of the second type. */
function crossReferenceStream(offsets: Map<number, number>, packedCount: number, start: number, trailer: string): Buffer {
	const rows = Buffer.alloc(60 * 7);
	const set = (number: number, type: number, second: number, third: number) => {
		rows.writeUInt8(type, number * 7);
		rows.writeUInt32BE(second, number * 7 + 1);
		rows.writeUInt16BE(third, number * 7 + 5);
	};
	for (const [number, offset] of offsets) set(number, 1, offset, 0);
	for (let index = 0; index < packedCount; index++) set(50 + index, 2, 40, index);
	set(41, 1, start, 0);
	return Buffer.concat([
		latin1("41 0 obj\n"),
		stream(`/Type /XRef /Size 60 /W [1 4 2] /Root 1 0 R ${trailer}`, rows),
		latin1("\nendobj\n"),
	]);
}

/** What the checks look for in an extract, and no more. */
export function extractLines({
	siren = "552 032 534",
	dated = "à jour au 21 novembre 2026",
}: {
	siren?: string;
	dated?: string;
} = {}): string[] {
	return ["Document d'essai", `Extrait du registre ${dated}`, `Immatriculation au RCS, numéro ${siren} R.C.S. Paris`, "Dénomination ESSAI"];
}
