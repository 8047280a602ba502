import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../environment/environment.ts";
import { getErrorCode } from "../types/errors.ts";

/** The environment with a secret: production sets APP_SECRET; the demo makes one and keeps it in its data folder. */
export function withDemoSecret(environment: Environment, role: string): Environment {
	if (environment.secrets.length > 0) return environment;
	const file = join(environment.dataDir, "secret");
	if (environment.databaseUrl && role !== "migrate")
		console.warn(`APP_SECRET is not set: this process signs with ${file}. Every process of the shop needs the same one.`);
	mkdirSync(environment.dataDir, { recursive: true });
	insertSecret(file);
	return { ...environment, secrets: [readFileSync(file, "utf8").trim()] };
}

/** Several processes may start at once: the file gets its name when it is complete, and the first one stays. */
function insertSecret(file: string): void {
	const complete = `${file}.${process.pid}`;
	writeFileSync(complete, randomBytes(32).toString("hex"), { mode: 0o600 });
	try {
		linkSync(complete, file);
	} catch (error) {
		if (getErrorCode(error) !== "EEXIST") throw error;
	}
	rmSync(complete);
}
