import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { restoreFormerSchema } from "../../test/former-schema.ts";
import { freePort } from "../../test/free-port.ts";
import { toDatabaseUrl, withClient } from "../../test/postgres.ts";
import { startTemplateCluster } from "../../test/template-cluster.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { startPostgres } from "../database/embedded-postgres.ts";

/** A data folder of the replaced migrations, of which the last did not run. */
const folder = mkdtempSync(join(tmpdir(), "extrait-pro-former-"));
let databaseFolder = "";
let port = "";
beforeAll(async () => {
	port = String(await freePort());
	const postgres = await startTemplateCluster(folder);
	databaseFolder = postgres.folder;
	await withClient(postgres.connection, async (client) => {
		await restoreFormerSchema(client);
		await client.query("delete from kysely_migration where name = '0083_archived_contracts'");
	});
	await postgres.stop();
});
afterAll(() => {
	for (const made of [folder, databaseFolder]) rmSync(made, { recursive: true, force: true });
});

/** Starts a role of main.ts. @returns its exit code and what it printed. */
const run = (role: string, env: NodeJS.ProcessEnv) =>
	new Promise<{ code: number | null; output: string }>((resolve) => {
		const child = execFile(process.execPath, ["main.ts", ...role.split(" ").filter(Boolean)], { env }, (_, stdout, stderr) =>
			resolve({ code: child.exitCode, output: stdout + stderr }),
		);
	});

const reason = "An older version made the database, and it lacks the migration 0083_archived_contracts of that version.\n";

describe("a start on a schema that is not of this program ends with a sentence", { timeout: scaledTimeout(120_000) }, () => {
	test.each(["", "migrate", "orders list"])("« %s » of the embedded database names the folder to move away", async (role) => {
		expect(await run(role, { DATA_DIR: folder, PORT: port, LOG_LEVEL: "error" })).toEqual({
			code: 1,
			output: `${reason}Move the folder ${folder} away: the demo then begins anew.\n`,
		});
	});

	test("other roles say which version finishes the migrations, and the doctor does too", async () => {
		// the server of the last command stops a moment after it
		await vi.waitFor(() => expect(existsSync(join(databaseFolder, "postmaster.pid"))).toBe(false), { timeout: scaledTimeout(20_000) });
		const postgres = await startPostgres(folder);
		const settings = { DATA_DIR: folder, PORT: port, LOG_LEVEL: "error", APP_SECRET: "a".repeat(32) };
		const env = { DATABASE_URL: toDatabaseUrl(postgres.connection), ...settings };
		const todo = "Run npm run db:migrate of the last version that has db/migrations/0083_archived_contracts.sql, then this version again.";
		try {
			for (const role of ["web", "jobs", "migrate", "orders list"])
				expect(await run(role, env)).toEqual({ code: 1, output: `${reason}${todo}\n` });
			const doctor = await run("doctor", env);
			expect(doctor.code).toBe(1);
			expect(doctor.output).toContain(`${reason.trim()} ${todo}`);
		} finally {
			await postgres.stop();
		}
	});
});
