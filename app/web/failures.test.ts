import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../server/database/database.ts";
import { createLog } from "../../server/observability/log.ts";
import { freePort } from "../../test/free-port.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";

// What is answered while the database does not answer, and after a fault of the shop.

let shop: TestShop;
let restore: () => Promise<void>;
beforeAll(async () => {
	shop = await createTestShop({ variables: { LOG_LEVEL: "silent" } });
	const { db, readDb } = shop.shop;
	const away = openDatabase({ host: "127.0.0.1", port: await freePort() }, createLog("silent"));
	Object.assign(shop.shop, { db: away.db, readDb: away.db });
	restore = async () => {
		Object.assign(shop.shop, { db, readDb });
		await away.db.destroy();
	};
});
afterAll(async () => {
	await restore?.();
	await shop?.close();
});

const sentence = "Notre base de données ne répond pas pour le moment. Réessayez dans un instant.";

test.each([
	["/recherche?q=danone", "text/html"],
	["/api/entreprises?q=danone", "application/json"],
	["/entreprise/552032534", "text/html"],
	["/confirmation/cs.data.x", "text/html"],
])("%s is refused for now, in %s", async (path, type) => {
	const answer = await shop.ask(path);
	expect([answer.status, answer.headers.get("retry-after"), answer.headers.get("content-type")]).toEqual([
		503,
		"5",
		expect.stringContaining(type),
	]);
	expect(await answer.text()).toContain(sentence);
});

test("the data of a page keeps the framework's own body", async () => {
	const answer = await shop.ask("/recherche.data?q=danone");
	expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
	expect(answer.headers.get("content-type")).not.toContain("html");
	expect(await answer.text()).not.toContain("<html");
});

test("what needs no database is answered, and an address that does not exist is none", async () => {
	for (const [path, status] of [
		["/cgv", 200],
		["/healthz", 200],
		["/nulle-part", 404],
	] as const)
		expect([path, (await shop.ask(path)).status]).toEqual([path, status]);
});

test("after a fault of the shop, programs get JSON and people a page", async () => {
	const { readDb } = shop.shop;
	Object.assign(shop.shop, { readDb: {} });
	try {
		const fault = "Une erreur est survenue de notre côté. Réessayez dans un instant.";
		const ofApi = await shop.ask("/api/entreprises?q=danone");
		expect([ofApi.status, ofApi.headers.get("retry-after"), await ofApi.json()]).toEqual([500, null, { error: fault }]);
		const page = await shop.ask("/recherche?q=danone");
		expect([page.status, page.headers.get("content-type")]).toEqual([500, expect.stringContaining("text/html")]);
	} finally {
		Object.assign(shop.shop, { readDb });
	}
});
