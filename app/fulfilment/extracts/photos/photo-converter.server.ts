// A program that photo-to-pdf.server.ts starts: it reads a photo from standard input and writes a PDF of one page in JSON, in base64, or
// null. A malicious file can only end this process. Argument: processor time in milliseconds.
import { buffer } from "node:stream/consumers";
import { concatTransformationMatrix, drawObject, PDFDocument, type PDFImage, popGraphicsState, pushGraphicsState } from "pdf-lib";
import { watchLimits } from "../confined-limits.server.ts";
import { type PhotoPage, photoName, readPhotoHeader } from "./photo-header.ts";
import { type StrippedJpeg, stripJpeg } from "./strip-jpeg.ts";

/** A4 in points, and the margin that printers need. */
const [shortSide, longSide, margin] = [595.28, 841.89, 18];

watchLimits();
const converted = await convert(new Uint8Array(await buffer(process.stdin)));
process.stdout.write(JSON.stringify(converted));

/** @returns the PDF in base64. */
async function convert(bytes: Uint8Array): Promise<PhotoPage | null> {
	// without dates: the same photo is the same file
	const document = await PDFDocument.create({ updateMetadata: false });
	const photo = await embed(document, bytes).catch(() => null);
	if (photo === null) return null;
	const { image, orientation, isCut } = photo;
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
	return { pdf: Buffer.from(await document.save({ useObjectStreams: false })).toString("base64"), isCut };
}

type EmbeddedPhoto = { image: PDFImage } & Pick<StrippedJpeg, "orientation" | "isCut">;

/** A JPEG is embedded as it is, without its metadata; a PNG is decoded, so that its pixels only are left. */
async function embed(document: PDFDocument, bytes: Uint8Array): Promise<EmbeddedPhoto | null> {
	if (readPhotoHeader(bytes)?.format === "png")
		return { image: await document.embedPng(bytes), orientation: 1, isCut: !Buffer.from(bytes).includes("IEND") };
	const stripped = stripJpeg(bytes);
	// a copy, because pdf-lib reads from the beginning of the memory behind it
	return stripped && { ...stripped, image: await document.embedJpg(new Uint8Array(stripped.bytes)) };
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
