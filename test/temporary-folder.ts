import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../server/database/embedded-postgres.ts";
import { accepts, untilGone } from "./postgres.ts";

/** Creates a folder that is deleted at the end. */
export function temporaryFolder(undo: AsyncDisposableStack): string {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-bench-"));
	undo.defer(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Creates a data folder for an embedded PostgreSQL; all its files, wherever they are, are deleted at the end. */
export function dataFolder(undo: AsyncDisposableStack): string {
	const dataDir = temporaryFolder(undo);
	undo.defer(async () => {
		const { connection, folder, stop } = await startPostgres(dataDir); // finds the folder of the files
		await stop();
		await untilGone(() => accepts(connection));
		for (const made of [folder, connection.host]) rmSync(made, { recursive: true, force: true });
	});
	return dataDir;
}
