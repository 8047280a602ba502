import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { buffer } from "node:stream/consumers";
import { scaledTimeout } from "./time-limits.ts";

export interface Answer {
	status: number;
	location: string | undefined;
	/** The first cookie that it sets, name and value. */
	cookie: string | undefined;
	body: Buffer;
	/** From the request's first byte to the answer's last. */
	ms: number;
}

export interface RequestOptions {
	method?: "GET" | "POST";
	headers?: Record<string, string>;
	body?: string;
	/** Repeats an idempotent request if its kept-alive connection was closed. */
	mayRepeat?: true;
}

export interface Client {
	/** Neither decompresses nor follows redirects. */
	ask(path: string, options?: RequestOptions): Promise<Answer>;
}

/** A minimal client with kept-alive connections, so that benches measure little of it. */
export function openClient(undo: AsyncDisposableStack, base: string, connections = 1): Client {
	const { Agent, request } = base.startsWith("https:") ? https : http;
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	undo.defer(() => agent.destroy());
	return {
		async ask(path, { method = "GET", headers = {}, body, mayRepeat } = {}) {
			const started = performance.now();
			const timeout = scaledTimeout(20_000);
			const send = () =>
				new Promise<IncomingMessage>((answered, fail) => {
					const sent = request(new URL(path, base), { agent, method, headers, timeout }, answered);
					sent
						.once("error", (error: NodeJS.ErrnoException) =>
							// the server may close an idle connection at this moment: nodejs.org/api/http.html#requestreusedsocket
							mayRepeat && sent.reusedSocket && error.code === "ECONNRESET" ? send().then(answered, fail) : fail(error),
						)
						.once("timeout", () => fail(new Error(`${method} ${path} was not answered in ${timeout / 1000} s`)))
						.end(body);
				});
			const response = await send();
			const bytes = await buffer(response);
			const { location, "set-cookie": [set] = [] } = response.headers;
			return { status: response.statusCode ?? 0, location, cookie: set?.split(";")[0], body: bytes, ms: performance.now() - started };
		},
	};
}

/** Requests a page. @throws when its status is not 200. */
export async function page(client: Client, path: string, headers?: Record<string, string>): Promise<Answer> {
	const answer = await client.ask(path, { headers });
	if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
	return answer;
}
