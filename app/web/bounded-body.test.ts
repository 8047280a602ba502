import { type Context, Hono } from "hono";
import { expect, test, vi } from "vitest";
import type { BodyLimits } from "./body-limits.ts";
import { BodyRefused, boundBodies } from "./bounded-body.ts";
import { readForm } from "./http.ts";

/** How a body is bounded before its route reads it: docs/rules.md, R175. */

const form = "application/x-www-form-urlencoded";
const boundary = "----formulaire";
const multipart = `multipart/form-data; boundary=${boundary}`;
const part = (name: string, value = "x") => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const parts = (count: number) => `${Array.from({ length: count }, (_, at) => part(`f${at}`)).join("")}--${boundary}--\r\n`;

/** A body in pieces of a size; with a fault, it breaks off at its end, and without an end nothing follows it. */
function toStream(text: string, { size = text.length, fault, isOpen = false }: { size?: number; fault?: Error; isOpen?: boolean } = {}) {
	const bytes = new TextEncoder().encode(text);
	let at = 0;
	return new ReadableStream<Uint8Array>({
		pull(controller) {
			const piece = bytes.slice(at, at + size);
			at += size;
			if (piece.length > 0) return controller.enqueue(piece);
			if (fault) return controller.error(fault);
			return isOpen ? new Promise(() => {}) : controller.close();
		},
	});
}

interface Options {
	limits?: Partial<BodyLimits>;
	/** Of forms with files; the others by default. */
	fileLimits?: Partial<BodyLimits>;
	type?: string | null;
	method?: string;
	headers?: Record<string, string>;
	read?: (c: Context) => Promise<unknown>;
}

/** Sends a body to a route. @returns what the route read, or why the body was refused. */
async function send(body: ReadableStream | null, { limits, fileLimits, type = form, method = "POST", headers, read }: Options = {}) {
	const app = new Hono();
	let refused: BodyRefused | undefined;
	const usual = { bytes: 100_000, fields: 100, seconds: 60, ...limits };
	app.use(
		boundBodies(
			() => "/",
			async (c, reason) => {
				refused = reason;
				return c.body(null, 413);
			},
			(_pattern, isMultipart) => (isMultipart ? { ...usual, ...fileLimits } : usual),
		),
	);
	app.onError((error) => {
		throw error;
	});
	app.all("*", async (c) => {
		const value = read ? await read(c) : [...(await readForm(c.req.raw))].length;
		return c.json({ value, isTruncated: c.get("isFormTruncated" as never) ?? false });
	});
	const answer = await app.fetch(
		new Request("http://shop.example/", {
			method,
			body,
			headers: { ...(type && { "content-type": type }), ...headers },
			duplex: "half",
		} as RequestInit),
	);
	if (refused) return { refused: refused.reason, isRead: refused.isRead };
	return (await answer.json()) as { value: unknown; isTruncated: boolean };
}
const readText = (c: Context) => c.req.raw.text();
const text = "text/plain";

test.each([1, 7, 100_000])("fields are counted in pieces of %s bytes", async (size) => {
	const sent = (type: string, body: string) => send(toStream(body, { size }), { type });
	const refused = { refused: "fields", isRead: true };
	expect(await sent(multipart, parts(100))).toMatchObject({ value: 100 });
	expect(await sent(multipart, parts(101))).toEqual(refused);
	expect(await sent(form, "a=1&".repeat(99))).toMatchObject({ value: 99 });
	expect(await sent(form, "a=1&".repeat(100))).toEqual(refused);
});

test.each([
	`multipart/form-data; boundary="${boundary}"`,
	`Multipart/Form-Data; x="; boundary=other"; Boundary=${boundary}; boundary=other`,
])("fields are counted with the boundary that their parser reads: %s", async (type) => {
	expect(await send(toStream(parts(20)), { type })).toMatchObject({ value: 20 });
	expect(await send(toStream(parts(120)), { type })).toEqual({ refused: "fields", isRead: true });
});

test.each([text, "multipart/form-data", "multipart/form-data; boundary=", ";", "application/json", null])(
	"a body of another type has no fields, whatever is in it: %s",
	async (type) => {
		expect(await send(toStream(parts(120)), { type })).toMatchObject({ value: 0 });
		expect(await send(toStream("a&".repeat(120)), { type, read: readText })).toMatchObject({ value: "a&".repeat(120) });
	},
);

test("a form with files without an end has no fields", async () => {
	expect(await send(toStream(part("a")), { type: multipart })).toMatchObject({ value: 0 });
});

test("a body has as many bytes as are accepted, and not one more", async () => {
	const limits = { bytes: 1000 };
	for (const size of [1000, 333]) {
		expect(await send(toStream("a".repeat(1000), { size }), { limits, type: text, read: readText })).toMatchObject({
			value: "a".repeat(1000),
		});
		expect(await send(toStream("a".repeat(1001), { size }), { limits, type: text })).toEqual({ refused: "bytes", isRead: true });
	}
});

test("the first limit that a body exceeds is the reason", async () => {
	const limits = { bytes: 1000, fields: 10 };
	const [fields, bytes] = ["a&".repeat(20), "b".repeat(2000)];
	expect(await send(toStream(fields + bytes, { size: 40 }), { limits })).toEqual({ refused: "fields", isRead: true });
	expect(await send(toStream(bytes + fields, { size: 40 }), { limits })).toEqual({ refused: "bytes", isRead: true });
});

test("of a body that is too large, so much is read, and the client of a larger one is cut off", async () => {
	const limits = { bytes: 100, maxRead: 1000 };
	for (const size of [1001, 100]) {
		expect(await send(toStream("a".repeat(1000), { size }), { limits })).toEqual({ refused: "bytes", isRead: true });
		expect(await send(toStream("a".repeat(1001), { size, isOpen: true }), { limits })).toEqual({ refused: "bytes", isRead: false });
	}
	// within its limit, it has no other
	expect(await send(toStream("a".repeat(1500)), { limits: { ...limits, bytes: 2000 }, type: text, read: readText })).toMatchObject({
		value: "a".repeat(1500),
	});
	const declare = (length: number) => ({ limits, type: text, headers: { "content-length": `${length}` } });
	expect(await send(toStream("a"), declare(1001))).toEqual({ refused: "bytes", isRead: false });
	expect(await send(toStream("a"), { ...declare(1000), read: readText })).toMatchObject({ value: "a" });
});

test("a form without a declared length is refused from 32 megabytes on, where its route says nothing else", async () => {
	const declare = (length: number) => ({ type: text, headers: { "content-length": `${length}` }, read: readText });
	expect(await send(toStream("a"), declare(32 * 1024 * 1024))).toMatchObject({ value: "a" });
	expect(await send(toStream("a"), declare(32 * 1024 * 1024 + 1))).toEqual({ refused: "bytes", isRead: false });
});

test("a body has its seconds, and a timer no longer than itself", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	try {
		const late = send(toStream("a=1", { isOpen: true }), { limits: { seconds: 2 } });
		let answered: unknown = null;
		void late.then((answer) => {
			answered = answer;
		});
		await vi.advanceTimersByTimeAsync(1999);
		expect(answered).toBeNull();
		await vi.advanceTimersByTimeAsync(1);
		expect(await late).toEqual({ refused: "seconds", isRead: false });
		expect(await send(toStream("a=1"))).toMatchObject({ value: 1 });
		expect(vi.getTimerCount()).toBe(0);
	} finally {
		vi.useRealTimers();
	}
});

test("a body that breaks off is a fault, and no refusal", async () => {
	await expect(send(toStream("a=1", { fault: new Error("broken off") }))).rejects.toThrow("broken off");
});

test.each(["GET", "HEAD"])("%s has no body, and POST may have none", async (method) => {
	expect(await send(null, { method, read: async (c) => c.req.method }).catch(() => "no body of HEAD")).toEqual(
		method === "HEAD" ? "no body of HEAD" : { value: "GET", isTruncated: false },
	);
	expect(await send(null, { read: readText })).toMatchObject({ value: "" });
});

test("a route gets what was sent, without the length that was declared", async () => {
	const read = async (c: Context) => [c.req.raw.headers.get("content-length"), c.req.raw.headers.get("x-kept"), await c.req.raw.text()];
	for (const isReadByRoute of [undefined, true] as const) {
		const limits = isReadByRoute && { isReadByRoute };
		const sent = await send(toStream("a=1&b=2", { size: 2 }), { limits, read, headers: { "content-length": "7", "x-kept": "1" } });
		expect(sent).toMatchObject({ value: [null, "1", "a=1&b=2"] });
	}
});

test("a body that its route reads is refused while the route reads it", async () => {
	const limits = { isReadByRoute: true, bytes: 10 } as const;
	const read = async (c: Context) => {
		const [error] = await Promise.all([c.req.raw.text().catch((error: Error) => error)]);
		const cause = error instanceof Error ? (error.cause ?? error) : null;
		return cause instanceof BodyRefused ? cause.reason : error;
	};
	expect(await send(toStream("a".repeat(11)), { limits, read })).toMatchObject({ value: "bytes" });
	expect(await send(toStream("a".repeat(10)), { limits, read })).toMatchObject({ value: "a".repeat(10) });
	// a route that asks first who sends it need not read it
	expect(await send(toStream("a".repeat(11)), { limits, read: async () => "a stranger" })).toMatchObject({ value: "a stranger" });
});

test("of a form whose file is too large, the fields before it are kept; of any other refused form, nothing", async () => {
	const fileLimits = { bytes: 1000, fields: 10, maxRead: 5000, keptBytes: 300 };
	const list = (bytes: number) => `${part("a", "un")}${part("b", "x".repeat(bytes))}--${boundary}--\r\n`;
	const read = async (c: Context) => [...(await readForm(c.req.raw))].map(([name]) => name);
	const sent = (body: string, limits: Partial<BodyLimits> = {}) =>
		send(toStream(body, { size: 200 }), { type: multipart, fileLimits: { ...fileLimits, ...limits }, read });
	expect(await sent(list(500))).toEqual({ value: ["a", "b"], isTruncated: false });
	expect(await sent(list(2000))).toEqual({ value: ["a", "b"], isTruncated: true });
	expect(await sent(list(6000))).toEqual({ refused: "bytes", isRead: false });
	expect(await sent(parts(11))).toEqual({ refused: "fields", isRead: true });
	expect(await sent(list(2000), { keptBytes: undefined })).toEqual({ refused: "bytes", isRead: true });
	// a body that is no form has no fields to keep
	expect(await send(toStream("a".repeat(2000)), { type: text, limits: fileLimits })).toEqual({ refused: "bytes", isRead: true });
});
