import { inflateRawSync } from "node:zlib";

/** Reads the files of an archive by its directory, in their order. @throws when it has no directory: the archive is not complete. */
export function readZip(zip: Buffer): Map<string, Buffer> {
	const end = zip.lastIndexOf("PK\u0005\u0006");
	if (end === -1) throw new Error("the archive is not complete");
	const files = new Map<string, Buffer>();
	let at = zip.readUInt32LE(end + 16);
	for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
		const nameLength = zip.readUInt16LE(at + 28);
		const header = zip.readUInt32LE(at + 42);
		const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
		const stored = zip.subarray(start, start + zip.readUInt32LE(at + 20));
		files.set(zip.toString("utf8", at + 46, at + 46 + nameLength), zip.readUInt16LE(at + 10) === 0 ? stored : inflateRawSync(stored));
		at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
	}
	return files;
}
