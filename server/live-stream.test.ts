import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestShop, testShop } from "./test-shop.ts";

let shop: TestShop;
let path = "";
beforeAll(async () => {
	shop = await testShop({ variables: { TRUSTED_PROXIES: "1" } });
	path = `/confirmation/${(await shop.placeOrder()).sessionId}/direct`;
});
afterAll(() => shop?.close());

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
	});
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
