import { createHash, randomUUID } from "node:crypto";
import { access, constants, mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DocumentStorage } from "./storage.ts";

/** Keeps documents below a folder; a file is complete and on disk before it has its name. */
export function diskStorage(folder: string): DocumentStorage {
	return {
		name: "disk",
		async put(bytes) {
			const sha256 = createHash("sha256").update(bytes).digest("hex");
			const path = `${sha256.slice(0, 2)}/${sha256}.pdf`;
			const target = join(folder, path);
			await mkdir(dirname(target), { recursive: true, mode: 0o700 });
			const staging = `${target}.${randomUUID()}`;
			const file = await open(staging, "wx", 0o600);
			try {
				await file.writeFile(bytes);
				await file.sync();
			} finally {
				await file.close();
			}
			await rename(staging, target);
			return { path, sha256, bytes: bytes.byteLength };
		},
		get: async (path) => new Uint8Array(await readFile(join(folder, path))),
		ready: () =>
			mkdir(folder, { recursive: true, mode: 0o700 })
				.then(() => access(folder, constants.W_OK))
				.then(
					() => true,
					() => false,
				),
	};
}
