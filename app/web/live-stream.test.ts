import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createStreamSlots } from "../../server/stream-slots.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { createLiveStream } from "./live-stream.ts";

let shop: TestShop;
let path = "";
beforeAll(async () => {
	shop = await createTestShop({ variables: { TRUSTED_PROXIES: "1" } });
	path = `/confirmation/${(await shop.placeOrder()).sessionId}/direct`;
});
afterAll(() => shop?.close());

const pollOptions = { timeout: scaledTimeout(20_000), interval: 50 };

/** Opens a stream as a client of a proxy; `leave` ends it. */
async function open(client = "203.0.113.5", method = "GET") {
	const controller = new AbortController();
	const response = await shop.ask(path, { method, signal: controller.signal, headers: { "x-forwarded-for": client } });
	return { status: response.status, retryAfter: response.headers.get("retry-after"), response, leave: () => controller.abort() };
}

test("a client may have twenty open streams; a closed one frees its slot; other clients are not affected", async () => {
	const streams = await Promise.all(Array.from({ length: 50 }, () => open()));
	expect(streams.filter(({ status }) => status === 200)).toHaveLength(20);
	const refused = streams.filter(({ status }) => status === 429);
	expect(refused).toHaveLength(30);
	for (const { retryAfter, response } of refused) {
		expect(retryAfter).toBe("60");
		expect(await response.text()).toMatch(/^Trop de demandes/);
	}
	const other = await open("198.51.100.9");
	expect(other.status).toBe(200);
	other.leave();

	for (const { leave } of streams) leave();
	const reopened = await vi.waitFor(async () => {
		const opened = await Promise.all(Array.from({ length: 20 }, () => open()));
		if (opened.every(({ status }) => status === 200)) return opened;
		for (const { leave } of opened) leave();
		throw new Error("slots are not free yet");
	}, pollOptions);
	for (const { leave } of reopened) leave();
});

test("HEAD and the framework's data requests end at once and use no slot", async () => {
	for (let times = 0; times < 30; times++) expect((await open("192.0.2.7", "HEAD")).status).toBe(200);
	const data = await shop.ask(`${path}.data`, { headers: { "x-forwarded-for": "192.0.2.7" } });
	expect(data.status).toBe(404);
	await data.text();
	const stream = await open("192.0.2.7");
	expect(stream.status).toBe(200);
	stream.leave();
});

test("a stream sends an event at the start and at each change, a heartbeat every twenty seconds, and no data of the order", async () => {
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
	try {
		const { response, leave } = await open("192.0.2.8");
		expect(Object.fromEntries(response.headers)).toMatchObject({
			"content-type": "text/event-stream",
			"cache-control": "no-store",
			// a proxy must not buffer the stream
			"x-accel-buffering": "no",
		});
		const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
		const next = async () => (await reader?.read())?.value;
		expect(await next()).toBe("retry: 2000\nevent: change\ndata:\n\n");
		vi.advanceTimersByTime(20_000);
		expect(await next()).toBe(":\n\n");
		const { id } = await shop.shop.db.selectFrom("orders").select("id").executeTakeFirstOrThrow();
		await sql`select pg_notify('changes', ${id})`.execute(shop.shop.db);
		expect(await next()).toBe("event: change\ndata:\n\n");
		leave();
	} finally {
		vi.useRealTimers();
	}
});

test("a stream without access rights is refused", async () => {
	expect((await shop.ask("/confirmation/cs_test_nobody/direct")).status).toBe(404);
	const order = await shop.shop.db.selectFrom("orders").selectAll().executeTakeFirstOrThrow();
	expect((await shop.ask(`/suivi/${order.order_number}/direct`)).status).toBe(403);
});

describe("the end of a stream", () => {
	const open = (closing: AbortController, reader: AbortController, streams = createStreamSlots()) =>
		createLiveStream(
			{ changes: shop.shop.changes, closing: closing.signal, streams },
			["order 1"],
			new Request(`${shop.url}/x`, { signal: reader.signal }),
			"203.0.113.9",
		);
	const createController = () => new AbortController();

	test.each<[string, (closing: AbortController, reader: AbortController) => void]>([
		["the process stops", (closing) => closing.abort()],
		["the client leaves", (_closing, reader) => reader.abort()],
	])("comes when %s, even before the start", async (_name, stop) => {
		const [closing, reader] = [createController(), createController()];
		const running = open(closing, reader);
		stop(closing, reader);
		expect(await running.text()).toBe("retry: 2000\nevent: change\ndata:\n\n");
		expect(await open(closing, reader).text()).toBe("retry: 2000\nevent: change\ndata:\n\n");
	});

	test("frees the slot once, even if the stream is aborted and cancelled", async () => {
		const streams = createStreamSlots();
		for (let open = 0; open < 19; open++) streams.reserve("203.0.113.9");
		const reader = createController();
		const { body } = open(createController(), reader, streams);
		expect(streams.reserve("203.0.113.9")).toBeNull();
		reader.abort();
		await body?.cancel();
		expect(streams.reserve("203.0.113.9")).not.toBeNull();
		expect(streams.reserve("203.0.113.9")).toBeNull();
	});
});
