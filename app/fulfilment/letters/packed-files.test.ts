import { expect, test } from "vitest";
import { packFiles, unpackFiles } from "./packed-files.ts";

test.each([[[]], [[3]], [[0, 1, 70_000, 5]]])("files of %j bytes are packed into one and unpacked again", (lengths) => {
	const files = lengths.map((length, at) => new Uint8Array(length).fill(at + 1));
	// the bytes may be a part of a larger buffer
	const packed = new Uint8Array([9, 9, ...packFiles(files)]).subarray(2);
	expect(unpackFiles(packed)).toEqual(files);
});
