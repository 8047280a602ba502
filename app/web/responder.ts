import type { Context } from "hono";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import type { Client } from "../../server/client.ts";
import {
	clientContext,
	databaseUnavailableContext,
	previewPicturesContext,
	refusalContext,
	retryAfterContext,
	type Shop,
	shopContext,
	truncatedFormContext,
} from "../shop.ts";
import { previewPictures } from "../ui/preview-picture.server.tsx";
import { apiError } from "./http.ts";
import { isMatchable, type RefusalStatus, refusals } from "./refusals.ts";

/** Answers requests with the routes of app/routes.ts, and refuses those that must not reach a route. */
export interface Responder {
	respond(c: Context): Promise<Response>;
	/** Refuses with a page, JSON or plain text, whichever fits the path. The framework's own page in the browser shows a plain text. */
	refuse(c: Context, status: RefusalStatus, more?: { headers?: Record<string, string>; sentence?: string }): Promise<Response>;
}

/** @param isApi whether a request asks for JSON. */
export function createResponder(
	shop: Shop,
	build: ServerBuild,
	{ getClient, isApi }: { getClient: (c: Context) => Client; isApi: (c: Context) => boolean },
): Responder {
	const handle = createRequestHandler(build, import.meta.env.MODE);
	const { origin } = new URL(shop.environment.baseUrl);
	const pictures = previewPictures();

	async function render(c: Context, refusal?: { status: number; sentence: string; page: string | null }): Promise<Response> {
		const context = new RouterContextProvider();
		context.set(shopContext, shop);
		context.set(previewPicturesContext, pictures);
		context.set(clientContext, getClient(c));
		context.set(refusalContext, refusal);
		context.set(truncatedFormContext, c.get("isFormTruncated") === true);
		// a refusal is rendered at a well-formed URL that no page has, because the requested one may be malformed
		const request = refusal ? new Request(new URL("/refus", origin), { headers: { accept: "text/html" } }) : c.req.raw;
		const response = await handle(request, context);
		const retryAfter = context.get(retryAfterContext);
		if (retryAfter !== null) response.headers.set("retry-after", String(retryAfter));
		// RFC 9110, 15.5.6; routes that only accept POST set the header themselves
		if (response.status === 405 && !response.headers.has("allow")) response.headers.set("allow", "GET, HEAD");
		if (response.status < 500 || !context.get(databaseUnavailableContext)) return response;
		// the router expects the framework's own body for the data of a page
		const unavailable = new URL(c.req.url).pathname.endsWith(".data")
			? new Response(response.body, { status: 503, headers: response.headers })
			: await refuse(c, 503);
		unavailable.headers.set("retry-after", "5");
		return unavailable;
	}

	async function refuse(
		c: Context,
		status: RefusalStatus,
		{ headers = {}, sentence = refusals[status] }: { headers?: Record<string, string>; sentence?: string } = {},
	): Promise<Response> {
		const refusal = isApi(c)
			? apiError(status, sentence)
			: /\.(data|png|xml|txt)$/.test(c.req.path)
				? plainRefusal(status, sentence)
				: await render(c, { status, sentence, page: isMatchable(c.req.url) ? new URL(c.req.url).pathname : null });
		for (const [name, value] of Object.entries(headers)) refusal.headers.set(name, value);
		return refusal;
	}

	return { respond: (c) => render(c), refuse };
}

export const plainRefusal = (status: RefusalStatus, sentence: string = refusals[status]): Response =>
	new Response(sentence, { status, headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } });
