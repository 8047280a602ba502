import { endOfImage, listSegments, startOfScan } from "./photo-header.ts";

/** A JPEG without what is not the picture, and how it is turned. */
export interface StrippedJpeg {
	bytes: Uint8Array;
	/** From 1 to 8 (Exif 2.32, tag 0x0112). */
	orientation: number;
	/** Whether the end was missing, and is added: viewers draw the rest, which may be all of it. */
	isCut: boolean;
}

/**
 * Keeps of a JPEG the segments that a decoder needs (ITU-T T.81, table B.1), and Adobe's, which says how the colours are stored. Exif
 * with the place and the telephone, thumbnails, comments and what follows the picture go.
 * @returns null when there is no picture in it.
 */
export function stripJpeg(bytes: Uint8Array): StrippedJpeg | null {
	const parts = [bytes.subarray(0, 2)];
	let orientation = 1;
	let [hasScan, hasEnd] = [false, false];
	for (const { marker, start, end } of listSegments(bytes)) {
		const segment = bytes.subarray(start, end);
		if (marker === 0xe1) orientation = readOrientation(segment) ?? orientation;
		// without what an editor may have put behind Adobe's twelve bytes
		if (marker === adobe) parts.push(...readAdobe(segment));
		else if (isOfPicture(marker)) parts.push(segment);
		hasScan ||= marker === startOfScan;
		hasEnd ||= marker === endOfImage;
	}
	if (!hasScan && !hasEnd) return null;
	if (!hasEnd) parts.push(Uint8Array.of(0xff, endOfImage));
	return { bytes: Buffer.concat(parts), orientation, isCut: !hasEnd };
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
