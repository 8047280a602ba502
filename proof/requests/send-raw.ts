import { connect } from "node:net";
import { scaledTimeout } from "../../test/time-limits.ts";

export interface RawAnswer {
	/** 0 when the connection was closed without an answer. */
	status: number;
	/** Status line and headers. */
	head: string;
	/** The bytes as text; compressed when the request accepted it. */
	body: string;
}

/**
 * Sends bytes on a new connection and reads the answer. An HTTP client would refuse to send most of them.
 * @param cut closes the connection as soon as the bytes are sent.
 */
export function sendRaw(port: number, bytes: Buffer, cut: boolean): Promise<RawAnswer> {
	return new Promise((done) => {
		const chunks: Buffer[] = [];
		const socket = connect(port, "127.0.0.1", () => socket.write(bytes, () => cut && socket.destroy()));
		socket.setTimeout(scaledTimeout(30_000), () => socket.destroy());
		socket.on("data", (chunk) => {
			chunks.push(chunk);
			// a stream of events has no end
			if (chunks.length === 1 && /^content-type: text\/event-stream/im.test(chunk.toString("latin1"))) socket.destroy();
		});
		socket.on("error", () => {});
		socket.on("close", () => {
			const text = Buffer.concat(chunks).toString("latin1");
			const end = text.indexOf("\r\n\r\n");
			const head = end < 0 ? text : text.slice(0, end);
			done({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: end < 0 ? "" : text.slice(end + 4) });
		});
	});
}
