import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { crc32, createGunzip } from "node:zlib";
import type { Entry } from "yauzl";
import { BrokenFile } from "./broken-file.ts";

/** The bytes of a file, in constant memory. */
export interface FileBytes {
	/** The name of the file, for messages. */
	name: string;
	/** An error of the file or of its compression is thrown where they are read. */
	chunks: AsyncIterable<Buffer>;
	/** The fraction of the file that has been read, 0 to 1. */
	fraction(): number;
}

const blockSize = 1 << 18;

/**
 * Opens a text as it is, compressed (gzip), or in a zip: the first bytes tell, not the name. UTF-16 with its byte order mark becomes UTF-8.
 * @param entry the ending of the only file that a zip may hold besides others, such as « csv ». @throws BrokenFile for a missing file.
 */
export function openFile(file: string, entry: string): FileBytes {
	const stat = statSync(file, { throwIfNoEntry: false });
	if (!stat || stat.isDirectory()) throw new BrokenFile(file, "", "there is no such file");
	const { chunks, fraction } = openBytes(file, { head: stat.isFile() ? readHead(file) : "", size: Math.max(1, stat.size), entry });
	return { name: file, chunks: decodeUtf16(chunks), fraction };
}

type Chunks = Omit<FileBytes, "name">;

function openBytes(file: string, { head, size, entry }: { head: string; size: number; entry: string }): Chunks {
	if (head === "504b") return openZip(file, entry);
	const source = createReadStream(file, { highWaterMark: blockSize });
	const fraction = () => source.bytesRead / size;
	if (head !== "1f8b") return { chunks: source, fraction };
	// an error in the pipeline is thrown where the stream is read
	return { chunks: pipeline(source, createGunzip({ chunkSize: blockSize }), () => {}), fraction };
}

/** The first two bytes in hexadecimal digits. */
function readHead(file: string): string {
	const descriptor = openSync(file, "r");
	try {
		const bytes = Buffer.alloc(2);
		return bytes.subarray(0, readSync(descriptor, bytes)).toString("hex");
	} finally {
		closeSync(descriptor);
	}
}

/** Opens the only file of an archive with an ending. It verifies the checksum, which yauzl does not. */
function openZip(file: string, ending: string): Chunks {
	let fraction = 0;
	async function* bytes() {
		const { openPromise } = await import("yauzl");
		const archive = await openPromise(file, { autoClose: false });
		try {
			const entries: Entry[] = [];
			for await (const entry of archive.eachEntry())
				if (entry.fileName.toLowerCase().endsWith(`.${ending}`) && !entry.fileName.startsWith("__MACOSX/")) entries.push(entry);
			const [entry] = entries;
			if (!entry || entries.length > 1) throw new Error(`it holds ${entries.length} .${ending} files in place of one`);
			let [read, checksum] = [0, 0];
			for await (const chunk of await archive.openReadStreamPromise(entry)) {
				checksum = crc32(chunk, checksum);
				read += chunk.length;
				fraction = read / entry.uncompressedSize;
				yield chunk;
			}
			if (checksum !== entry.crc32) throw new Error("its checksum is wrong: it was damaged on the way");
		} finally {
			archive.close();
		}
	}
	return { chunks: Readable.from(bytes(), { highWaterMark: 4 }), fraction: () => fraction };
}

const utf16Marks: Record<string, string> = { fffe: "utf-16le", feff: "utf-16be" };

async function* decodeUtf16(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	let decoder: TextDecoder | null = null;
	let isFirst = true;
	for await (const chunk of chunks) {
		const encoding = isFirst ? utf16Marks[chunk.subarray(0, 2).toString("hex")] : undefined;
		if (encoding) decoder = new TextDecoder(encoding);
		isFirst = false;
		yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk;
	}
}

/** Returns the day when a file was last written, yyyy-mm-dd. @throws BrokenFile for a missing file. */
export function getFileDay(file: string): string {
	const stat = statSync(file, { throwIfNoEntry: false });
	if (!stat) throw new BrokenFile(file, "", "there is no such file");
	return stat.mtime.toISOString().slice(0, 10);
}
