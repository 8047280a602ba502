import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";

let shop: TestShop;
let lines: string[] = [];
beforeAll(async () => {
	shop = await createTestShop({ variables: { LOG_LEVEL: "warn", TRUSTED_PROXIES: "1" }, onLog: (line) => lines.push(line) });
});
beforeEach(() => {
	lines = [];
});
afterAll(() => shop?.close());

const events = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "security");

test.each<[string, string, RequestInit, object]>([
	["a cross-site form", "/contact", { method: "POST", headers: { origin: "https://evil.example" } }, { kind: "refused", status: 403 }],
	["a payment event without a signature", "/api/stripe/webhook", { method: "POST", body: "{}" }, { kind: "signature", status: 400 }],
	["a forged link", "/documents/abc.def", {}, { kind: "refused", status: 403, route: "/documents/:token" }],
])("%s is a security event", async (_, path, init, expected) => {
	await shop.ask(path, init);
	expect(events()).toMatchObject([{ event: "security", level: 40, route: path, ...expected }]);
	expect(lines.join()).not.toContain("abc.def");
});

test("each limited request is a security event without personal data", async () => {
	const from = { "x-forwarded-for": "203.0.113.9" };
	const answers = await Promise.all(
		Array.from({ length: 30 }, (_, i) => shop.postForm("/lettre-information", { email: `foule${i}@example.fr` }, from)),
	);
	const refused = answers.filter(({ status }) => status === 429).length;
	expect(refused).toBe(10);
	expect(events()).toHaveLength(refused);
	expect(events()[0]).toMatchObject({ kind: "limited", route: "/lettre-information", method: "POST", status: 429 });
	expect(lines.join()).not.toMatch(/203\.0\.113|foule|example/);
});

test("invalid requests are no security events", async () => {
	for (const path of ["/nulle-part", "/api/entreprises/abc", "/api/%E0%A4%A"]) await shop.ask(path);
	await shop.postJson("/api/suivi", {});
	expect(events()).toEqual([]);
});
