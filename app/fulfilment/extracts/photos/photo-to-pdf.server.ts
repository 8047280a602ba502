import { createRequire } from "node:module";
import { maxExtractBytes } from "../../../orders/documents/extract-size.ts";
import { listReadable, runConfined } from "../inspect-pdf.server.ts";
import { maxPhotoPixels, maxPngPixels, type PhotoPage, readPhotoHeader } from "./photo-header.ts";

/** In milliseconds of processor time. */
const maxCpuMs = 10_000;

export type PhotoProblem = "too-large" | "damaged-picture" | "large-picture"; // too many pixels, or too much work

/** `isCut`: the file of the photo has no end, so that its lower part may be missing. */
export type ConvertedPhoto = { ok: true; pdf: Uint8Array; isCut: boolean } | { ok: false; code: PhotoProblem };

/**
 * Puts a photo of an extract, JPEG or PNG, on the page of a PDF, in a process that may only read. The photo is turned as its telephone
 * held it; its metadata, such as the place, are removed (docs/decisions/0030-drafts-and-previews.md). The same photo gives the same PDF.
 * @throws when the program itself does not work.
 */
export async function convertPhoto(bytes: Uint8Array): Promise<ConvertedPhoto> {
	if (bytes.byteLength > maxExtractBytes) return { ok: false, code: "too-large" };
	const header = readPhotoHeader(bytes);
	if (header === null) return { ok: false, code: "damaged-picture" };
	const isLarge = header.width * header.height > (header.format === "png" ? maxPngPixels : maxPhotoPixels);
	if (isLarge) return { ok: false, code: "large-picture" };
	const program = createRequire(import.meta.url).resolve("#app/fulfilment/extracts/photos/photo-converter.server.ts");
	const output = await runConfined(program, { readable: listReadable(), input: bytes, maxCpuMs, maxOutputBytes: 64 * 2 ** 20 });
	if (output === null) return { ok: false, code: "large-picture" };
	const page: PhotoPage | null = JSON.parse(output);
	if (page === null) return { ok: false, code: "damaged-picture" };
	const pdf = Buffer.from(page.pdf, "base64");
	return pdf.byteLength > maxExtractBytes ? { ok: false, code: "large-picture" } : { ok: true, pdf, isCut: page.isCut };
}
