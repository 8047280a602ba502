import { crc32, deflateSync } from "node:zlib";

export interface Picture {
	width: number;
	height: number;
	/** Four bytes for each pixel: red, green, blue, and one that is not read. */
	pixels: Uint8Array;
}

/** Encodes an opaque picture as PNG (W3C Portable Network Graphics, third edition): eight bits for each of three colours. */
export function encodePng({ width, height, pixels }: Picture): Uint8Array {
	const rows = Buffer.alloc(height * (1 + width * 3));
	for (let y = 0, to = 0, from = 0; y < height; y++) {
		to++; // filter 0 of each row
		for (let x = 0; x < width; x++, from += 4) {
			rows[to++] = pixels[from] ?? 0;
			rows[to++] = pixels[from + 1] ?? 0;
			rows[to++] = pixels[from + 2] ?? 0;
		}
	}
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 2], 8); // eight bits, three colours
	return Buffer.concat([
		Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
		chunk("IHDR", header),
		chunk("IDAT", deflateSync(rows, { level: 3 })),
		chunk("IEND", Buffer.alloc(0)),
	]);
}

function chunk(name: string, data: Buffer): Buffer {
	const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
	const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	checksum.writeUInt32BE(crc32(named));
	return Buffer.concat([length, named, checksum]);
}
