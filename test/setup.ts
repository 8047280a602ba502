import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startTemplateCluster } from "./template-cluster.ts";

/** One real PostgreSQL for the whole run; each test file copies its template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-test-"));
	const postgres = await startTemplateCluster(folder);
	const { host, port, user, database } = postgres.connection;
	project.provide("postgres", { host, port, user, template: database });
	return async () => {
		await postgres.stop();
		for (const made of [folder, postgres.folder, host]) rmSync(made, { recursive: true, force: true });
	};
}
