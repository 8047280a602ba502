// A fake of S3, for tests and for trying the shop by hand: `node test/fakes/s3.ts --port 9000`.
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import S3rver from "s3rver";
import { refuseSignature } from "./aws-signature.ts";

const errors: Record<string, { status: number; message: string }> = {
	AccessDenied: { status: 403, message: "Access Denied" },
	InvalidAccessKeyId: { status: 403, message: "The access key does not exist in our records." },
	SignatureDoesNotMatch: { status: 403, message: "The signature does not match the one that was calculated." },
	RequestTimeTooSkewed: { status: 403, message: "The difference between the request time and the server's time is too large." },
	XAmzContentSHA256Mismatch: { status: 400, message: "The provided x-amz-content-sha256 does not match what was computed." },
	BadDigest: { status: 400, message: "The checksum that you specified did not match what was received." },
	InternalError: { status: 500, message: "We encountered an internal error. Please try again." },
	SlowDown: { status: 503, message: "Please reduce your request rate." },
};

export type FakeS3 = Awaited<ReturnType<typeof startFakeS3>>;

/** s3rver stores the objects; this server before it checks signatures and checksums, and fails on request. */
export async function startFakeS3({ port = 0 } = {}) {
	const folder = mkdtempSync(join(tmpdir(), "s3-"));
	const bucket = "extraits";
	const keys = {
		accessKeyId: `AKIA${randomBytes(8).toString("hex").toUpperCase()}`,
		secretAccessKey: randomBytes(20).toString("base64url"),
	};
	const s3rver = new S3rver({
		...{ address: "127.0.0.1", port: 0, silent: true },
		...{ directory: folder, resetOnClose: false, configureBuckets: [{ name: bucket }] },
	});
	const behind = `http://127.0.0.1:${(await s3rver.run()).port}`;

	const failing: ("InternalError" | "SlowDown")[] = [];
	const state = { delay: 0, stalls: 0, garbled: 0, readOnly: false, requests: 0, mostKeys: 1000 };

	/** s3rver writes objects in place: two writes at once would leave a mixture of both, while S3 stores one of them whole. */
	const lastRequests = new Map<string, Promise<unknown>>();
	function inTurn<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
		const result = (lastRequests.get(path) ?? Promise.resolve()).then(act);
		const ended = result.catch(() => {});
		lastRequests.set(path, ended);
		void ended.then(() => lastRequests.get(path) === ended && lastRequests.delete(path));
		return result;
	}

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await buffer(request);
		state.requests++;
		await wait(state.delay);
		const signature = refuseSignature(request, body, keys);
		if (state.garbled > 0 && request.method === "PUT") {
			state.garbled--;
			body[0] = (body[0] ?? 0) ^ 1;
		}
		const refusal = failing.shift() ?? signature ?? refuseBody(request, body, state.readOnly);
		if (refusal) return refuse(response, refusal);

		const { method = "GET", url = "/", headers } = request;
		const { stored, whole } = await inTurn(url.replace(/\?.*/, ""), async () => {
			const stored = await fetch(behind + listingByMarker(url), {
				method,
				headers: { "content-type": headers["content-type"] ?? "application/octet-stream" },
				...(method === "PUT" && { body: new Uint8Array(body) }),
			});
			return { stored, whole: Buffer.from(await stored.arrayBuffer()) };
		});
		const content = url.includes("list-type=2") ? cutListing(whole, state.mostKeys) : whole;
		for (const name of ["content-type", "etag", "last-modified"]) {
			const value = stored.headers.get(name);
			if (value !== null) response.setHeader(name, value);
		}
		response.writeHead(stored.status, method === "HEAD" || stored.status === 204 ? {} : { "content-length": content.byteLength });
		if (state.stalls > 0 && method === "GET") {
			state.stalls--;
			response.write(content.subarray(0, content.byteLength / 2));
		} else response.end(content);
	}

	const server = createServer((request, response) => {
		answer(request, response).catch(() => response.destroy());
	});
	const listen = (at: number) => new Promise<void>((ready) => server.listen(at, "127.0.0.1", ready));
	const stop = () =>
		new Promise<void>((done) => {
			server.close(() => done());
			server.closeAllConnections();
		});
	await listen(port);
	const usedPort = (server.address() as AddressInfo).port;
	const list = async () => (await fetch(`${behind}/${bucket}`)).text();

	return {
		endpoint: `http://127.0.0.1:${usedPort}`,
		region: "us-east-1",
		bucket,
		...keys,
		/**
		 * Its behaviour from now on: the delay in milliseconds, how many answers stop half-way, how many writes it garbles after their
		 * signature was checked, whether writes are refused, how many names a listing has at most; what it was asked.
		 */
		state,
		/** The next `times` requests fail. */
		fail: (times: number, code: (typeof failing)[number]) => failing.push(...Array<typeof code>(times).fill(code)),
		down: stop,
		up: () => listen(usedPort),
		/** The names of all objects. */
		files: async () => [...(await list()).matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, name]) => name ?? ""),
		typeOf: async (path: string) => (await fetch(`${behind}/${bucket}/${path}`, { method: "HEAD" })).headers.get("content-type"),
		/** Changes an object without a key, as a fault of the storage would. */
		alter: (path: string, bytes: Uint8Array<ArrayBuffer>) => fetch(`${behind}/${bucket}/${path}`, { method: "PUT", body: bytes }),
		async close() {
			if (server.listening) await stop();
			await s3rver.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** The first version of a listing has the same answer; the second fails in s3rver beyond 1000 objects, because Node no longer has its cipher. */
const listingByMarker = (url: string) => url.replace(/([?&])list-type=2&?/, "$1").replace("start-after=", "marker=");

/** Truncates a listing to `most` names. */
function cutListing(xml: Buffer, most: number): Buffer {
	const [head = "", ...entries] = xml.toString().split("<Contents>");
	if (entries.length <= most) return xml;
	const text = [head, ...entries.slice(0, most)].join("<Contents>").replace("<IsTruncated>false", "<IsTruncated>true");
	return Buffer.from(text.endsWith("</ListBucketResult>") ? text : `${text}</ListBucketResult>`);
}

function refuseBody({ method, headers }: IncomingMessage, body: Buffer, readOnly: boolean): string | null {
	if (readOnly && (method === "PUT" || method === "DELETE")) return "AccessDenied";
	const checksum = headers["x-amz-checksum-sha256"];
	return checksum === undefined || checksum === createHash("sha256").update(body).digest("base64") ? null : "BadDigest";
}

function refuse(response: ServerResponse, code: string): void {
	const { status, message } = errors[code] ?? { status: 400, message: code };
	response.writeHead(status, { "content-type": "application/xml" });
	response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

if (import.meta.main) {
	const { values } = parseArgs({ options: { port: { type: "string", default: "9000" } } });
	const s3 = await startFakeS3({ port: Number(values.port) });
	console.log(`A fake of S3; it deletes everything when it stops. Start the shop with:

S3_ENDPOINT=${s3.endpoint} S3_BUCKET=${s3.bucket} S3_ACCESS_KEY_ID=${s3.accessKeyId} S3_SECRET_ACCESS_KEY=${s3.secretAccessKey} npm start`);
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => s3.close().then(() => process.exit(0)));
}
