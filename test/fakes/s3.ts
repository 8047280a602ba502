// A fake of S3, for tests and for trying the shop by hand: `node test/fakes/s3.ts --port 9000`.
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { refuseSignature } from "./aws-signature.ts";

const errors: Record<string, { status: number; message: string }> = {
	NoSuchBucket: { status: 404, message: "The specified bucket does not exist." },
	NoSuchKey: { status: 404, message: "The specified key does not exist." },
	MethodNotAllowed: { status: 405, message: "The specified method is not allowed against this resource." },
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

interface StoredObject {
	bytes: Buffer;
	type: string;
	at: Date;
}

/**
 * Implements PutObject, GetObject, DeleteObject, HeadBucket and ListObjectsV2 of one bucket, in memory
 * (docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html).
 * Checks signatures and checksums, and fails on request.
 */
export async function startFakeS3({ port = 0 } = {}) {
	const bucket = "extraits";
	const keys = {
		accessKeyId: `AKIA${randomBytes(8).toString("hex").toUpperCase()}`,
		secretAccessKey: randomBytes(20).toString("base64url"),
	};
	const objects = new Map<string, StoredObject>();
	const failing: ("InternalError" | "SlowDown")[] = [];
	const state = {
		/** Milliseconds before each answer. */
		delay: 0,
		/** The next answers that stop half-way. */
		stalls: 0,
		/** The next writes that are altered after their signature was checked. */
		garbled: 0,
		/** Whether writes are refused. */
		readOnly: false,
		/** The names on one page of a listing. */
		maxKeys: 1000,
		/** The requests received. */
		requests: 0,
	};

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

		const { pathname, searchParams } = new URL(request.url ?? "/", "http://s3");
		const [, requestedBucket, ...segments] = pathname.split("/");
		if (requestedBucket !== bucket) return refuse(response, "NoSuchBucket");
		const name = decodeURIComponent(segments.join("/"));
		const object = objects.get(name);
		if (request.method === "PUT") {
			objects.set(name, { bytes: body, type: request.headers["content-type"] ?? "binary/octet-stream", at: new Date() });
			response.setHeader("etag", `"${createHash("md5").update(body).digest("hex")}"`).end();
		} else if (request.method === "DELETE") {
			objects.delete(name);
			response.writeHead(204).end();
		} else if (request.method === "HEAD") {
			response.writeHead(name === "" ? 200 : 404).end();
		} else if (request.method !== "GET") {
			refuse(response, "MethodNotAllowed");
		} else if (name === "") {
			response.writeHead(200, { "content-type": "application/xml" }).end(createListing(objects, searchParams, state.maxKeys));
		} else if (object === undefined) {
			refuse(response, "NoSuchKey");
		} else {
			response.writeHead(200, { "content-type": object.type, "content-length": object.bytes.byteLength });
			if (state.stalls > 0) {
				state.stalls--;
				response.write(object.bytes.subarray(0, object.bytes.byteLength / 2));
			} else response.end(object.bytes);
		}
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

	return {
		endpoint: `http://127.0.0.1:${usedPort}`,
		region: "us-east-1",
		bucket,
		...keys,
		state,
		/** The next `times` requests fail. */
		fail: (times: number, code: (typeof failing)[number]) => failing.push(...Array<typeof code>(times).fill(code)),
		down: stop,
		up: () => listen(usedPort),
		/** The names of all objects. */
		files: () => [...objects.keys()],
		getType: (path: string) => objects.get(path)?.type,
		/** Changes an object without a key, as a fault of the storage would. */
		alter(path: string, bytes: Uint8Array) {
			objects.set(path, { type: "application/pdf", ...objects.get(path), bytes: Buffer.from(bytes), at: new Date() });
		},
		async close() {
			if (server.listening) await stop();
		},
	};
}

/** One page of ListObjectsV2: the names that begin with a prefix, after a name, in the order of their bytes. */
function createListing(objects: ReadonlyMap<string, StoredObject>, query: URLSearchParams, maxKeys: number): string {
	const prefix = query.get("prefix") ?? "";
	const after = query.get("start-after") ?? "";
	const found = [...objects]
		.filter(([name]) => name.startsWith(prefix) && Buffer.compare(Buffer.from(name), Buffer.from(after)) > 0)
		.sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
	const entries = found
		.slice(0, maxKeys)
		.map(
			([name, { bytes, at }]) =>
				`<Contents><Key>${name}</Key><LastModified>${at.toISOString()}</LastModified><Size>${bytes.byteLength}</Size></Contents>`,
		);
	return `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult><IsTruncated>${found.length > maxKeys}</IsTruncated>${entries.join("")}</ListBucketResult>`;
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
