import { constants, inflateRawSync, inflateSync } from "node:zlib";
import {
	PDFArray,
	PDFContext,
	PDFDict,
	PDFName,
	PDFNumber,
	type PDFObject,
	PDFObjectParser,
	PDFRawStream,
	PDFRef,
	PDFStream,
} from "pdf-lib";
import type { PdfFinding } from "./pdf-summary.ts";

/** Every object of a PDF, including replaced and unreferenced ones, because readers differ in the objects that they follow. */
export interface PdfObjects {
	all: PDFObject[];
	/** All definitions of a number. */
	byNumber: Map<number, PDFObject[]>;
	/** What cannot be read: `hidden-objects`, `inflation`. */
	findings: Set<PdfFinding>;
}

/** A number, a generation and the keyword, with blanks and comments between them (ISO 32000-2, 7.3.10); not of an object that is empty. */
const objectStart =
	/(?<!\d)(\d{1,10})(?:[\0\t\n\f\r ]|%[^\r\n]{0,200}[\r\n]){1,50}\d{1,5}(?:[\0\t\n\f\r ]|%[^\r\n]{0,200}[\r\n]){0,50}obj(?![A-Za-z]|[\0\s]{0,50}endobj)/g;
/** The beginning of an object stream: numbers and offsets; where nothing says how long it is, the first object tells. */
const packedHead = /^[\s\0]*(?:\d+\s+\d+\s+)+(?=<<|\[|\/|\()/;

const maxStreams = 20_000;
const maxUnpackedBytes = 128 * 2 ** 20; // bytes per file; fifty scanned pages have less
const maxDepth = 3;

/** Parses the objects of a file, and those in its object streams. Deflated streams are decompressed within limits. */
export function readObjects(bytes: Uint8Array): PdfObjects {
	const objects: PdfObjects = { all: [], byNumber: new Map(), findings: new Set() };
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
	for (const { index, 0: start, 1: number } of text.matchAll(objectStart))
		if (!readObject(objects, bytes.subarray(index + start.length), Number(number))) objects.findings.add("hidden-objects");
	let bytesLeft = maxUnpackedBytes;
	const streams = objects.all.filter((object) => object instanceof PDFRawStream);
	if (streams.length > maxStreams) objects.findings.add("inflation");
	for (const stream of streams) {
		if (objects.findings.has("inflation")) break;
		bytesLeft -= readStream(objects, stream, bytesLeft);
	}
	for (const { index, 0: keyword } of text.matchAll(/trailer(?=[\s\0]*<<)/g))
		if (!readObject(objects, bytes.subarray(index + keyword.length), null)) objects.findings.add("hidden-objects");
	return objects;
}

const context = PDFContext.create();

/** Parses the object at the start of these bytes. @param number null for a trailer. @returns false when it cannot be parsed. */
function readObject({ all, byNumber }: PdfObjects, bytes: Uint8Array, number: number | null): boolean {
	try {
		const object = PDFObjectParser.forBytes(bytes, context).parseObject();
		all.push(object);
		if (number === null) return true;
		const same = byNumber.get(number);
		if (same) same.push(object);
		else byNumber.set(number, [object]);
		return true;
	} catch {
		return false;
	}
}

/** Decompresses a stream, and reads the objects in it. @returns the bytes that it has decompressed. */
function readStream(objects: PdfObjects, { dict, contents }: PDFRawStream, limit: number): number {
	const { findings } = objects;
	const filters = listNames(objects, dict, "Filter");
	const isDeflate = filters.every((filter) => filter === "FlateDecode" || filter === "Fl");
	const isPacked = listNames(objects, dict, "Type").includes("ObjStm") || has(dict, "First");
	if (isPacked && (!isDeflate || has(dict, "DecodeParms"))) findings.add("hidden-objects");
	let data = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
	if (isPacked && !readPacked(objects, dict, data)) findings.add("hidden-objects");
	let unpackedBytes = 0;
	for (let depth = 0; depth < maxDepth && isDeflated(data); depth++) {
		const unpacked = unpack(data, limit - unpackedBytes);
		if (unpacked === "too much") {
			findings.add("inflation");
			break;
		}
		if (unpacked === null) {
			if (depth === 0 && filters.length > 0 && isDeflate) findings.add("hidden-objects");
			break;
		}
		unpackedBytes += unpacked.length;
		if (!readPacked(objects, dict, unpacked) && isPacked) findings.add("hidden-objects");
		data = unpacked;
	}
	return unpackedBytes;
}

/**
 * Reads the objects of an object stream (ISO 32000-2, 7.5.7), also of one that is declared as something else.
 * @returns false when one cannot be parsed.
 */
function readPacked(objects: PdfObjects, dict: PDFDict, data: Buffer): boolean {
	const text = data.toString("latin1");
	const [first] = listUnder(objects, dict, "First");
	const start = first instanceof PDFNumber ? first.asNumber() : (packedHead.exec(text)?.[0].length ?? 0);
	const head = text.slice(0, start);
	// else it is not decompressed yet
	const numbers = /^[\s\0\d]*$/.test(head) ? (head.match(/\d+/g) ?? []).map(Number) : [];
	let isRead = true;
	for (let index = 0; index + 1 < numbers.length; index += 2)
		isRead = readObject(objects, data.subarray(start + (numbers[index + 1] ?? 0)), numbers[index] ?? null) && isRead;
	return isRead;
}

export const has = (dictionary: PDFDict, key: string): boolean => dictionary.get(PDFName.of(key)) !== undefined;

/** The values under a key, alone or in a list; of a reference all definitions. */
export function listUnder({ byNumber }: Pick<PdfObjects, "byNumber">, dictionary: PDFDict, key: string): PDFObject[] {
	const resolve = (value: PDFObject): PDFObject[] => (value instanceof PDFRef ? (byNumber.get(value.objectNumber) ?? []) : [value]);
	const value = dictionary.get(PDFName.of(key));
	return (value ? resolve(value) : []).flatMap((value) => (value instanceof PDFArray ? value.asArray().flatMap(resolve) : [value]));
}

export const listNames = (objects: PdfObjects, dictionary: PDFDict, key: string): string[] =>
	listUnder(objects, dictionary, key).flatMap((value) => (value instanceof PDFName ? [value.decodeText()] : []));

export const listDictionaries = (objects: PdfObjects, dictionary: PDFDict, key: string): PDFDict[] =>
	listUnder(objects, dictionary, key).filter((value) => value instanceof PDFDict);

/** All dictionaries in a value, those of streams too. */
export function* listInside(value: PDFObject): Generator<PDFDict> {
	if (value instanceof PDFDict) {
		yield value;
		for (const [, inner] of value.entries()) yield* listInside(inner);
	} else if (value instanceof PDFArray) for (const inner of value.asArray()) yield* listInside(inner);
	else if (value instanceof PDFStream) yield* listInside(value.dict);
}

/** Whether the bytes have a zlib header (RFC 1950, 2.2). */
function isDeflated(bytes: Buffer): boolean {
	const [method = 0, flags = 0] = bytes;
	return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}

/** Decompresses as leniently as PDF readers: it ignores trailing bytes, a wrong checksum and a missing end. */
function unpack(bytes: Buffer, limit: number): Buffer<ArrayBuffer> | "too much" | null {
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

/** ERR_BUFFER_TOO_LARGE of Node.js; broken data are another error. */
const isTooLarge = (error: unknown) => error instanceof RangeError;
