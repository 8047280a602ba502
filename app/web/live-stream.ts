import type { Runtime } from "../../server/runtime.ts";
import { refusals } from "./refusals.ts";

const heartbeatMs = 20_000;

const throttleMs = 3000;

/** Seconds. A page whose stream is refused polls instead. */
const retryAfterSeconds = 60;

/**
 * Sends server-sent events: one « change » for each change of a subject, without its content; with several subjects at most one every
 * three seconds, because the page reads all of them again.
 * The stream ends when the client leaves or the process stops; browsers reconnect by themselves.
 * @param client the client's key. A client may have twenty open streams; the next is refused with 429.
 * @param watchEnd calls its parameter when the client loses the right to the stream; it returns a function that stops watching.
 */
export function createLiveStream(
	{ changes, closing, streams }: Pick<Runtime, "changes" | "closing" | "streams">,
	subjects: readonly string[],
	{ method, url, signal: clientSignal }: Request,
	client: string,
	watchEnd?: (end: () => void) => () => void,
): Response {
	const headers = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };
	if (method === "HEAD") return new Response(null, { headers });
	// the framework would wait for the end of the stream before it sends data
	if (new URL(url).pathname.endsWith(".data")) return new Response(null, { status: 404 });
	const releaseSlot = streams.reserve(client);
	if (releaseSlot === null)
		return new Response(refusals[429], {
			status: 429,
			headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", "retry-after": String(retryAfterSeconds) },
		});
	const encoder = new TextEncoder();
	let close = () => {};
	const body = new ReadableStream<Uint8Array>({
		start(controller) {
			const write = (text: string) => controller.enqueue(encoder.encode(text));
			const announce = () => write("event: change\ndata:\n\n");
			const throttled = throttle(announce, throttleMs);
			const unsubscribes = subjects.map((subject) => changes.subscribe(subject, subjects.length > 1 ? throttled.call : announce));
			const timer = setInterval(() => write(":\n\n"), heartbeatMs);
			let closed = false;
			close = () => {
				if (closed) return;
				closed = true;
				for (const unsubscribe of unsubscribes) unsubscribe();
				throttled.stop();
				unwatch?.();
				clearInterval(timer);
				closing.removeEventListener("abort", end);
				clientSignal.removeEventListener("abort", end);
				releaseSlot();
			};
			const end = () => {
				if (closed) return;
				close();
				controller.close();
			};
			const unwatch = watchEnd?.(end);
			closing.addEventListener("abort", end);
			clientSignal.addEventListener("abort", end);
			// the page may have changed before this stream started
			write("retry: 2000\nevent: change\ndata:\n\n");
			if (closing.aborted || clientSignal.aborted) end();
		},
		cancel: () => close(),
	});
	return new Response(body, { headers });
}

/** Calls `act` at once, then at most once after each pause, however often it is called. */
function throttle(act: () => void, milliseconds: number): { call: () => void; stop: () => void } {
	let timer: NodeJS.Timeout | undefined;
	let isDue = false;
	function call(): void {
		isDue = timer !== undefined;
		if (isDue) return;
		act();
		timer = setTimeout(endPause, milliseconds);
	}
	function endPause(): void {
		timer = undefined;
		if (isDue) call();
	}
	return { call, stop: () => clearTimeout(timer) };
}
