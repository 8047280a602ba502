import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { getErrorCode } from "../../../server/types/errors.ts";
import { contentAddress, verifyContent } from "./content-address.server.ts";
import { type DocumentStorage, LostFile } from "./storage.ts";

/** The temporary file of a killed process. Of final names, only those of PDFs have a dot. */
const unfinishedFile = /\.[0-9a-f-]{36}$/;

/** Stores documents in a folder. A file gets its name once it is complete and synced to disk. */
export function diskStorage(folder: string): DocumentStorage {
	/** Deletes a file; a missing one is no error. */
	const remove = (path: string) => rm(path, { force: true });
	async function write(path: string, bytes: Uint8Array): Promise<void> {
		const target = join(folder, path);
		const staging = `${target}.${randomUUID()}`;
		await mkdir(dirname(target), { recursive: true, mode: 0o700 });
		try {
			await writeDurably(staging, bytes);
			await rename(staging, target);
		} catch (error) {
			await remove(staging);
			throw error;
		}
		// a rename is durable once its folder is synced
		for (const parent of [dirname(target), folder]) await syncFolder(parent);
	}
	/** The time by the clock that dates the files: a disk in the network has its own. */
	async function readDiskClock(): Promise<Date> {
		const probe = join(folder, `.clock.${randomUUID()}`);
		const file = await open(probe, "wx", 0o600);
		try {
			return (await file.stat()).mtime;
		} finally {
			await file.close();
			await remove(probe);
		}
	}
	return {
		name: "disk",
		async put(bytes) {
			const stored = contentAddress(bytes);
			await write(stored.path, bytes);
			return stored;
		},
		putObject: write,
		findObject: async (name) => nullIfMissing(async () => new Uint8Array(await readFile(join(folder, name)))),
		async get(path) {
			const bytes = await readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
				// if the folder is missing, the disk is probably not mounted, and nothing is lost
				throw error.code === "ENOENT" && existsSync(folder) ? new LostFile(`the stored file ${path} is not there`) : error;
			});
			return verifyContent(path, new Uint8Array(bytes));
		},
		remove: (path) => remove(join(folder, path)),
		async *list(prefix = "", after = "") {
			for await (const path of listFiles(folder, prefix)) {
				if (path <= after || unfinishedFile.test(path)) continue;
				const fileStat = await stat(join(folder, path)).catch(() => null); // deleted in the meantime
				if (fileStat?.isFile()) yield { path, at: fileStat.mtime };
			}
		},
		async sweep(age) {
			let removed = 0;
			let now: Date | undefined;
			for await (const path of listFiles(folder)) {
				if (!unfinishedFile.test(path)) continue;
				const fileStat = await stat(join(folder, path)).catch(() => null); // finished or swept in the meantime
				now ??= await readDiskClock();
				if (!fileStat || now.getTime() - fileStat.mtimeMs <= age) continue;
				await remove(join(folder, path));
				removed++;
			}
			return removed;
		},
		// writes a file, because permissions do not show that a disk is full or read-only
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

/** Lists the files of a storage by path, reading one folder at a time. A missing folder has no files. */
async function* listFiles(root: string, prefix = "", folder = ""): AsyncGenerator<string> {
	const entries = (await nullIfMissing(() => readdir(join(root, folder), { withFileTypes: true }))) ?? [];
	const paths = entries.map((entry) => `${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`).sort();
	for (const path of paths) {
		const isListed = path.startsWith(prefix);
		if (path.endsWith("/")) {
			if (isListed || prefix.startsWith(path)) yield* listFiles(root, prefix, path);
		} else if (isListed) yield path;
	}
}

/** Returns null instead of throwing when the file or folder is missing. */
async function nullIfMissing<Result>(read: () => Promise<Result>): Promise<Result | null> {
	try {
		return await read();
	} catch (error) {
		if (getErrorCode(error) === "ENOENT") return null;
		throw error;
	}
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
	const file = await open(path, "wx", 0o600);
	try {
		await file.writeFile(bytes);
		await file.sync();
	} finally {
		await file.close();
	}
}

async function syncFolder(path: string): Promise<void> {
	if (process.platform === "win32") return; // Windows cannot open folders, and syncs names itself
	const opened = await open(path, "r");
	try {
		await opened.sync();
	} finally {
		await opened.close();
	}
}
