import { createHash, randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from "react-router";
import { isDatabaseUnavailable } from "../server/database/database.ts";
import { describeFault } from "../server/observability/log.ts";
import { getErrorCode, toError } from "../server/types/errors.ts";
import { getScripts, onDemandLoader, type PageScripts } from "./page-scripts.ts";
import { databaseUnavailableContext, shopContext } from "./shop.ts";
import { readMatches } from "./ui/page-match.ts";
import { isAbortedBy } from "./web/http.ts";
import { encodingFor } from "./web/page-cache.ts";

/**
 * Responds with a complete page: rendered before the first byte, so that the status is right and nothing moves during loading.
 * It has a Content-Security-Policy, is compressed, and has an ETag when it is public.
 */
export default async function handleRequest(
	request: Request,
	status: number,
	headers: Headers,
	router: EntryContext,
	context: RouterContextProvider,
): Promise<Response> {
	const { matches, loaderData } = router.staticHandlerContext;
	const pages = readMatches(matches.map(({ route }) => ({ handle: route.handle, loaderData: loaderData[route.id] })));
	const scripts = getScripts(pages);
	const isPublic =
		status === 200 && (request.method === "GET" || request.method === "HEAD") && !headers.has("cache-control") && scripts !== "all";
	const nonce = scripts === "all" ? randomBytes(16).toString("base64") : undefined;
	const html = nonce ? await renderHydratedPage(router, request.url, nonce) : renderPage(router, request.url);

	headers.set("content-type", "text/html; charset=utf-8");
	// the desk sends its forms to itself alone
	const paymentOrigin = pages.some(({ handle }) => handle?.desk) ? null : context.get(shopContext).provider.pageOrigin;
	headers.set("content-security-policy", policy(scripts, nonce, paymentOrigin));
	headers.append("vary", "accept-encoding");
	if (isPublic) {
		const etag = `W/"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`;
		headers.set("etag", etag);
		// only a page without a query is cached for all users, for a minute (app/web/page-cache.ts)
		const sharedMaxAge = request.url.includes("?") ? "" : " s-maxage=60,";
		headers.set("cache-control", `public, max-age=0,${sharedMaxAge} must-revalidate`);
		if (request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
	} else if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
	return new Response(await compress(html, request, headers, isPublic && scripts === "none"), { status, headers });
}

/** Renders a page that is not hydrated as a whole: nothing in it is awaited, and a string costs half of a stream's CPU. */
function renderPage(router: EntryContext, url: string): string {
	return `<!DOCTYPE html>${renderToString(<ServerRouter context={router} url={url} />)}`;
}

function renderHydratedPage(router: EntryContext, url: string, nonce: string): Promise<string> {
	return new Promise((ready, fail) => {
		const chunks: Uint8Array[] = [];
		const page = new Writable({
			write(chunk, _encoding, done) {
				chunks.push(chunk);
				done();
			},
			final(done) {
				ready(styleFirst(Buffer.concat(chunks).toString()));
				done();
			},
		});
		const { pipe } = renderToPipeableStream(<ServerRouter context={router} url={url} nonce={nonce} />, {
			nonce,
			// a complete page needs no script to put a late part in its place
			progressiveChunkSize: Number.POSITIVE_INFINITY,
			onAllReady: () => pipe(page),
			onShellError: fail,
			onError: fail,
		});
	});
}

/**
 * Loads style and fonts before the scripts. The framework preloads its modules with a high priority, which delays the first
 * rendering; it has no option for that.
 */
function styleFirst(html: string): string {
	return html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');
}

const loaderHash = createHash("sha256").update(onDemandLoader).digest("base64");

const scriptSources = {
	none: () => "'none'",
	"on-demand": () => `'self' 'sha256-${loaderHash}'`,
	all: (nonce: string | undefined) => `'nonce-${nonce}' 'strict-dynamic'`,
};

/** @param paymentOrigin null in the desk, which is an app with a service worker for alerts. */
function policy(scripts: PageScripts, nonce: string | undefined, paymentOrigin: string | null): string {
	return [
		"default-src 'none'",
		`script-src ${scriptSources[scripts](nonce)}`,
		// in development, Vite's client inserts its styles inline
		`style-src 'self'${import.meta.env.DEV ? " 'unsafe-inline'" : ""}`,
		"img-src 'self' data:",
		"font-src 'self'",
		"connect-src 'self'",
		// the order form redirects to the payment provider's page
		`form-action 'self' ${paymentOrigin ?? ""}`.trim(),
		...(paymentOrigin === null ? ["worker-src 'self'", "manifest-src 'self'"] : []),
		"frame-ancestors 'none'",
		"base-uri 'none'",
	].join("; ");
}

/** Compression levels: a page that many read within a minute is compressed once, any other page for each request. */
const compressionLevels = { cached: { br: 9, gzip: 9 }, uncached: { br: 4, gzip: 5 } } as const;

async function compress(html: string, request: Request, headers: Headers, isShared: boolean): Promise<BodyInit> {
	const encoding = encodingFor(request.headers.get("accept-encoding") ?? undefined);
	if (encoding === "identity") return html;
	headers.set("content-encoding", encoding);
	const { br, gzip: level } = compressionLevels[isShared ? "cached" : "uncached"];
	return new Uint8Array(
		encoding === "br"
			? await promisify(brotliCompress)(html, { params: { [constants.BROTLI_PARAM_QUALITY]: br } })
			: await promisify(gzip)(html, { level }),
	);
}

/** Logs errors of the shop, without the request's query and without typed texts. */
export function handleError(error: unknown, { request, context }: { request: Request; context: RouterContextProvider }): void {
	if (isAbortedBy(request, error) || isRouteErrorResponse(error)) return;
	const shop = context.get(shopContext);
	if (isDatabaseUnavailable(error)) {
		context.set(databaseUnavailableContext, true);
		shop.log.warn({ code: getErrorCode(error), error: toError(error).message }, "the database does not answer, or takes no writes");
	} else shop.log.error({ error: describeFault(error) }, "a request failed");
}
