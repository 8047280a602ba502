import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createStreamSlots } from "../../server/stream-slots.ts";
import { createLiveStream } from "./live-stream.ts";

// What a live stream sends of one subject or of several, and what it leaves behind.

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => {
	vi.useRealTimers();
});

const start = "retry: 2000\nevent: change\ndata:\n\n";
const change = "event: change\ndata:\n\n";
const heartbeat = ":\n\n";

/** Subjects of one process, which the test changes. */
function createChanges() {
	const subscribers = new Map<string, Set<() => void>>();
	return {
		subscribe(subject: string, callback: () => void) {
			const callbacks = subscribers.get(subject) ?? new Set();
			subscribers.set(subject, callbacks.add(callback));
			return () => void callbacks.delete(callback);
		},
		stop: async () => {},
		announce(subject: string) {
			for (const callback of subscribers.get(subject) ?? []) callback();
		},
		count: () => [...subscribers.values()].reduce((sum, callbacks) => sum + callbacks.size, 0),
	};
}

function open(subjects: string[], { path = "/x", method = "GET" } = {}) {
	const changes = createChanges();
	const streams = createStreamSlots();
	const [closing, client] = [new AbortController(), new AbortController()];
	const watch = { ended: 0, end: () => {} };
	const response = createLiveStream(
		{ changes, closing: closing.signal, streams },
		subjects,
		{ method, url: `http://shop.example${path}`, signal: client.signal } as Request,
		"a client",
		(end) => {
			watch.end = end;
			return () => void watch.ended++;
		},
	);
	const reader = response.body?.getReader();
	let text = "";
	let isDone = false;
	void (async () => {
		for (;;) {
			const { done, value } = (await reader?.read()) ?? { done: true };
			if (done) break;
			text += new TextDecoder().decode(value);
		}
		isDone = true;
	})();
	/** What was sent since the last call. */
	const readNext = async (milliseconds = 0) => {
		await vi.advanceTimersByTimeAsync(milliseconds);
		const sent = text;
		text = "";
		return sent;
	};
	const countLeft = () => ({
		subscribers: changes.count(),
		slots: streams.count(),
		timers: vi.getTimerCount(),
		listeners: [closing, client].map(({ signal }) => getEventListeners(signal, "abort").length),
	});
	return { response, changes, closing, client, watch, readNext, countLeft, cancel: () => reader?.cancel(), isDone: () => isDone };
}

test("each change of one subject is sent at once, and a heartbeat every twenty seconds", async () => {
	const { changes, readNext } = open(["order 1"]);
	expect(await readNext()).toBe(start);
	for (let times = 0; times < 3; times++) {
		changes.announce("order 1");
		changes.announce("order 2");
		expect(await readNext()).toBe(change);
	}
	expect([await readNext(19_999), await readNext(1), await readNext(20_000)]).toEqual(["", heartbeat, heartbeat]);
});

test("changes of several subjects are sent every three seconds at most, and none is lost", async () => {
	const { changes, readNext } = open(["order 1", "order 2"]);
	expect(await readNext()).toBe(start);
	const announceAll = () => {
		for (const subject of ["order 1", "order 2", "order 1"]) changes.announce(subject);
	};
	announceAll();
	expect(await readNext()).toBe(change);
	expect([await readNext(2999), await readNext(1)]).toEqual(["", change]);
	// the pause begins anew with what was sent at its end
	announceAll();
	expect([await readNext(2999), await readNext(1)]).toEqual(["", change]);
	// a pause without a change ends it
	expect(await readNext(3000)).toBe("");
	changes.announce("order 2");
	expect(await readNext()).toBe(change);
	expect(await readNext(6000)).toBe("");
});

describe("a stream leaves nothing behind", () => {
	test.each<[string, (stream: ReturnType<typeof open>) => unknown]>([
		["the client leaves", ({ client }) => client.abort()],
		["the process stops", ({ closing }) => closing.abort()],
		["the right to it is lost", ({ watch }) => watch.end()],
		["its reader stops", ({ cancel }) => cancel()],
	])("when %s", async (_case, stop) => {
		const stream = open(["order 1", "order 2"]);
		const { changes, readNext, countLeft, watch, isDone } = stream;
		expect(await readNext()).toBe(start);
		expect(countLeft()).toEqual({ subscribers: 2, slots: 1, timers: 1, listeners: [1, 1] });
		for (let times = 0; times < 2; times++) changes.announce("order 1");
		expect(countLeft().timers).toBe(2);
		await stop(stream);
		expect(await readNext(60_000)).toBe(change);
		expect(countLeft()).toEqual({ subscribers: 0, slots: 0, timers: 0, listeners: [0, 0] });
		expect([isDone(), watch.ended]).toEqual([true, 1]);
		// what comes later ends nothing twice
		for (let times = 0; times < 2; times++) watch.end();
		expect(watch.ended).toBe(1);
	});
});

test("a request for the data of a page, and one for the headers, use no slot", () => {
	expect(open(["order 1"], { path: "/x.data" }).response.status).toBe(404);
	const head = open(["order 1"], { method: "HEAD" });
	expect([head.response.status, head.response.body]).toEqual([200, null]);
	for (const { countLeft } of [head, open(["order 1"], { path: "/x.data" })])
		expect(countLeft()).toEqual({ subscribers: 0, slots: 0, timers: 0, listeners: [0, 0] });
	expect(open(["order 1"], { path: "/x.data/direct" }).response.status).toBe(200);
});
