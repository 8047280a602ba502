import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** What is written at once, in characters. */
const chunkLength = 1 << 20;

export interface Lines {
	/** Adds a line. What it returns, if anything, is to be waited for: the disk is behind. */
	add(line: string): Promise<unknown> | undefined;
	/** Writes what is left, and waits until all is in the file. */
	close(): Promise<void>;
}

/** Opens a file to write line by line, in big chunks and constant memory. */
export function openLines(file: string, compress: boolean): Lines {
	const source = new PassThrough({ highWaterMark: chunkLength });
	const target = createWriteStream(file, { highWaterMark: chunkLength });
	const written = compress ? pipeline(source, createGzip({ level: 4 }), target) : pipeline(source, target);
	let chunk = "";
	const flush = () => {
		const room = source.write(chunk);
		chunk = "";
		return room ? undefined : Promise.race([once(source, "drain"), written]);
	};
	return {
		add(line) {
			chunk += line;
			chunk += "\n";
			return chunk.length < chunkLength ? undefined : flush();
		},
		async close() {
			await flush();
			source.end();
			await written;
		},
	};
}

/** Some of a row's cells, by the official names of their columns without the ending. */
export type Cells = Readonly<Record<string, string | undefined>>;

/**
 * Makes the lines of a file: parts of a row are put in the order of the header, the later ones over the earlier; the rest is empty.
 * Texts that may hold a comma or a quote go through `quoted` first.
 * @param suffix what the official names end with, but for a few.
 * @returns a function that throws an Error for a cell whose column the header does not have.
 */
export function lineMaker({ header, suffix }: { header: readonly string[]; suffix: string }): (...parts: Cells[]) => string {
	const places = new Map(header.map((column, place) => [column.replace(suffix, ""), place]));
	const row = header.map(() => "");
	return (...parts) => {
		row.fill("");
		for (const part of parts) {
			for (const column in part) {
				const place = places.get(column);
				if (place === undefined) throw new Error(`The official file has no column ${column}`);
				row[place] = part[column] ?? "";
			}
		}
		return row.join(",");
	};
}

/** A cell's text, between quotes where it needs them. */
export function quoted(text: string): string {
	return text.includes('"') || text.includes(",") ? `"${text.replaceAll('"', '""')}"` : text;
}
