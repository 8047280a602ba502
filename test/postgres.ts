import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { scaledTimeout } from "./time-limits.ts";

/** One connection for one piece of work. */
export async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
	const client = new pg.Client(connection);
	await client.connect();
	try {
		return await work(client);
	} finally {
		await client.end();
	}
}

/** Whether a server answers there, be it only that it is starting or stopping. */
export async function accepts(connection: pg.ClientConfig): Promise<boolean> {
	const client = new pg.Client(connection);
	client.on("error", () => {});
	try {
		await client.connect();
		return true;
	} catch (error) {
		return /^57P0/.test((error as { code?: string }).code ?? "");
	} finally {
		await client.end();
	}
}

/** Looks again and again; throws after a quarter of a minute (see scaledTimeout). */
export async function untilGone(isThere: () => Promise<boolean>): Promise<void> {
	const began = performance.now();
	while (await isThere()) {
		if (performance.now() - began > scaledTimeout(15_000)) throw new Error("what was asked to stop is still there");
		await wait(20);
	}
}

/** For a program that is given its database by address. */
export function addressOf({ user, password, host, port, database }: pg.ClientConfig): string {
	const credentials = password ? `${user}:${password}` : user;
	return host?.startsWith("/")
		? `postgres://${credentials}@localhost/${database}?host=${encodeURIComponent(host)}`
		: `postgres://${credentials}@${host}:${port}/${database}`;
}
