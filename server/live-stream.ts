import type { Runtime } from "./runtime.ts";

const heartbeat = 20_000;

/**
 * Server-sent events: one « change » each time something about the subject changes, none of what it is.
 * Ends when the reader leaves or the process stops; the browser then comes back by itself.
 */
export function liveStream({ changes, closing }: Pick<Runtime, "changes" | "closing">, subject: string, reader: AbortSignal): Response {
	const encoder = new TextEncoder();
	let leave = () => {};
	const body = new ReadableStream<Uint8Array>({
		start(controller) {
			const write = (text: string) => controller.enqueue(encoder.encode(text));
			const unsubscribe = changes.subscribe(subject, () => write("event: change\ndata:\n\n"));
			const timer = setInterval(() => write(":\n\n"), heartbeat);
			leave = () => {
				unsubscribe();
				clearInterval(timer);
				closing.removeEventListener("abort", end);
				reader.removeEventListener("abort", end);
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
	return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" } });
}
