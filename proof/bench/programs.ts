import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { toDatabaseUrl } from "../../test/postgres.ts";

/** What a program that fills a database prints. */
export interface Filled {
	ms: number;
	rows: number;
	/** Highest resident memory, in bytes. */
	peak: number;
	/** Milliseconds of the processor, where the program prints them. */
	cpu?: number;
}

export const rowsPerSecond = ({ rows, ms }: Filled) => (1000 * rows) / ms;

/**
 * Runs a program of a bench in its own process.
 * @param environment of the program, besides DATABASE_URL. @param nodeArguments options of Node.
 */
export async function runProgram(
	undo: AsyncDisposableStack,
	program: URL,
	connection: pg.ClientConfig,
	environment: Readonly<Record<string, string>>,
	nodeArguments: readonly string[] = [],
): Promise<Filled> {
	const child = spawn(process.execPath, [...nodeArguments, fileURLToPath(program)], {
		stdio: ["ignore", "pipe", "inherit"],
		env: { ...process.env, DATABASE_URL: toDatabaseUrl(connection), ...environment },
	});
	undo.defer(() => void child.kill());
	const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
	if (code !== 0) throw new Error(`${program.pathname} ended with ${code}`);
	return JSON.parse(printed);
}
