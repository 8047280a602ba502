// npm run db:types: writes server/database/database-types.gen.ts from a database that the migrations have just made.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../server/database/database.ts";
import { startPostgres } from "../server/database/embedded-postgres.ts";
import { migrate } from "../server/database/migrate.ts";
import { createLog } from "../server/observability/log.ts";

const folder = mkdtempSync(join(tmpdir(), "extrait-pro-types-"));
const postgres = await startPostgres(folder);
try {
	const { db } = openDatabase(postgres.connection, createLog("silent"));
	await migrate(db);
	await db.destroy();
	const { host, user, database } = postgres.connection;
	const verify = process.argv.includes("--verify") ? ["--verify"] : [];
	execFileSync(
		"kysely-codegen",
		[
			"--dialect",
			"postgres",
			"--url",
			`postgres://${user}@localhost/${database}?host=${host}`,
			"--out-file",
			"server/database/database-types.gen.ts",
			"--exclude-pattern",
			"(public.kysely_*|public.rate_limits)",
			...verify,
		],
		{ stdio: ["ignore", "ignore", "inherit"] },
	);
} finally {
	await postgres.stop();
	for (const made of [folder, postgres.folder]) rmSync(made, { recursive: true, force: true });
}
