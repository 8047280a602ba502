import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../server/database/embedded-postgres.ts";
import { accepts, untilGone } from "./postgres.ts";

/** A folder that is gone when the bench is over. */
export function temporaryFolder(undo: AsyncDisposableStack): string {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-bench-"));
	undo.defer(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** A data folder for an embedded PostgreSQL, whose files may lie elsewhere: all are gone when the bench is over. */
export function dataFolder(undo: AsyncDisposableStack): string {
	const dataDir = temporaryFolder(undo);
	undo.defer(async () => {
		const { connection, folder, stop } = await startPostgres(dataDir); // which alone knows where they are
		await stop();
		await untilGone(() => accepts(connection));
		for (const made of [folder, connection.host]) rmSync(made, { recursive: true, force: true });
	});
	return dataDir;
}
