import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { programArguments } from "../measured-server.ts";

/** Runs a program of the benches in a process of its own. @returns what it printed, which is JSON. */
export async function runProgram<Printed>(undo: AsyncDisposableStack, program: URL, environment: Record<string, string>): Promise<Printed> {
	const child = spawn(process.execPath, programArguments(program), {
		stdio: ["ignore", "pipe", "inherit"],
		env: { ...process.env, ...environment },
	});
	undo.defer(() => void child.kill());
	const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
	if (code !== 0) throw new Error(`${program.pathname} ended with ${code}`);
	return JSON.parse(printed) as Printed;
}
