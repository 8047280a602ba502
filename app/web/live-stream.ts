import type { Runtime } from "../../server/runtime.ts";
import { refusals } from "./refusals.ts";

const heartbeat = 20_000;

/** Seconds; a page whose stream is refused asks again by itself meanwhile. */
const retryAfter = 60;

/**
 * Server-sent events: one « change » each time something about the subject changes, none of what it is.
 * Ends when the reader leaves or the process stops; the browser then comes back by itself.
 * @param client who reads: the key of a client, who may have twenty streams at once. The next is refused with 429.
 */
export function liveStream(
	{ changes, closing, streams }: Pick<Runtime, "changes" | "closing" | "streams">,
	subject: string,
	{ method, url, signal: reader }: Request,
	client: string,
): Response {
	const headers = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };
	if (method === "HEAD") return new Response(null, { headers });
	// the framework would wait for the end of the stream to pass it on as data
	if (new URL(url).pathname.endsWith(".data")) return new Response(null, { status: 404 });
	const giveBack = streams.take(client);
	if (giveBack === null)
		return new Response(refusals[429], {
			status: 429,
			headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", "retry-after": String(retryAfter) },
		});
	const encoder = new TextEncoder();
	let leave = () => {};
	const body = new ReadableStream<Uint8Array>({
		start(controller) {
			const write = (text: string) => controller.enqueue(encoder.encode(text));
			const unsubscribe = changes.subscribe(subject, () => write("event: change\ndata:\n\n"));
			const timer = setInterval(() => write(":\n\n"), heartbeat);
			let left = false;
			leave = () => {
				if (left) return;
				left = true;
				unsubscribe();
				clearInterval(timer);
				closing.removeEventListener("abort", end);
				reader.removeEventListener("abort", end);
				giveBack();
			};
			const end = () => {
				leave();
				controller.close();
			};
			closing.addEventListener("abort", end);
			reader.addEventListener("abort", end);
			// whatever changed between the page and this stream
			write("retry: 2000\nevent: change\ndata:\n\n");
			if (closing.aborted || reader.aborted) end();
		},
		cancel: () => leave(),
	});
	return new Response(body, { headers });
}
