import { type AddressInfo, createServer } from "node:net";
import { expect, test, vi } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { createLog } from "../observability/log.ts";
import { listenForChanges } from "./changes.ts";

// No other connection is open in this process: its heartbeat would be one of the counted timers.

test("listenForChanges logs an unavailable database once, retries each second, and stops retrying after stop()", async () => {
	let connections = 0;
	const server = createServer((socket) => {
		connections++;
		socket.destroy();
	});
	await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
	const { port } = server.address() as AddressInfo;
	const lines: string[] = [];
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	try {
		const listening = listenForChanges(
			{ host: "127.0.0.1", port, user: "shop" },
			createLog("warn", { write: (line) => void lines.push(line) }),
		);
		// waitFor advances the fake clock
		await vi.waitFor(() => expect(connections).toBe(3), { timeout: scaledTimeout(10_000), interval: 100 });
		await listening.stop();
		expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["the live updates lost their connection"]);
		expect(vi.getTimerCount()).toBe(0);
	} finally {
		vi.useRealTimers();
		server.close();
	}
});

test("listenForChanges leaves no timer of an open connection after stop()", async () => {
	const database = await createTestDatabase();
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	try {
		let connected = 0;
		const listening = listenForChanges(database.connection, createLog("silent"));
		listening.subscribe("any", () => connected++);
		await vi.waitFor(() => expect(connected).toBe(1), { timeout: scaledTimeout(10_000), interval: 1 });
		await listening.stop();
		expect(vi.getTimerCount()).toBe(0);
	} finally {
		vi.useRealTimers();
		await database.close();
	}
});
