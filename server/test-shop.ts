import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import type pg from "pg";
import type { Shop } from "../app/shop.ts";
import type * as Bundle from "./bundle.ts";
import { type Environment, parseEnvironment } from "./environment.ts";
import { openLog } from "./log.ts";
import { openRuntime } from "./open-runtime.ts";

export interface TestShop {
	shop: Shop;
	/** Where it listens: `http://127.0.0.1:<port>`. */
	url: string;
	close(): Promise<void>;
}

/** The built shop on a database of its own, listening on a free port, with its jobs running. */
export async function testShop(
	connection: pg.ClientConfig,
	{ variables = {}, now }: { variables?: Record<string, string>; now?: () => Date } = {},
): Promise<TestShop> {
	const bundle: typeof Bundle = await import("../build/server/index.js" as string);
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-shop-"));
	let fetch: (request: Request, env: unknown) => Response | Promise<Response> = () => new Response("starting", { status: 503 });
	const server = createServer(getRequestListener((request, env) => fetch(request, env)));
	await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}`;
	const environment = testEnvironment({ PORT: String(port), BASE_URL: url, DATA_DIR: folder, ...variables });
	const { runtime, close } = await openRuntime(environment, connection, bundle.jobKinds, {
		supervise: true,
		now,
		log: openLog(environment.logLevel),
	});
	const shop = bundle.wireShop(runtime);
	await bundle.startWorkers(shop);
	fetch = (await bundle.createWeb(shop)).fetch as typeof fetch;
	return {
		shop,
		url,
		async close() {
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
			await close(1000);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** An environment of the demo, with what a test changes. */
export function testEnvironment(variables: Record<string, string>): Environment {
	const parsed = parseEnvironment({ APP_SECRET: "a secret of the tests, long enough to sign", LOG_LEVEL: "error", ...variables });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	return parsed.environment;
}
