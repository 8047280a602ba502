import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { scaledTimeout } from "./time-limits.ts";

/**
 * A copy of the template that no test changes, to connect to while others are created: PostgreSQL copies only a database that nobody is
 * connected to.
 */
export const adminDatabase = "administration";

/** Opens a connection for `work` and closes it. */
export async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
	const client = new pg.Client(connection);
	await client.connect();
	try {
		return await work(client);
	} finally {
		await client.end();
	}
}

/** Whether a server answers, also one that is starting or stopping. */
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

/** Polls until it is gone. @throws after 15 seconds (see scaledTimeout). */
export async function untilGone(isThere: () => Promise<boolean>): Promise<void> {
	const began = performance.now();
	while (await isThere()) {
		if (performance.now() - began > scaledTimeout(15_000)) throw new Error("what was asked to stop is still there");
		await wait(20);
	}
}

/** The connection as a URL, for DATABASE_URL. */
export function toDatabaseUrl({ user, password, host, port, database }: pg.ClientConfig): string {
	const credentials = password ? `${user}:${password}` : user;
	return host?.startsWith("/")
		? `postgres://${credentials}@localhost/${database}?host=${encodeURIComponent(host)}`
		: `postgres://${credentials}@${host}:${port}/${database}`;
}
