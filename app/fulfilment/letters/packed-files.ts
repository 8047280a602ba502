/** Several files as one: their number, their lengths, then their bytes. Numbers have four bytes, the lowest first. */
export function packFiles(files: readonly Uint8Array[]): Uint8Array {
	const head = new DataView(new ArrayBuffer(4 + 4 * files.length));
	head.setUint32(0, files.length, true);
	for (const [index, { length }] of files.entries()) head.setUint32(4 + 4 * index, length, true);
	const packed = new Uint8Array(head.byteLength + files.reduce((sum, { length }) => sum + length, 0));
	packed.set(new Uint8Array(head.buffer));
	let at = head.byteLength;
	for (const file of files) {
		packed.set(file, at);
		at += file.length;
	}
	return packed;
}

export function unpackFiles(packed: Uint8Array): Uint8Array[] {
	const head = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
	let at = 4 + 4 * head.getUint32(0, true);
	return Array.from({ length: head.getUint32(0, true) }, (_, index) => {
		const start = at;
		at += head.getUint32(4 + 4 * index, true);
		return packed.slice(start, at);
	});
}

/** The output of the program. `unreadable`: the positions of extracts that are not in the PDF. */
export interface JoinedLetters {
	pdf: string;
	unreadable: number[];
}
