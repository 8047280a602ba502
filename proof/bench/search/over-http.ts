import type pg from "pg";
import { formatCompanySearch } from "../../../app/companies/search/company-search.ts";
import { openClient, page } from "../../../test/http-client.ts";
import { type Load, loadHttp } from "../load.ts";
import { type MeasuredServer, startFixedAnswer, startMeasuredShop } from "../measured-server.ts";
import type { Query } from "./queries.ts";

export interface HttpLoad extends Load {
	/** User and system time of the server's process for one request, in milliseconds. */
	cpu: number;
}

/** The built shop's search API under many clients, then a fixed answer of its median size. */
export async function measureOverHttp(
	undo: AsyncDisposableStack,
	{ connection, queries, clients, ms }: { connection: pg.ClientConfig; queries: readonly Query[]; clients: number; ms: number },
): Promise<{ shop: HttpLoad; fixed: HttpLoad; bytes: number }> {
	const paths = queries.map(({ search }) => `/api/entreprises?${formatCompanySearch(search)}`);
	const measure = async (server: MeasuredServer): Promise<HttpLoad> => {
		await loadHttp({ url: server.url, paths, clients }, { ms: ms / 2 });
		const before = await server.usage();
		const load = await loadHttp({ url: server.url, paths, clients }, { ms });
		return { ...load, cpu: ((await server.usage()).cpu - before.cpu) / load.latencies.length };
	};
	const server = await startMeasuredShop(undo, connection);
	const shop = await measure(server);
	const client = openClient(undo, server.url);
	const bodies: Buffer[] = [];
	for (const path of paths.slice(0, 51)) bodies.push((await page(client, path)).body);
	await server.stop();
	const body = bodies.toSorted((a, b) => a.length - b.length)[Math.floor(bodies.length / 2)] ?? Buffer.alloc(0);
	const fixedServer = await startFixedAnswer(undo, body);
	const fixed = await measure(fixedServer);
	await fixedServer.stop();
	return { shop, fixed, bytes: body.length };
}
