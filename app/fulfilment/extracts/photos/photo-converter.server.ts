import { buffer } from "node:stream/consumers";
import { concatTransformationMatrix, drawObject, PDFDocument, type PDFImage, popGraphicsState, pushGraphicsState } from "pdf-lib";
import { watchLimits } from "../confined-limits.server.ts";
import { endOfImage, listSegments, photoName, readPhotoHeader } from "./photo-header.ts";

// A program that photo-to-pdf.server.ts starts: it reads a photo from standard input and writes a PDF of one page in JSON, in base64, or
// null. A malicious file can only end this process. Argument: processor time in milliseconds.

/** A4 in points, and the margin that printers need. */
const [shortSide, longSide, margin] = [595.28, 841.89, 18];

watchLimits();
const pdf = await convert(new Uint8Array(await buffer(process.stdin)));
process.stdout.write(JSON.stringify(pdf && Buffer.from(pdf).toString("base64")), () => process.exit());

async function convert(bytes: Uint8Array): Promise<Uint8Array | null> {
	// without dates: the same photo is the same file
	const document = await PDFDocument.create({ updateMetadata: false });
	const photo = await embed(document, bytes).catch(() => null);
	if (photo === null) return null;
	const { image, orientation } = photo;
	const isTurned = orientation >= 5;
	const [width, height] = isTurned ? [image.height, image.width] : [image.width, image.height];
	const page = document.addPage(width > height ? [longSide, shortSide] : [shortSide, longSide]);
	const scale = Math.min((page.getWidth() - 2 * margin) / width, (page.getHeight() - 2 * margin) / height);
	const [w, h] = [width * scale, height * scale];
	const [x, y] = [(page.getWidth() - w) / 2, (page.getHeight() - h) / 2];
	const name = page.node.newXObject(photoName, image.ref);
	page.pushOperators(
		pushGraphicsState(),
		concatTransformationMatrix(...place(orientation, { x, y, w, h })),
		drawObject(name),
		popGraphicsState(),
	);
	return document.save({ useObjectStreams: false });
}

/** A JPEG is embedded as it is, without its metadata; a PNG is decoded, so that its pixels only are left. */
async function embed(document: PDFDocument, bytes: Uint8Array): Promise<{ image: PDFImage; orientation: number } | null> {
	if (readPhotoHeader(bytes)?.format === "png") return { image: await document.embedPng(bytes), orientation: 1 };
	const stripped = stripJpeg(bytes);
	// a copy, because pdf-lib reads from the beginning of the memory behind it
	return stripped && { image: await document.embedJpg(new Uint8Array(stripped.bytes)), orientation: stripped.orientation };
}

type Matrix = [number, number, number, number, number, number];

/** Maps the unit square of a picture (ISO 32000-2, 8.9.5) to its place on the page, turned and mirrored as Exif says. */
function place(orientation: number, { x, y, w, h }: { x: number; y: number; w: number; h: number }): Matrix {
	const matrices: Record<number, Matrix> = {
		2: [-w, 0, 0, h, x + w, y],
		3: [-w, 0, 0, -h, x + w, y + h],
		4: [w, 0, 0, -h, x, y + h],
		5: [0, -h, -w, 0, x + w, y + h],
		6: [0, -h, w, 0, x, y + h],
		7: [0, h, w, 0, x, y],
		8: [0, h, -w, 0, x + w, y],
	};
	return matrices[orientation] ?? [w, 0, 0, h, x, y];
}

/** A JPEG without what is not the picture, and how it is turned. */
interface StrippedJpeg {
	bytes: Uint8Array;
	/** From 1 to 8 (Exif 2.32, tag 0x0112). */
	orientation: number;
}

/**
 * Keeps of a JPEG the segments that a decoder needs (ITU-T T.81, table B.1), and Adobe's, which says how the colours are stored. Exif
 * with the place and the telephone, thumbnails, comments and what follows the picture go.
 * @returns null when the picture has no end.
 */
export function stripJpeg(bytes: Uint8Array): StrippedJpeg | null {
	const parts = [bytes.subarray(0, 2)];
	let orientation = 1;
	let isWhole = false;
	for (const { marker, start, end } of listSegments(bytes)) {
		const segment = bytes.subarray(start, end);
		if (marker === 0xe1) orientation = readOrientation(segment) ?? orientation;
		// without what an editor may have put behind Adobe's twelve bytes
		if (marker === adobe) parts.push(...readAdobe(segment));
		else if (isOfPicture(marker)) parts.push(segment);
		isWhole ||= marker === endOfImage;
	}
	return isWhole ? { bytes: Buffer.concat(parts), orientation } : null;
}

/** Frames, tables (DHT, DAC, DQT), restart interval (DRI), scans, and the end. */
const isOfPicture = (marker: number) => (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || [0xd9, 0xda, 0xdb, 0xdd].includes(marker);

const adobe = 0xee;
const adobeBytes = 16; // with marker and length

function readAdobe(segment: Uint8Array): Uint8Array[] {
	if (segment.length < adobeBytes || Buffer.from(segment).toString("latin1", 4, 9) !== "Adobe") return [];
	return [Buffer.concat([Uint8Array.of(0xff, adobe, 0, adobeBytes - 2), segment.subarray(4, adobeBytes)])];
}

/** Reads the orientation of an Exif segment: TIFF, whose first directory has the tag. */
function readOrientation(segment: Uint8Array): number | null {
	const tiff = Buffer.from(segment.subarray(10));
	if (Buffer.from(segment).toString("latin1", 4, 10) !== "Exif\0\0" || tiff.length < 8) return null;
	const isLittle = tiff.toString("latin1", 0, 2) === "II";
	const read16 = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
	const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
	const count = read16(directory);
	for (let entry = 0; entry < count; entry++) {
		const at = directory + 2 + entry * 12;
		if (at + 12 > tiff.length) return null;
		const value = read16(at + 8);
		if (read16(at) === 0x0112) return value >= 1 && value <= 8 ? value : null;
	}
	return null;
}
