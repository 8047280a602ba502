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
