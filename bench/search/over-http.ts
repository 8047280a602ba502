import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { companySearchParams } from "../../app/companies/search/company-search.ts";
import { openClient, page } from "../client.ts";
import { addressOf, temporaryFolder } from "../database.ts";
import { programArguments, shopArguments, startMeasured } from "../measured-server.ts";
import type { Query } from "./queries.ts";
import { type Load, together } from "./timing.ts";

const bareHttp = new URL("../bare-http.ts", import.meta.url);

export interface HttpLoad extends Load {
	/** User and system time of the server's process for one request, in milliseconds. */
	cpu: number;
}

/** The built shop's API under many clients, then a fixed answer, one of its own of middling size. */
export async function measureOverHttp(
	undo: AsyncDisposableStack,
	{ connection, queries, clients, ms }: { connection: pg.ClientConfig; queries: readonly Query[]; clients: number; ms: number },
): Promise<{ shop: HttpLoad; bare: HttpLoad; bytes: number }> {
	const paths = queries.map(({ search }) => `/api/entreprises?${companySearchParams(search)}`);
	const load = async (args: string[], readyPath: string, environment: Record<string, string>) => {
		const server = await startMeasured(undo, { args, readyPath, environment });
		const client = openClient(undo, server.url, clients);
		await together(paths, { clients, ms: ms / 2 }, (path) => page(client, path));
		const before = await server.usage();
		const measured = await together(paths, { clients, ms }, (path) => page(client, path));
		const cpu = ((await server.usage()).cpu - before.cpu) / measured.latencies.length;
		const bodies: Buffer[] = [];
		for (const path of paths.slice(0, 51)) bodies.push((await page(client, path)).body);
		await server.stop();
		const middle = bodies.toSorted((a, b) => a.length - b.length)[Math.floor(bodies.length / 2)];
		return { measured: { ...measured, cpu }, body: middle ?? Buffer.alloc(0) };
	};
	const shop = await load(shopArguments(), "/readyz", {
		DATABASE_URL: addressOf(connection),
		DATA_DIR: temporaryFolder(undo),
		LOG_LEVEL: "error",
	});
	const file = join(temporaryFolder(undo), "answer.json");
	writeFileSync(file, shop.body);
	const bare = await load(programArguments(bareHttp), "/", { PAGE: file });
	return { shop: shop.measured, bare: bare.measured, bytes: shop.body.length };
}
