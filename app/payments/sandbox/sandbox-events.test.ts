import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Environment, parseEnvironment } from "../../../server/environment/environment.ts";
import { waitForLock } from "../../../test/orders.ts";
import { sandboxScene, sessionRequest } from "../../../test/payments.ts";
import { cents } from "../../catalogue/money.ts";
import type { PaymentEvent } from "../provider.ts";
import { deliverSandboxEvent, getLocalUrl } from "./sandbox-events.server.ts";

const now = () => new Date();
let scene: Awaited<ReturnType<typeof sandboxScene>>;
let shop: Server;
let environment: Environment;
let received: (PaymentEvent | null)[];
const modes = new Set<unknown>();
let last: { contentType: string | undefined; event: unknown };
let answer = 200;

beforeAll(async () => {
	scene = await sandboxScene(now);
	shop = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const body = Buffer.concat(chunks).toString();
		const event = JSON.parse(body);
		modes.add(event.livemode);
		last = { contentType: request.headers["content-type"], event };
		const read = scene.provider.readEvent(body, String(request.headers["stripe-signature"]));
		received.push(read.ok ? read.event : null);
		response.writeHead(request.url === "/api/stripe/webhook" ? answer : 404).end();
	});
	await new Promise<void>((ready) => shop.listen(0, "127.0.0.1", ready));
	const parsed = parseEnvironment({ HOST: "0.0.0.0", PORT: String((shop.address() as AddressInfo).port) });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	environment = parsed.environment;
});
afterAll(async () => {
	shop?.closeAllConnections();
	shop?.close();
	await scene?.close();
});

/** Delivers the sandbox's events since the last call. @returns the events that the shop received. */
async function deliverEvents(): Promise<typeof received> {
	received = [];
	const events = await scene.db.selectFrom("sandbox.events").select("id").execute();
	for (const { id } of events) await deliverSandboxEvent({ db: scene.db, signer: scene.signer, now, environment }, id);
	await scene.db.deleteFrom("sandbox.events").execute();
	return received;
}

async function openSession(): Promise<string> {
	const created = await scene.provider.createSession(sessionRequest(now()));
	return created.ok ? created.session.id : created.code;
}

test("two concurrent requests with one key create one session", async () => {
	const request = sessionRequest(now());
	const both = await scene.db.transaction().execute(async (trx) => {
		await sql`lock table sandbox.sessions in share mode`.execute(trx); // both find no session, and wait to insert it
		const requests = Promise.all([scene.provider.createSession(request), scene.provider.createSession(request)]);
		await waitForLock(scene.db, requests, 2);
		return { asked: requests };
	});
	const [first, second] = await both.asked;
	expect(first).toMatchObject({ ok: true });
	expect(second).toEqual(first);
});

describe("the sandbox sends signed events over HTTP", () => {
	test("for a payment, then once for a refund, however often the refund is requested", async () => {
		const session = await openSession();
		await scene.pay(session);
		expect(await deliverEvents()).toMatchObject([{ type: "checkout.session.completed", subject: { session } }]);

		const found = await scene.provider.findSession(session);
		const payment = (found.ok && found.session?.paymentId) || "";
		const refund = { paymentId: payment, amount: cents(1000), key: "refund-1", reference: "reference-1" };
		await Promise.all([scene.provider.refund(refund), scene.provider.refund(refund)]);
		const events = await deliverEvents();
		expect(events.map((event) => event?.type).sort()).toEqual(["charge.refunded", "refund.created", "refund.updated"]);
		expect(events.map((event) => event?.subject)).toEqual(Array(3).fill({ payment }));
		expect([...modes]).toEqual([false]);
	});

	test("once for an expired session", async () => {
		const session = await openSession();
		await scene.provider.expireSession(session);
		await scene.provider.expireSession(session);
		expect(await deliverEvents()).toMatchObject([{ type: "checkout.session.expired", subject: { session } }]);
	});

	test("as Stripe writes them, with the time of the event in whole seconds, rounded down", async () => {
		const session = await openSession();
		await scene.provider.expireSession(session);
		await scene.db
			.updateTable("sandbox.events")
			.set({ created_at: new Date("2026-11-22T10:00:00.600Z") })
			.execute();
		await deliverEvents();
		expect(last).toEqual({
			contentType: "application/json",
			event: {
				...{ id: expect.stringMatching(/^evt_test_\w+$/), object: "event", type: "checkout.session.expired", livemode: false },
				...{ created: Date.parse("2026-11-22T10:00:00Z") / 1000, data: { object: { object: "checkout.session", id: session } } },
			},
		});
	});

	test("none that was deleted with its session", async () => {
		received = [];
		await deliverSandboxEvent({ db: scene.db, signer: scene.signer, now, environment }, "evt_test_unknown");
		expect(received).toEqual([]);
	});

	test("none for a refused refund", async () => {
		await scene.provider.refund({ paymentId: "pi_test_unknown", amount: cents(1), key: "refund-2", reference: "reference-2" });
		expect(await deliverEvents()).toEqual([]);
	});

	test("again, when the shop does not answer with a success", async () => {
		await scene.pay(await openSession());
		answer = 500;
		await expect(deliverEvents()).rejects.toThrow("the webhook answered 500");
		answer = 200;
		expect(await deliverEvents()).toHaveLength(1);
	});
});

test.each([
	["0.0.0.0", "http://127.0.0.1:3000"],
	["::", "http://127.0.0.1:3000"],
	["192.0.2.1", "http://192.0.2.1:3000"],
	["::1", "http://[::1]:3000"],
])("a shop that listens on %s is reached at %s", (host, url) => {
	expect(getLocalUrl({ host, port: 3000 })).toBe(url);
});
