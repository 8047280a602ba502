/** What the header of a photo says; nothing of the picture is decoded. */
export interface PhotoHeader {
	format: "jpeg" | "png";
	/** In pixels, before it is turned. */
	width: number;
	height: number;
}

/** A photo above it is refused. */
export const maxPhotoPixels = 60_000_000;
/** PNG is decoded to be embedded, so that less of it fits into the memory of the confined process. */
export const maxPngPixels = 16_000_000;

/** The photos that the desk takes. */
export const isPhoto = (bytes: Uint8Array): boolean => findFormat(bytes) !== null;

/** Pictures of other formats: WebP, GIF, TIFF, BMP, JPEG 2000 and XL, and the HEIC and AVIF of telephones (ISO/IEC 14496-12, 4.3). */
export const isOtherPicture = (bytes: Uint8Array): boolean =>
	/^(?:RIFF[\s\S]{4}WEBP|GIF8[79]a|II\*\0|MM\0\*|BM[\s\S]{4}\0\0\0\0|\0\0\0\f(?:jP {2}|JXL )\r\n|\xff\n|[\s\S]{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1|avi[fs]))/.test(
		readStart(bytes),
	);

/** @returns null when the bytes are not those of a JPEG or PNG with a size. */
export function readPhotoHeader(bytes: Uint8Array): PhotoHeader | null {
	const format = findFormat(bytes);
	if (format === null) return null;
	const size = format === "png" ? readPngSize(bytes) : readJpegSize(bytes);
	return size && size.width > 0 && size.height > 0 ? { format, ...size } : null;
}

const readStart = (bytes: Uint8Array) => String.fromCharCode(...bytes.subarray(0, 12));

function findFormat(bytes: Uint8Array): PhotoHeader["format"] | null {
	const start = readStart(bytes);
	return start.startsWith("\xff\xd8\xff") ? "jpeg" : start.startsWith("\x89PNG\r\n") ? "png" : null;
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Of the first chunk (PNG specification, 11.2.1). */
function readPngSize(bytes: Uint8Array) {
	if (bytes.length < 33 || String.fromCharCode(...bytes.subarray(12, 16)) !== "IHDR") return null;
	return { width: view(bytes).getUint32(16), height: view(bytes).getUint32(20) };
}

/** Of the start of the frame (ITU-T T.81, B.2.2). */
function readJpegSize(bytes: Uint8Array) {
	const data = view(bytes);
	for (const { marker, start, end } of listSegments(bytes))
		if (isFrame(marker) && end - start >= 10) return { height: data.getUint16(start + 5), width: data.getUint16(start + 7) };
	return null;
}

/** Whether a marker starts a frame: SOF0 to SOF15 without DHT, JPG and DAC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** A part of a JPEG, with its marker; for a scan, also the picture's data that follow it. */
export interface JpegSegment {
	marker: number;
	start: number;
	end: number;
}

export const endOfImage = 0xd9;
export const startOfScan = 0xda;

/**
 * The segments of a JPEG after its first marker, until the end of the image or of the file. The last one is the end of the image if it is
 * whole. Bytes that belong to none are passed over, as decoders do (libjpeg, jdmarker.c).
 */
export function* listSegments(bytes: Uint8Array): Generator<JpegSegment> {
	const data = view(bytes);
	let at = 2;
	while (at + 1 < bytes.length) {
		const marker = data.getUint8(at + 1);
		if (bytes[at] !== 0xff || marker === 0xff || marker === 0) {
			at++; // filling
			continue;
		}
		if (marker === endOfImage) return yield { marker, start: at, end: at + 2 };
		const length = at + 4 > bytes.length ? 0 : data.getUint16(at + 2);
		let end = at + 2 + length;
		if (length < 2 || end > bytes.length) return;
		if (marker === startOfScan) end = findEndOfScan(bytes, end);
		yield { marker, start: at, end };
		at = end;
	}
}

/** The next marker that does not belong to the data of a scan: not a stuffed byte, nor a restart. */
function findEndOfScan(bytes: Uint8Array, from: number): number {
	for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
		const next = bytes[at + 1] ?? 0;
		if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
	}
	return bytes.length;
}

/** The output of photo-converter.server.ts: the PDF in base64, and whether the photo has no end. */
export interface PhotoPage {
	pdf: string;
	isCut: boolean;
}

/** The name of the photo on the page that photo-converter.server.ts makes; pdf-lib adds a number to it, and isPhotoPdf searches both. */
export const photoName = "Photo";

/** Whether a file is the PDF that the shop made of a photo, also when it comes back as a file. */
export const isPhotoPdf = (bytes: Uint8Array): boolean =>
	/\/XObject\s*<<\s*\/Photo-\d{1,20} \d{1,9} 0 R\s*>>/.test(
		Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"),
	);
