import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
	await shop.completeOrder({ customer: { email: "ada@example.fr" } });
});
afterAll(() => shop?.close());

test("e-mails are shown to local requests only, not through a proxy", async () => {
	const read = async (headers: Record<string, string> = {}) => (await shop.ask("/test", { headers })).text();
	expect(await read()).toContain("ada@example.fr");
	for (const forwarded of ["203.0.113.5", "127.0.0.1", ""])
		expect(await read({ "x-forwarded-for": forwarded }), forwarded).not.toContain("ada@");
});

test("they are shown only in a local demo that writes its e-mails to a folder", async () => {
	const { environment } = shop.shop;
	const read = async (change: Partial<typeof environment>) => {
		const before = { ...environment };
		Object.assign(environment, change);
		try {
			const answer = await shop.ask("/test");
			return [answer.status, (await answer.text()).includes("ada@example.fr")];
		} finally {
			Object.assign(environment, before);
		}
	};
	for (const host of ["127.0.0.1", "127.0.0.2", "localhost", "::1"]) expect(await read({ host }), host).toEqual([200, true]);
	for (const host of ["0.0.0.0", "::", "192.0.2.1", "127.example.fr", "localhost.example.fr"])
		expect(await read({ host }), host).toEqual([200, false]);
	expect(await read({ smtpUrl: "smtp://127.0.0.1:9" })).toEqual([200, false]);
	expect(await read({ production: true })).toEqual([404, false]);
});

test("they and the desk's button need the name of this machine, so that no other site reads them by its own", async () => {
	const ask = (host: string, method: string) =>
		new Promise<{ status: number | undefined; page: string; cookies: string[] }>((resolve, reject) => {
			const sent = request(new URL("/test", shop.url), { method, headers: { host, "content-type": form } }, async (answer) => {
				const page = (await answer.toArray()).join("");
				resolve({ status: answer.statusCode, page, cookies: answer.headers["set-cookie"] ?? [] });
			});
			sent.on("error", reject).end(method === "POST" ? "do=open-desk" : "");
		});
	const form = "application/x-www-form-urlencoded";
	const { port } = new URL(shop.url);
	for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, "localhost", `[::1]:${port}`, "127.0.0.1"]) {
		expect((await ask(host, "GET")).page, host).toContain("ada@example.fr");
		expect((await ask(host, "POST")).status, host).toBe(302);
	}
	const foreign = [
		"evil.example",
		`evil.example:${port}`,
		"localhost.evil.example",
		"127.0.0.1.evil.example",
		"evil.localhost",
		"localhost.",
	];
	for (const host of [...foreign, "0.0.0.0", "127.1", "2130706433", "[::ffff:127.0.0.1]", "localhost@evil.example"]) {
		const [page, opened] = [await ask(host, "GET"), await ask(host, "POST")];
		expect([page.page.includes("ada@example.fr"), page.page.includes("Ouvrir le bureau")], host).toEqual([false, false]);
		expect([opened.status === 404 || opened.status === 400, opened.cookies], host).toEqual([true, []]);
	}
});

test("the sandbox's page exists only when the sandbox is the payment provider, regardless of stored sessions", async () => {
	const { payUrl, id } = await shop.placeOrder();
	const { provider } = shop.shop;
	Object.assign(shop.shop, { provider: { ...provider, simulated: false } });
	try {
		expect((await shop.ask(payUrl)).status).toBe(404);
		expect((await shop.payByCard(payUrl)).status).toBe(404);
	} finally {
		Object.assign(shop.shop, { provider });
	}
	expect((await shop.orderRow(id)).status).toBe("pending");
	expect((await shop.ask(payUrl)).status).toBe(200);
});

test("the desk opens for local requests of a demo only, with every role", async () => {
	const open = (headers: Record<string, string> = {}) => shop.postForm("/test", { do: "open-desk" }, headers);
	expect((await open({ "x-forwarded-for": "203.0.113.5" })).status).toBe(404);
	const { environment } = shop.shop;
	Object.assign(environment, { production: true });
	expect((await open()).status).toBe(404);
	Object.assign(environment, { production: false });
	const answer = await open();
	expect(answer.headers.get("location")).toBe("/bureau/commandes");
	const cookie = answer.headers
		.getSetCookie()
		.map((each) => each.split(";")[0])
		.join("; ");
	expect((await shop.ask("/bureau/equipe", { headers: { cookie } })).status).toBe(200);
});

test("served by hand, an order waits for the desk, also after the switch is off again", async () => {
	await shop.postForm("/test", { "by-hand": "on" });
	expect(await (await shop.ask("/test")).text()).toContain("Émettre de nouveau des spécimens");
	const { id, payUrl } = await shop.placeOrder();
	await shop.payByCard(payUrl);
	await shop.untilOrderIs("processing", id);
	await shop.postForm("/test", { "by-hand": "off" });
	const { extract } = await shop.shop.db
		.selectFrom("extract_requests")
		.select(({ fn }) => fn.countAll<string>().as("extract"))
		.where("order_id", "=", id)
		.executeTakeFirstOrThrow();
	expect(Number(extract)).toBe(1);
	await shop.completeOrder();
	expect((await shop.orderRow(id)).status).toBe("processing");
});
