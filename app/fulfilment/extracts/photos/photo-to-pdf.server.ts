import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { maxExtractBytes } from "../../../orders/documents/extract-size.ts";
import { runConfined } from "../inspect-pdf.server.ts";
import { maxPhotoPixels, maxPngPixels, readPhotoHeader } from "./photo-header.ts";

/** In milliseconds of processor time. */
const maxCpuMs = 10_000;

export type PhotoProblem = "too-large" | "damaged-picture" | "large-picture"; // too many pixels, or too much work

export type ConvertedPhoto = { ok: true; pdf: Uint8Array } | { ok: false; code: PhotoProblem };

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
	const resolve = createRequire(import.meta.url).resolve;
	const program = resolve("#app/fulfilment/extracts/photos/photo-converter.server.ts");
	const extracts = dirname(dirname(program));
	const modules = dirname(dirname(dirname(resolve("pdf-lib"))));
	// pako and tslib lie in the folder of pdf-lib, as other packages need other versions
	const readable = [...[extracts, join(extracts, "../../../package.json")], ...["pdf-lib", "@pdf-lib"].map((name) => join(modules, name))];
	const output = await runConfined(program, { readable, input: bytes, maxCpuMs, maxOutputBytes: 64 * 2 ** 20 });
	if (output === null) return { ok: false, code: "large-picture" };
	const pdf: string | null = JSON.parse(output);
	if (pdf === null) return { ok: false, code: "damaged-picture" };
	const converted = Buffer.from(pdf, "base64");
	return converted.byteLength > maxExtractBytes ? { ok: false, code: "large-picture" } : { ok: true, pdf: converted };
}
