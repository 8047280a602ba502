// A fake of the bulletin's open data (Opendatasoft explore v2.1): answers over HTTP in its documented format.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type BulletinRecord, toJsonLines } from "../fixtures/bulletin.ts";

interface Request {
	path: string;
	parameters: Record<string, string>;
	/** The day of publication that it asks for. */
	day: string;
	accept: string | undefined;
}

interface Answer {
	status: number;
	headers?: Record<string, string>;
	body?: string;
	/** Closes the connection within the body. */
	cut?: true;
}

export interface FakeBulletin {
	base: string;
	/** Its notices, which tests may change at any time. */
	records: BulletinRecord[];
	/** Injects a wrong answer to the request with this number, from 1. "silence" never answers. */
	fault: (count: number, request: Request) => Answer | "silence" | undefined;
	requests: Request[];
	close(): Promise<void>;
}

export async function startFakeBulletin(): Promise<FakeBulletin> {
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? "", "http://bulletin.example");
		const parameters = Object.fromEntries(url.searchParams);
		const [, from, to] = /^dateparution>=date'([\d-]+)' and dateparution<=date'([\d-]+)'$/.exec(parameters.where ?? "") ?? [];
		if (!from || from !== to) throw new Error(`a query that the fake does not understand: ${parameters.where}`);
		const received = { path: url.pathname, parameters, day: from, accept: request.headers.accept };
		bulletin.requests.push(received);
		const found = bulletin.records.filter(({ dateparution }) => dateparution === from);
		const answer = bulletin.fault(bulletin.requests.length, received) ?? answerRequest(received, found);
		if (answer === "silence") return;
		response.writeHead(answer.status, { "content-type": "application/json; charset=utf-8", ...answer.headers });
		if (!answer.cut) return response.end(answer.body ?? "{}");
		response.write(answer.body ?? "", () => response.destroy());
	});
	await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
	const bulletin: FakeBulletin = {
		base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/explore/v2.1/catalog/datasets/annonces-commerciales`,
		records: [],
		fault: () => undefined,
		requests: [],
		close: () =>
			new Promise((closed) => {
				server.close(() => closed());
				server.closeAllConnections();
			}),
	};
	return bulletin;
}

function answerRequest({ path, parameters }: Request, found: readonly BulletinRecord[]): Answer {
	if (path.endsWith("/exports/jsonl"))
		return { status: 200, headers: { "content-type": "application/jsonl; charset=utf-8" }, body: toJsonLines(found) };
	if (!path.endsWith("/records")) return { status: 404, body: '{"message": "Not found"}' };
	return { status: 200, body: JSON.stringify({ total_count: found.length, results: found.slice(0, Number(parameters.limit)) }) };
}
