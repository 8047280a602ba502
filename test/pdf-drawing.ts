import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";

/** A digest of how a PDF is drawn: the content of its pages without their compression, and its tags in their order. */
export function digestDrawing(pdf: Uint8Array): string {
	const raw = Buffer.from(pdf);
	const text = raw.toString("latin1");
	const streams = [...text.matchAll(/\/Length (\d+)\n\/Filter \/FlateDecode\n>>\nstream\n/g)].map(({ 0: head, 1: length, index }) => {
		const from = index + head.length;
		return inflateSync(raw.subarray(from, from + Number(length))).toString("latin1");
	});
	const pages = streams.filter((stream) => / Tf\n/.test(stream));
	if (pages.length === 0) throw new Error("the PDF has no page with text");
	const tags = [...text.matchAll(/\/S \/(\w+)/g)].map(([, tag]) => tag);
	return createHash("sha256")
		.update([...pages, ...tags].join("\n"))
		.digest("hex")
		.slice(0, 16);
}
