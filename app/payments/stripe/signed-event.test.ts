import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readSignedEvent, signEvent, watchedEvents } from "./signed-event.server.ts";

const secret = "whsec_test";
const signedAt = new Date("2026-11-23T09:00:00Z");
const secondsLater = (seconds: number) => new Date(signedAt.getTime() + seconds * 1000);
const type = "refund.created";
const body = (object: object, about: string = type) => JSON.stringify({ id: "evt_1", object: "event", type: about, data: { object } });

describe("the subject of an event", () => {
	test.each([
		[{ object: "checkout.session", id: "cs_1", payment_intent: "pi_1" }, { session: "cs_1" }],
		[{ object: "charge", id: "ch_1", payment_intent: "pi_1" }, { payment: "pi_1" }],
		[{ object: "refund", id: "re_1", payment_intent: "pi_1" }, { payment: "pi_1" }],
		[{ object: "dispute", id: "du_1", payment_intent: { id: "pi_1" } }, { payment: "pi_1" }],
		[{ object: "refund", id: "re_1", payment_intent: null }, null],
		[{ object: "checkout.session" }, null],
		[{ object: "checkout.session", id: { id: "cs_1" } }, null],
		[{ object: "checkout.session", id: 7 }, null],
		[{ object: "checkout.session", id: ["cs_1"] }, null],
		[{ object: "checkout.session", id: "" }, null],
		[{ object: "checkout.session", id: "cs_1\0" }, null],
		[{ object: "checkout.session", id: "../refunds" }, null],
		[{ object: "checkout.session", id: "c".repeat(255) }, { session: "c".repeat(255) }],
		[{ object: "checkout.session", id: "c".repeat(256) }, null],
		[{ object: { object: "checkout.session" }, id: "cs_1" }, null],
		[{ object: "charge", payment_intent: 7 }, null],
		[{ object: "charge", payment_intent: { id: 7 } }, null],
		[{ object: "charge", payment_intent: { id: "pi 1" } }, null],
		[{ object: "customer", id: "cus_1" }, null],
		[{ object: "invoice", id: "in_1", payment_intent: "pi_1" }, null],
		[{}, null],
	])("%j", (object, subject) => {
		const eventBody = body(object);
		const event = readSignedEvent(eventBody, signEvent(eventBody, secret, signedAt), secret, signedAt);
		expect(event).toEqual({ ok: true, event: subject && { id: "evt_1", type, subject } });
	});

	test("is of no use in an event that is not watched", () => {
		for (const about of ["checkout.session", "charge.succeeded", "charge.dispute.funds_withdrawn", "constructor", ""]) {
			const eventBody = body({ object: "refund", id: "re_1", payment_intent: "pi_1" }, about);
			const event = readSignedEvent(eventBody, signEvent(eventBody, secret, signedAt), secret, signedAt);
			expect(event, about).toEqual({ ok: true, event: null });
		}
	});
});

test("the guide to deployment asks Stripe for each watched event", () => {
	const guide = readFileSync("docs/deployment.md", "utf8");
	for (const event of watchedEvents) expect(guide).toContain(`\`${event}\``);
});

describe("an event is accepted", () => {
	const eventBody = body({ object: "checkout.session", id: "cs_1" });
	const signature = signEvent(eventBody, secret, signedAt);
	const read = (change: { body?: string; signature?: string | undefined; now?: Date }) => {
		const input = { body: eventBody, signature, now: signedAt, ...change };
		return readSignedEvent(input.body, input.signature, secret, input.now).ok;
	};

	test("until five minutes after its signature", () => {
		expect(read({})).toBe(true);
		expect(read({ now: secondsLater(300) })).toBe(true);
		expect(read({ now: secondsLater(301) })).toBe(false);
	});

	test("from a clock that is up to five minutes ahead of ours", () => {
		expect(read({ now: secondsLater(-300) })).toBe(true);
		expect(read({ now: secondsLater(-301) })).toBe(false);
		const [time, own] = signature.split(",");
		for (const spelled of [`t=1,${time},${own}`, `${time}x,${own}`])
			expect(read({ signature: spelled, now: secondsLater(-301) })).toBe(false);
	});

	test.each([
		["without a signature", { signature: undefined }],
		["with an empty signature", { signature: "" }],
		["with a malformed signature", { signature: "t=1,v1=abc" }],
		["with a signature by another secret", { signature: signEvent(eventBody, "whsec_other", signedAt) }],
		["with the signature of another body", { body: eventBody.replace("cs_1", "cs_2") }],
		["with the signature of an equal body in another spelling", { body: `${eventBody} ` }],
	])("never %s", (_how, change) => {
		expect(read(change)).toBe(false);
	});

	test("with the second of its signature, rounded down", () => {
		expect(signEvent(eventBody, secret, new Date(signedAt.getTime() + 600))).toBe(signature);
	});

	test("never from a signed body that is no event", () => {
		for (const nonsense of ["", "{", "null", "[]", '"event"'])
			expect(readSignedEvent(nonsense, signEvent(nonsense, secret, signedAt), secret, signedAt)).toEqual({ ok: false, code: "unsigned" });
	});

	test("with two signatures, while the secret is being replaced", () => {
		const [time, own] = signature.split(",");
		const [, other] = signEvent(eventBody, "whsec_other", signedAt).split(",");
		expect(read({ signature: [time, other, own].join(",") })).toBe(true);
	});
});
