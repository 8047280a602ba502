import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { getErrorCode } from "../../server/types/errors.ts";
import { contentAddress, isSameContent } from "./content-address.server.ts";
import { type DocumentStorage, LostFile } from "./storage.ts";

/** What a process that was killed leaves behind. No name has a dot but that of a PDF. */
const unfinishedFile = /\.[0-9a-f-]{36}$/;

/** Keeps documents below a folder; a file is complete and on disk before it has its name. */
export function diskStorage(folder: string): DocumentStorage {
	/** What is gone already, swept by another or never made, is removed. */
	const remove = (path: string) => rm(path, { force: true });
	async function write(path: string, bytes: Uint8Array): Promise<void> {
		const target = join(folder, path);
		const staging = `${target}.${randomUUID()}`;
		await mkdir(dirname(target), { recursive: true, mode: 0o700 });
		try {
			await writeThrough(staging, bytes);
			await rename(staging, target);
		} catch (error) {
			await remove(staging);
			throw error;
		}
		// a name is on disk once the folder that holds it is
		for (const named of [dirname(target), folder]) await syncFolder(named);
	}
	return {
		name: "disk",
		async put(bytes) {
			const stored = contentAddress(bytes);
			await write(stored.path, bytes);
			return stored;
		},
		putObject: write,
		findObject: async (name) => whereThere(async () => new Uint8Array(await readFile(join(folder, name)))),
		async get(path) {
			const bytes = await readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
				// a folder that is not there is a disk that is not mounted: nothing is lost yet
				throw error.code === "ENOENT" && existsSync(folder) ? new LostFile(`the stored file ${path} is not there`) : error;
			});
			return isSameContent(path, new Uint8Array(bytes));
		},
		remove: (path) => remove(join(folder, path)),
		async *list(prefix = "", after = "") {
			for await (const path of listFiles(folder, prefix)) {
				if (path <= after || unfinishedFile.test(path)) continue;
				const found = await stat(join(folder, path)).catch(() => null); // gone meanwhile
				if (found?.isFile()) yield { path, at: found.mtime };
			}
		},
		async sweep(before) {
			let removed = 0;
			for await (const path of listFiles(folder)) {
				if (!unfinishedFile.test(path)) continue;
				const found = await stat(join(folder, path)).catch(() => null); // finished, or swept by another, meanwhile
				if (!found || found.mtime >= before) continue;
				await remove(join(folder, path));
				removed++;
			}
			return removed;
		},
		// written, not only asked for: a full disk, or one that has become read-only, has the same permissions as before
		async ready() {
			const probe = join(folder, ".ready");
			try {
				await mkdir(folder, { recursive: true, mode: 0o700 });
				await writeFile(probe, "?");
				return true;
			} catch {
				return false;
			} finally {
				await remove(probe).catch(() => {});
			}
		},
	};
}

/** The files of a storage in the order of their paths, one folder read at a time. A missing folder has no files. */
async function* listFiles(root: string, prefix = "", folder = ""): AsyncGenerator<string> {
	const entries = (await whereThere(() => readdir(join(root, folder), { withFileTypes: true }))) ?? [];
	const paths = entries.map((entry) => `${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`).sort();
	for (const path of paths) {
		if (path.endsWith("/")) {
			if (path.startsWith(prefix) || prefix.startsWith(path)) yield* listFiles(root, prefix, path);
		} else if (path.startsWith(prefix)) yield path;
	}
}

/** What was read; null where the file or folder is not there. */
async function whereThere<Found>(read: () => Promise<Found>): Promise<Found | null> {
	try {
		return await read();
	} catch (error) {
		if (getErrorCode(error) === "ENOENT") return null;
		throw error;
	}
}

async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
	const file = await open(path, "wx", 0o600);
	try {
		await file.writeFile(bytes);
		await file.sync();
	} finally {
		await file.close();
	}
}

async function syncFolder(path: string): Promise<void> {
	if (process.platform === "win32") return; // it opens no folders, and keeps names by itself
	const opened = await open(path, "r");
	try {
		await opened.sync();
	} finally {
		await opened.close();
	}
}
