import type { Context } from "../../server/runtime.ts";

/** Where documents are kept: bytes under the hash of their content, so that storing twice is storing once; and objects under names. */
export interface DocumentStorage {
	name: string;
	/** @throws when they could not be kept for good. */
	put(bytes: Uint8Array): Promise<StoredFile>;
	/** @throws LostFile when there is no such file, or another content; another error when the storage does not answer. */
	get(path: string): Promise<Uint8Array>;
	/** Deletes a file or a named object; one that is gone already is no fault. */
	remove(path: string): Promise<void>;
	/**
	 * Every finished file and object, in the order of their paths, each with when it was stored.
	 * @param prefix what their paths begin with. @param after lists only paths that follow this one.
	 */
	list(prefix?: string, after?: string): AsyncIterable<{ path: string; at: Date }>;
	/**
	 * Stores bytes under a name of the form `folder/name`, in place of what was there.
	 * @throws when they could not be kept for good.
	 */
	putObject(name: string, bytes: Uint8Array): Promise<void>;
	/** @returns null when there is none of this name. @throws when the storage does not answer within seconds. */
	findObject(name: string): Promise<Uint8Array | null>;
	/** Removes what was begun before `before` and never finished. @returns how many files. */
	sweep(before: Date): Promise<number>;
	/** Whether it can be written to now. */
	ready(): Promise<boolean>;
	/** Milliseconds for which an answer of `ready` is used again, because each question costs a request. */
	readyTtlMs?: number;
}

/** What a use case that reads or writes documents needs. */
export interface StorageContext extends Context {
	storage: DocumentStorage;
}

/** A file that was kept is not there any more, or is not what was kept. */
export class LostFile extends Error {}

export interface StoredFile {
	path: string;
	/** Hexadecimal. */
	sha256: string;
	bytes: number;
}
