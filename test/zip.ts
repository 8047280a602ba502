import { crc32, deflateRawSync } from "node:zlib";

/** Creates a minimal archive with one file. @param checksum a wrong one makes it a damaged archive. */
export function zip(name: string, content: Buffer, checksum = crc32(content)): Buffer {
	const compressed = deflateRawSync(content);
	const fields = (signature: number, version: number[]) => {
		const header = Buffer.alloc(4 + 2 * version.length + 22);
		let at = header.writeUInt32LE(signature, 0);
		for (const number of version) at = header.writeUInt16LE(number, at);
		for (const number of [0, 8, 0, 0]) at = header.writeUInt16LE(number, at);
		for (const number of [checksum, compressed.length, content.length]) at = header.writeUInt32LE(number, at);
		header.writeUInt16LE(name.length, at);
		return header;
	};
	const local = Buffer.concat([fields(0x04034b50, [20]), Buffer.alloc(2), Buffer.from(name), compressed]);
	const entry = Buffer.concat([fields(0x02014b50, [20, 20]), Buffer.alloc(16), Buffer.from(name)]);
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06054b50, 0);
	end.writeUInt16LE(1, 8);
	end.writeUInt16LE(1, 10);
	end.writeUInt32LE(entry.length, 12);
	end.writeUInt32LE(local.length, 16);
	return Buffer.concat([local, entry, end]);
}
