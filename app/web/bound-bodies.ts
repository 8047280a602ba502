import type { Context, MiddlewareHandler } from "hono";
import { type BodyLimits, getBodyLimits } from "./body-limits.ts";
import { BodyRefused, boundBody, readFormEncoding } from "./bounded-body.ts";

type GetLimits = (pattern: string, isMultipart: boolean) => BodyLimits;

/**
 * Bounds the body of each request before its route gets it: bytes, fields and time. A usual body is read here, so that a route gets it
 * whole or not at all; one with files is bounded while its route reads it, which first asks who sends it.
 * @param getRoute the pattern of a request's route. @param refuse answers a body that is too large or too slow.
 */
export function boundBodies(
	getRoute: (c: Context) => string,
	refuse: (c: Context, refused: BodyRefused) => Promise<Response>,
	getLimits: GetLimits = getBodyLimits,
): MiddlewareHandler {
	return async (c, next) => {
		const { raw } = c.req;
		if (raw.method === "GET" || raw.method === "HEAD") return next();
		const encoding = readFormEncoding(raw.headers.get("content-type"));
		const limits = getLimits(getRoute(c), encoding?.isMultipart ?? false);
		const bounded = boundBody(raw, limits, encoding);
		if (limits.isReadByRoute) {
			c.req.raw = replaceBody(raw, toStream(bounded));
			return next();
		}
		const chunks: Uint8Array<ArrayBuffer>[] = [];
		try {
			for await (const chunk of bounded) chunks.push(chunk);
		} catch (error) {
			if (!(error instanceof BodyRefused)) throw error;
			const { keptBytes } = limits;
			if (encoding === null || keptBytes === undefined || error.reason !== "bytes" || !error.isRead) return refuse(c, error);
			c.set("isFormTruncated", true);
			const kept = Buffer.concat(chunks).subarray(0, keptBytes);
			c.req.raw = replaceBody(raw, Buffer.concat([kept, Buffer.from(`\r\n${encoding.separator}--\r\n`)]));
			return next();
		}
		c.req.raw = replaceBody(raw, Buffer.concat(chunks));
		return next();
	};
}

/** Not `ReadableStream.from`, which TypeScript does not know. */
const toStream = (chunks: AsyncGenerator<Uint8Array<ArrayBuffer>, void>): ReadableStream<Uint8Array<ArrayBuffer>> =>
	new ReadableStream(
		{
			async pull(controller) {
				const { done, value } = await chunks.next();
				if (done) controller.close();
				else controller.enqueue(value);
			},
			cancel: async () => void (await chunks.return()),
		},
		{ highWaterMark: 0 },
	);

function replaceBody({ url, method, headers, signal }: Request, body: BodyInit): Request {
	const kept = new Headers(headers);
	kept.delete("content-length");
	return new Request(url, { method, headers: kept, body, signal, duplex: "half" } as RequestInit);
}
