import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../../test/shop.ts";

const morning = new Date("2026-11-21T09:00:00Z");

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop({ variables: { BASE_URL: "https://www.example.fr", SHOP_EMAIL: "bonjour@example.fr" }, now: () => morning });
});
afterAll(() => shop?.close());

const read = async (of = shop) => {
	const answer = await of.ask("/.well-known/security.txt");
	expect(answer.status).toBe(200);
	expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
	const lines = (await answer.text()).split("\n");
	expect(lines.pop()).toBe(""); // each line ends
	return lines.map((line) => /^([A-Z][\w-]+): (\S.*)$/.exec(line)?.slice(1) ?? expect.fail(`« ${line} » is no field`));
};

test("says whom to tell about a vulnerability, in which language and by which rules", async () => {
	const fields = await read();
	expect(fields.filter(([name]) => name !== "Expires")).toEqual([
		["Contact", "mailto:bonjour@example.fr"],
		["Preferred-Languages", "fr"],
		["Canonical", "https://www.example.fr/.well-known/security.txt"],
		["Policy", "https://www.example.fr/securite#signaler"],
	]);
	const policy = await (await shop.ask("/securite")).text();
	expect(policy).toContain('id="signaler"');
	expect(policy).toContain('href="/.well-known/security.txt"');
});

test("it expires some months after the day of the request, in less than a year", async () => {
	const [, expires = ""] = (await read()).find(([name]) => name === "Expires") ?? [];
	expect(expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
	const days = (new Date(expires).getTime() - morning.getTime()) / 86_400_000;
	expect(days).toBeGreaterThan(90);
	expect(days).toBeLessThan(365);
});

test("without https it gives no URL, because the standard requires https", async () => {
	const demo = await createTestShop();
	try {
		expect((await read(demo)).map(([name]) => name)).toEqual(["Contact", "Expires", "Preferred-Languages"]);
	} finally {
		await demo.close();
	}
});
