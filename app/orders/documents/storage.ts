import type { Context } from "../../../server/runtime.ts";

/** Stores documents under the hash of their content, so that equal files are stored once; and objects under names. */
export interface DocumentStorage {
	name: string;
	/** @throws when the bytes are not durably stored. */
	put(bytes: Uint8Array): Promise<StoredFile>;
	/** @throws LostFile when the file is missing or altered; another error when the storage fails. */
	get(path: string): Promise<Uint8Array>;
	/** Deletes a file or a named object; a missing one is no error. */
	remove(path: string): Promise<void>;
	/**
	 * Lists finished files and objects by path, with the time at which they were stored.
	 * @param prefix of the paths. @param after lists only the paths after this one.
	 */
	list(prefix?: string, after?: string): AsyncIterable<{ path: string; at: Date }>;
	/**
	 * Stores bytes under a name of the form `folder/name`, and replaces the previous object.
	 * @throws when the bytes are not durably stored.
	 */
	putObject(name: string, bytes: Uint8Array): Promise<void>;
	/** @returns null when there is no such object. @throws when the storage does not answer within seconds. */
	findObject(name: string): Promise<Uint8Array | null>;
	/** Deletes unfinished files older than `age`, in milliseconds by the storage's clock. @returns their number. */
	sweep(age: number): Promise<number>;
	/** Whether the storage can be written to now. */
	ready(): Promise<boolean>;
	/** Milliseconds for which a result of `ready` is reused, because each check costs a request. */
	readyTtlMs?: number;
}

/** The context of use cases that read or write documents. */
export interface StorageContext extends Context {
	storage: DocumentStorage;
}

/** A stored file is missing or altered. */
export class LostFile extends Error {}

export interface StoredFile {
	path: string;
	/** Hexadecimal. */
	sha256: string;
	bytes: number;
}
