import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, expect, test, vi } from "vitest";
import { scaledTimeout } from "../test/time-limits.ts";

/** A program that stops as the shop does. Its clock advances by `step` milliseconds at each reading. */
const program = (step: number, drainSeconds: number) => `
	import { createServer } from "node:http";
	import { stopOnSignals } from "./server/stop-on-signals.ts";
	let clock = 0;
	performance.now = () => (clock += ${step});
	const server = createServer((_, response) => response.end("served")).listen(0, "127.0.0.1", () => console.log(server.address().port));
	stopOnSignals({
		server,
		drainSeconds: ${drainSeconds},
		drain: () => console.log("draining"),
		close: async (answered) => { await answered; console.log("closed"); },
	});
	process.on("SIGTERM", () => console.log("SIGTERM"));
`;

const children: ChildProcess[] = [];
afterEach(() => {
	for (const child of children) child.kill("SIGKILL");
});

async function start({ step = 0, drainSeconds = 3600 } = {}) {
	const child = spawn(process.execPath, ["--input-type=module", "--eval", program(step, drainSeconds)]);
	children.push(child);
	const output: string[] = [];
	child.stdout.on("data", (lines) => output.push(...String(lines).trim().split("\n")));
	const ended = new Promise<number | null>((end) => child.once("exit", end));
	await vi.waitFor(() => expect(output[0]).toMatch(/^\d+$/), { timeout: scaledTimeout(30_000) });
	return {
		output,
		ended,
		ask: async () => (await fetch(`http://127.0.0.1:${output[0]}`, { headers: { connection: "close" } })).text(),
		/** Sends SIGTERM and waits until the process has received it. */
		async terminate(times: number) {
			child.kill("SIGTERM");
			await vi.waitFor(() => expect(output.filter((line) => line === "SIGTERM")).toHaveLength(times), { timeout: scaledTimeout(30_000) });
		},
		kill: (signal: NodeJS.Signals) => child.kill(signal),
	};
}

test("SIGTERM starts a drain while requests are served; repeated signals do not end it, a second one does", async () => {
	const { output, ask, terminate, kill, ended } = await start({ step: 400 });
	for (const times of [1, 2, 3]) {
		await terminate(times);
		expect(await ask()).toBe("served");
	}
	expect(output).not.toContain("closed");
	kill("SIGTERM");
	expect(await ended).toBe(0);
	expect(output.filter((line) => /^(draining|closed)$/.test(line))).toEqual(["draining", "closed"]);
});

test.each(["SIGINT", "SIGHUP"] as const)("%s stops without a drain, and ends a running one", async (signal) => {
	const first = await start();
	first.kill(signal);
	expect(await first.ended).toBe(0);
	const second = await start();
	await second.terminate(1);
	second.kill(signal);
	expect(await second.ended).toBe(0);
});

test("without a drain SIGTERM stops at once", async () => {
	const { output, kill, ended } = await start({ drainSeconds: 0 });
	kill("SIGTERM");
	expect(await ended).toBe(0);
	expect(output).toContain("closed");
});
