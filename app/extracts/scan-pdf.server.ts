import { constants, inflateRawSync, inflateSync } from "node:zlib";
import type { PdfFinding } from "./pdf-summary.ts";

/**
 * A look at every object of a PDF, whether something refers to it or not: a parser only follows what it believes in, and another
 * reader may believe in more. Names are compared as a reader would: `/J#61vaScript` is JavaScript. Objects may be packed in streams,
 * so every deflated stream is unpacked, within limits. The names are those of ISO 32000-2, 12.6 (actions) and 7.11 (file specifications),
 * and those that the tool pdfid counts.
 */
export interface PdfScan {
	findings: Set<PdfFinding>;
	encrypted: boolean;
	/** How many OpenAction are not plainly a place in the document. */
	openActions: number;
}

/** Long enough not to occur by chance in a picture's bytes: looked for everywhere. */
const longNames: Record<string, PdfFinding> = {
	JavaScript: "script",
	Launch: "launch",
	GoToR: "launch",
	GoToE: "launch",
	EmbeddedFile: "attachment",
	EmbeddedFiles: "attachment",
	FileAttachment: "attachment",
	RichMedia: "media",
	RichMediaContent: "media",
	Rendition: "media",
	SubmitForm: "form-sending",
	ImportData: "form-sending",
};
/** Looked for among objects only, not in pictures or in the drawing of a page. */
const shortNames: Record<string, PdfFinding> = { JS: "script", AA: "automatic-action", EF: "attachment", XFA: "xfa", "3D": "media" };

const name = /\/([A-Za-z0-9#]{2,64})/g;
const streamStart = /(?<!end)stream(?:\r\n|\n|\r)/g;
/** Numbers and offsets, then objects: how a stream of objects begins, whatever its dictionary says. */
const packedObjects = /^[\s\0]*(?:\d+\s+\d+\s+)+(?:<<|\[|\/|\()/;
const unusualFilter = /\/(?:ASCIIHexDecode|AHx|ASCII85Decode|A85|LZWDecode|LZW|RunLengthDecode|RL|Crypt|DecodeParms)\b/;

const mostStreams = 20_000;
const mostUnpacked = 128 * 2 ** 20; // bytes, of the whole file: fifty scanned pages do not reach it
const dictionaryReach = 4096; // characters before a stream in which its dictionary is looked for

export function scanPdf(bytes: Uint8Array): PdfScan {
	const scan: PdfScan = { findings: new Set(), encrypted: false, openActions: 0 };
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const text = file.toString("latin1");
	let left = mostUnpacked;
	let seen = 0;
	let lookedTo = 0;
	for (const { index, 0: keyword } of text.matchAll(streamStart)) {
		if (++seen > mostStreams) {
			scan.findings.add("inflation");
			return scan;
		}
		const start = index + keyword.length;
		const dictionary = decodeNames(text.slice(Math.max(0, index - dictionaryReach), index));
		const ownDictionary = dictionary.slice(dictionary.lastIndexOf("endobj") + 1);
		const holdsObjects = /\/ObjStm\b|\/First\b/.test(ownDictionary);
		if (holdsObjects && unusualFilter.test(ownDictionary)) scan.findings.add("hidden-objects");

		let packed: Buffer | null = file.subarray(start);
		for (let depth = 0; depth < 3 && packed !== null && isDeflated(packed); depth++) {
			const unpacked = unpack(packed, left);
			if (unpacked === "too much") {
				scan.findings.add("inflation");
				return scan;
			}
			if (unpacked === null && depth === 0 && /\/(?:FlateDecode|Fl)\b/.test(ownDictionary)) scan.findings.add("hidden-objects");
			packed = unpacked;
			left -= unpacked?.length ?? 0;
			const inside = unpacked?.toString("latin1") ?? "";
			lookAtNames(scan, inside, holdsObjects || packedObjects.test(inside));
		}

		if (index < lookedTo) continue; // inside another stream's bytes
		lookAtNames(scan, text.slice(lookedTo, index), true);
		const end = text.indexOf("endstream", start);
		lookedTo = end < 0 ? start : end;
		lookAtNames(scan, text.slice(start, lookedTo), holdsObjects);
	}
	lookAtNames(scan, text.slice(lookedTo), true);
	return scan;
}

function lookAtNames(scan: PdfScan, text: string, amongObjects: boolean): void {
	for (const { 1: written = "", 0: whole, index } of text.matchAll(name)) {
		const meant = decodeNames(written);
		const found = own(longNames, meant) ?? (amongObjects ? own(shortNames, meant) : undefined);
		if (found !== undefined) scan.findings.add(found);
		if (!amongObjects) continue;
		if (meant === "Encrypt") scan.encrypted = true;
		if (meant === "OpenAction" && !/^[\s\0]*\[/.test(text.slice(index + whole.length, index + whole.length + 40))) scan.openActions++;
	}
}

const own = (table: Record<string, PdfFinding>, key: string) => (Object.hasOwn(table, key) ? table[key] : undefined);

/** ISO 32000-2, 7.3.5: `#` and two hexadecimal digits stand for a character of a name. */
function decodeNames(text: string): string {
	return text.includes("#") ? text.replace(/#([0-9a-fA-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))) : text;
}

/** Whether bytes begin as zlib's do (RFC 1950, 2.2). */
function isDeflated(bytes: Buffer): boolean {
	const [method = 0, flags = 0] = bytes;
	return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}

/** Unpacks as leniently as readers do: what follows, a wrong checksum and a missing end are forgiven. */
function unpack(bytes: Buffer, limit: number): Buffer | "too much" | null {
	const options = { maxOutputLength: Math.max(1, limit), finishFlush: constants.Z_SYNC_FLUSH };
	try {
		return inflateSync(bytes, options);
	} catch (error) {
		if (isTooLarge(error)) return "too much";
	}
	try {
		return inflateRawSync(bytes.subarray(2), options);
	} catch (error) {
		return isTooLarge(error) ? "too much" : null;
	}
}

// not getErrorCode: the confined program that scans may read no other folder than this one
const isTooLarge = (error: unknown) => error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
