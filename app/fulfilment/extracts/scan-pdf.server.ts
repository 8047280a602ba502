import { constants, inflateRawSync, inflateSync } from "node:zlib";
import type { PdfFinding } from "./pdf-summary.ts";

/**
 * Scans every object of a PDF, including unreferenced ones, because readers differ in the objects that they follow. Names are decoded
 * (`/J#61vaScript`), and deflated streams are decompressed within limits. Sources: ISO 32000-2, 12.6 and 7.11; the tool pdfid.
 */
export interface PdfScan {
	findings: Set<PdfFinding>;
	encrypted: boolean;
	/** The number of OpenAction entries that are not simply a destination in the document. */
	openActions: number;
}

/** Names too long to occur by chance in a picture; searched everywhere. */
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
/** Short names; searched only among objects, not in pictures or page content. */
const shortNames: Record<string, PdfFinding> = { JS: "script", AA: "automatic-action", EF: "attachment", XFA: "xfa", "3D": "media" };

const name = /\/([A-Za-z0-9#]{2,64})/g;
const streamStart = /(?<!end)stream(?:\r\n|\n|\r)/g;
/** The beginning of an object stream: numbers and offsets, then objects. */
const packedObjects = /^[\s\0]*(?:\d+\s+\d+\s+)+(?:<<|\[|\/|\()/;
const unusualFilter = /\/(?:ASCIIHexDecode|AHx|ASCII85Decode|A85|LZWDecode|LZW|RunLengthDecode|RL|Crypt|DecodeParms)\b/;

const maxStreams = 20_000;
const maxUnpackedBytes = 128 * 2 ** 20; // bytes per file; fifty scanned pages have less
const maxDictionaryLength = 4096; // characters before a stream that are searched for its dictionary

export function scanPdf(bytes: Uint8Array): PdfScan {
	const scan: PdfScan = { findings: new Set(), encrypted: false, openActions: 0 };
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const text = file.toString("latin1");
	let bytesLeft = maxUnpackedBytes;
	let streams = 0;
	let scannedTo = 0;
	for (const { index, 0: keyword } of text.matchAll(streamStart)) {
		if (++streams > maxStreams) {
			scan.findings.add("inflation");
			return scan;
		}
		const start = index + keyword.length;
		const dictionary = decodeNames(text.slice(Math.max(0, index - maxDictionaryLength), index));
		const ownDictionary = dictionary.slice(dictionary.lastIndexOf("endobj") + 1);
		const isObjectStream = /\/ObjStm\b|\/First\b/.test(ownDictionary);
		if (isObjectStream && unusualFilter.test(ownDictionary)) scan.findings.add("hidden-objects");

		let packed: Buffer | null = file.subarray(start);
		for (let depth = 0; depth < 3 && packed !== null && isDeflated(packed); depth++) {
			const unpacked = unpack(packed, bytesLeft);
			if (unpacked === "too much") {
				scan.findings.add("inflation");
				return scan;
			}
			if (unpacked === null && depth === 0 && /\/(?:FlateDecode|Fl)\b/.test(ownDictionary)) scan.findings.add("hidden-objects");
			packed = unpacked;
			bytesLeft -= unpacked?.length ?? 0;
			const unpackedText = unpacked?.toString("latin1") ?? "";
			scanNames(scan, unpackedText, isObjectStream || packedObjects.test(unpackedText));
		}

		if (index < scannedTo) continue; // inside another stream
		scanNames(scan, text.slice(scannedTo, index), true);
		const end = text.indexOf("endstream", start);
		scannedTo = end < 0 ? start : end;
		scanNames(scan, text.slice(start, scannedTo), isObjectStream);
	}
	scanNames(scan, text.slice(scannedTo), true);
	return scan;
}

function scanNames(scan: PdfScan, text: string, amongObjects: boolean): void {
	for (const { 1: encodedName = "", 0: whole, index } of text.matchAll(name)) {
		const decodedName = decodeNames(encodedName);
		const finding = findOwn(longNames, decodedName) ?? (amongObjects ? findOwn(shortNames, decodedName) : undefined);
		if (finding !== undefined) scan.findings.add(finding);
		if (!amongObjects) continue;
		if (decodedName === "Encrypt") scan.encrypted = true;
		if (decodedName === "OpenAction" && !/^[\s\0]*\[/.test(text.slice(index + whole.length, index + whole.length + 40))) scan.openActions++;
	}
}

const findOwn = (table: Record<string, PdfFinding>, key: string) => (Object.hasOwn(table, key) ? table[key] : undefined);

/** Decodes `#` and two hexadecimal digits in names (ISO 32000-2, 7.3.5). */
function decodeNames(text: string): string {
	return text.includes("#") ? text.replace(/#([0-9a-fA-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))) : text;
}

/** Whether the bytes have a zlib header (RFC 1950, 2.2). */
function isDeflated(bytes: Buffer): boolean {
	const [method = 0, flags = 0] = bytes;
	return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}

/** Decompresses as leniently as PDF readers: it ignores trailing bytes, a wrong checksum and a missing end. */
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
