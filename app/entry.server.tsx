import { createHash, randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from "react-router";
import { isDatabaseUnavailable } from "../server/database/database.ts";
import { describeFault } from "../server/observability/log.ts";
import { getErrorCode, toError } from "../server/types/errors.ts";
import { databaseUnavailableContext, shopContext } from "./shop.ts";
import { isAbortedBy } from "./web/http.ts";
import { encodingFor } from "./web/page-cache.ts";

/** What a page says of itself, in its `handle`. */
interface PageHandle {
	/** false: it ships no JavaScript, and is public. */
	scripts?: boolean;
	/** true: it is the same for everybody, though it ships JavaScript. */
	public?: boolean;
}

/**
 * Answers with a whole page: rendered before its first byte (the right status, nothing that moves as it loads),
 * under a content security policy that knows whether it ships scripts, compressed, and with an ETag where it is public.
 */
export default async function handleRequest(
	request: Request,
	status: number,
	headers: Headers,
	router: EntryContext,
	context: RouterContextProvider,
): Promise<Response> {
	const matches = router.staticHandlerContext.matches as { route: { handle?: PageHandle } }[];
	const plain = matches.some(({ route }) => route.handle?.scripts === false);
	const unchanging =
		status === 200 &&
		(request.method === "GET" || request.method === "HEAD") &&
		!headers.has("cache-control") &&
		(plain || matches.some(({ route }) => route.handle?.public === true));
	const nonce = plain ? undefined : randomBytes(16).toString("base64");
	const html = await render(router, request.url, nonce);

	headers.set("content-type", "text/html; charset=utf-8");
	headers.set("content-security-policy", policy(nonce, context.get(shopContext).provider.pageOrigin));
	headers.append("vary", "accept-encoding");
	if (unchanging) {
		const etag = `W/"${digest(html, nonce)}"`;
		headers.set("etag", etag);
		// a page with a nonce is kept by one browser only; others may be kept for all, for a minute (app/web/page-cache.ts), but for the answers to queries
		const keptFor = request.url.includes("?") ? "" : " s-maxage=60,";
		headers.set("cache-control", nonce ? "private, max-age=0, must-revalidate" : `public, max-age=0,${keptFor} must-revalidate`);
		if (request.headers.get("if-none-match")?.includes(etag)) {
			// the page that the browser kept has the nonce of the policy that came with it: a new policy would stop its scripts
			if (nonce) headers.delete("content-security-policy");
			return new Response(null, { status: 304, headers });
		}
	} else if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
	return new Response(await compress(html, request, headers), { status, headers });
}

function render(router: EntryContext, url: string, nonce: string | undefined): Promise<Buffer<ArrayBuffer>> {
	return new Promise((ready, fail) => {
		const chunks: Uint8Array[] = [];
		const page = new Writable({
			write(chunk, _encoding, done) {
				chunks.push(chunk);
				done();
			},
			final(done) {
				ready(nonce ? styleFirst(Buffer.concat(chunks)) : Buffer.concat(chunks));
				done();
			},
		});
		const { pipe } = renderToPipeableStream(<ServerRouter context={router} url={url} nonce={nonce} />, {
			nonce,
			onAllReady: () => pipe(page),
			onShellError: fail,
			onError: fail,
		});
	});
}

/**
 * Lets style and fonts come before the scripts. The framework asks for its modules at once and with a high priority, which holds back
 * what the first picture of the page needs; it offers no way to say otherwise.
 */
function styleFirst(html: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
	return Buffer.from(html.toString().replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"'));
}

/** Of what a page says, whatever its nonce. */
function digest(html: Buffer, nonce: string | undefined): string {
	const hash = createHash("sha256");
	let from = 0;
	for (let at = nonce ? html.indexOf(nonce) : -1; nonce && at >= 0; at = html.indexOf(nonce, from)) {
		hash.update(html.subarray(from, at));
		from = at + nonce.length;
	}
	return hash.update(html.subarray(from)).digest("base64url").slice(0, 22);
}

function policy(nonce: string | undefined, paymentOrigin: string): string {
	return [
		"default-src 'none'",
		nonce ? `script-src 'nonce-${nonce}' 'strict-dynamic'` : "script-src 'none'",
		// in development, the reloading client brings its styles inline
		`style-src 'self'${import.meta.env.DEV ? " 'unsafe-inline'" : ""}`,
		"img-src 'self' data:",
		"font-src 'self'",
		"connect-src 'self'",
		"manifest-src 'self'",
		// the order's form ends on the payment provider's page
		`form-action 'self' ${paymentOrigin}`.trim(),
		"frame-ancestors 'none'",
		"base-uri 'none'",
	].join("; ");
}

/** A page that is kept for everybody is compressed once a minute, any other for each reader: ten times the effort is worth it once. */
const effort = { kept: { br: 9, gzip: 9 }, once: { br: 4, gzip: 5 } } as const;

async function compress(html: Buffer<ArrayBuffer>, request: Request, headers: Headers): Promise<BodyInit> {
	const encoding = encodingFor(request.headers.get("accept-encoding") ?? undefined);
	if (encoding === "identity") return html;
	headers.set("content-encoding", encoding);
	const { br, gzip: level } = effort[headers.get("cache-control")?.includes("s-maxage") ? "kept" : "once"];
	return new Uint8Array(
		encoding === "br"
			? await promisify(brotliCompress)(html, { params: { [constants.BROTLI_PARAM_QUALITY]: br } })
			: await promisify(gzip)(html, { level }),
	);
}

/** Our own faults, for the log: never the request's query, never what a customer typed. */
export function handleError(error: unknown, { request, context }: { request: Request; context: RouterContextProvider }): void {
	if (isAbortedBy(request, error) || isRouteErrorResponse(error)) return;
	const shop = context.get(shopContext);
	if (isDatabaseUnavailable(error)) {
		context.set(databaseUnavailableContext, true);
		shop.log.warn({ code: getErrorCode(error), error: toError(error).message }, "the database does not answer, or takes no writes");
	} else shop.log.error({ error: describeFault(error) }, "a request failed");
}
