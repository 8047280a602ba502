import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { streamPlaces } from "../../server/stream-places.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { liveStream } from "./live-stream.ts";

let shop: TestShop;
let path = "";
beforeAll(async () => {
	shop = await createTestShop({ variables: { TRUSTED_PROXIES: "1" } });
	path = `/confirmation/${(await shop.placeOrder()).sessionId}/direct`;
});
afterAll(() => shop?.close());

const soon = { timeout: scaledTimeout(20_000), interval: 50 };

/** Opens a stream as one client of a proxy; `leave` ends it. */
async function open(client = "203.0.113.5", method = "GET") {
	const controller = new AbortController();
	const answer = await shop.ask(path, { method, signal: controller.signal, headers: { "x-forwarded-for": client } });
	return { status: answer.status, retryAfter: answer.headers.get("retry-after"), answer, leave: () => controller.abort() };
}

test("one client has twenty streams at once, however many are asked for; who leaves makes room, and others are not concerned", async () => {
	const streams = await Promise.all(Array.from({ length: 50 }, () => open()));
	expect(streams.filter(({ status }) => status === 200)).toHaveLength(20);
	const refused = streams.filter(({ status }) => status === 429);
	expect(refused).toHaveLength(30);
	for (const { retryAfter, answer } of refused) {
		expect(retryAfter).toBe("60");
		expect(await answer.text()).toMatch(/^Trop de demandes/);
	}
	const other = await open("198.51.100.9");
	expect(other.status).toBe(200);
	other.leave();

	for (const { leave } of streams) leave();
	const again = await vi.waitFor(async () => {
		const opened = await Promise.all(Array.from({ length: 20 }, () => open()));
		if (opened.every(({ status }) => status === 200)) return opened;
		for (const { leave } of opened) leave();
		throw new Error("places are not free yet");
	}, soon);
	for (const { leave } of again) leave();
});

test("HEAD and the framework's data take no place, and end", async () => {
	for (let times = 0; times < 30; times++) expect((await open("192.0.2.7", "HEAD")).status).toBe(200);
	const data = await shop.ask(`${path}.data`, { headers: { "x-forwarded-for": "192.0.2.7" } });
	expect(data.status).toBe(404);
	await data.text();
	const stream = await open("192.0.2.7");
	expect(stream.status).toBe(200);
	stream.leave();
});

test("a stream says at once, at each change and every twenty seconds that it lives, and nothing of the order", async () => {
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
	try {
		const { answer, leave } = await open("192.0.2.8");
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			"content-type": "text/event-stream",
			"cache-control": "no-store",
			// a proxy that collects an answer before it passes it on would keep the news back
			"x-accel-buffering": "no",
		});
		const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
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

test("a stream to which nobody has the right is refused", async () => {
	expect((await shop.ask("/confirmation/cs_test_nobody/direct")).status).toBe(404);
	const order = await shop.shop.db.selectFrom("orders").selectAll().executeTakeFirstOrThrow();
	expect((await shop.ask(`/suivi/${order.order_number}/direct`)).status).toBe(403);
});

describe("a stream's end", () => {
	const open = (closing: AbortController, reader: AbortController, streams = streamPlaces()) =>
		liveStream(
			{ changes: shop.shop.changes, closing: closing.signal, streams },
			"order 1",
			new Request(`${shop.url}/x`, { signal: reader.signal }),
			"203.0.113.9",
		);
	const none = () => new AbortController();

	test.each<[string, (closing: AbortController, reader: AbortController) => void]>([
		["the process stops", (closing) => closing.abort()],
		["the reader leaves", (_closing, reader) => reader.abort()],
	])("comes when %s, also when that was so before it began", async (_what, stop) => {
		const [closing, reader] = [none(), none()];
		const running = open(closing, reader);
		stop(closing, reader);
		expect(await running.text()).toBe("retry: 2000\nevent: change\ndata:\n\n");
		expect(await open(closing, reader).text()).toBe("retry: 2000\nevent: change\ndata:\n\n");
	});

	test("gives its place back once, although it ends twice: nobody has read what it wrote, and the server lets it go", async () => {
		const streams = streamPlaces();
		for (let taken = 0; taken < 19; taken++) streams.take("203.0.113.9");
		const reader = none();
		const { body } = open(none(), reader, streams);
		expect(streams.take("203.0.113.9")).toBeNull();
		reader.abort();
		await body?.cancel();
		expect(streams.take("203.0.113.9")).not.toBeNull();
		expect(streams.take("203.0.113.9")).toBeNull();
	});
});
