import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** Characters that are written at once. */
const chunkLength = 1 << 20;

export interface Lines {
	/** Adds a line. Returns a promise when the disk is behind and the caller must wait. */
	add(line: string): Promise<unknown> | undefined;
	/** Writes the rest and waits until the file is complete. */
	close(): Promise<void>;
}

/** Opens a file to write it line by line, in large chunks and constant memory. */
export function openLines(file: string, compress: boolean): Lines {
	const source = new PassThrough({ highWaterMark: chunkLength });
	const target = createWriteStream(file, { highWaterMark: chunkLength });
	const written = compress ? pipeline(source, createGzip({ level: 4 }), target) : pipeline(source, target);
	let chunk = "";
	const flush = () => {
		const hasRoom = source.write(chunk);
		chunk = "";
		return hasRoom ? undefined : Promise.race([once(source, "drain"), written]);
	};
	return {
		add(line) {
			chunk += `${line}\n`;
			return chunk.length < chunkLength ? undefined : flush();
		},
		async close() {
			await flush();
			source.end();
			await written;
		},
	};
}
