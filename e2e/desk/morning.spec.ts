import { expect, test } from "@playwright/test";
import { startPostgres } from "../../server/database/embedded-postgres.ts";
import { knownCompanies } from "../../test/known-companies.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { openDatabase } from "../shared-shop.ts";
import { openDesk, placeOrders, serveOrders } from "./morning.ts";

/** How many orders wait when the morning begins; DESK_ORDERS=120 plays a whole one. */
const orders = Number(process.env.DESK_ORDERS ?? 12);

test("two operators serve a morning side by side, one at a desk and one on a phone", async ({ browser }) => {
	test.setTimeout(scaledTimeout(120_000 + orders * 10_000));
	const shop = await startSeparateShop({ ISSUER: "manual", OPENING_HOURS: "Mo-Su 00:00-24:00" });
	const database = await openDatabase(shop.folder);
	try {
		const { connection } = await startPostgres(shop.folder);
		await placeOrders(shop.url, (await knownCompanies(connection)).slice(0, 40), orders);
		const count = async (where: string) => Number((await database.query(`select count(*) from orders where ${where}`)).rows[0].count);
		await expect.poll(() => count("status = 'processing'"), { timeout: scaledTimeout(30_000) }).toBe(orders);

		const desk = await openDesk(browser, shop.url, { viewport: { width: 1440, height: 900 } });
		const phone = await openDesk(browser, shop.url, { viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true });
		const sittings = await Promise.all([
			serveOrders(desk, database, { tap: false, until: orders }),
			serveOrders(phone, database, { tap: true, until: orders }),
		]);
		expect(sittings[0].served + sittings[1].served).toBe(orders);
		expect(Math.min(...sittings.map(({ served }) => served))).toBeGreaterThan(0);
		for (const { served, keys } of sittings) expect(keys).toBeLessThanOrEqual(3 * served + 1);

		// thirty seconds after the last « Livrer », everything by e-mail is delivered, once
		await expect.poll(() => count("status <> 'completed' and product_code <> 'postal'"), { timeout: scaledTimeout(90_000) }).toBe(0);
		const { rows } = await database.query("select order_id from documents where doc_type = 'kbis' group by order_id having count(*) > 1");
		expect(rows).toEqual([]);
		const sent = await database.query("select order_id from mails where kind = 'document-ready' group by order_id having count(*) > 1");
		expect(sent.rows).toEqual([]);
	} finally {
		await database.end();
		await shop.stop();
	}
});
