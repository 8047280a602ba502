/** Where documents are kept: bytes under the hash of their content, so that storing twice is storing once. */
export interface DocumentStorage {
	name: string;
	/** @throws when they could not be kept for good. */
	put(bytes: Uint8Array): Promise<StoredFile>;
	/** @throws LostFile when there is no such file, or another content; another error when the storage does not answer. */
	get(path: string): Promise<Uint8Array>;
	/** Forgets a file; one that is gone already is no fault. */
	remove(path: string): Promise<void>;
	/** Every file that is there and finished, each with when it was stored; also what others keep beside the documents. */
	list(): AsyncIterable<{ path: string; at: Date }>;
	/** Removes what was begun before `before` and never finished. @returns how many files. */
	sweep(before: Date): Promise<number>;
	/** Whether it can be written to now. */
	ready(): Promise<boolean>;
}

/** A file that was kept is not there any more, or is not what was kept. */
export class LostFile extends Error {}

export interface StoredFile {
	path: string;
	/** Hexadecimal. */
	sha256: string;
	bytes: number;
}
