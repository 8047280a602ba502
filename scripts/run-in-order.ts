import { spawn } from "node:child_process";

/**
 * Runs commands one after another, each to its end.
 * @param whole prints a command's output when it has ended, so that it does not mix with that of others.
 * @returns the failed commands.
 */
export async function runInOrder(commands: readonly string[], { whole = false } = {}): Promise<string[]> {
	const failed: string[] = [];
	for (const command of commands) if ((await run(command, whole)) !== 0) failed.push(command);
	return failed;
}

function run(command: string, whole: boolean): Promise<number | null> {
	const child = spawn(command, { shell: true, stdio: ["ignore", whole ? "pipe" : "inherit", whole ? "pipe" : "inherit"] });
	const chunks: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
	return new Promise((end) => {
		child.once("close", (code) => {
			process.stdout.write(Buffer.concat(chunks));
			end(code);
		});
	});
}
