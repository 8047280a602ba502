import { join } from "node:path";
import { expect } from "@playwright/test";
import { colourRules, findViolations } from "./accessibility.ts";
import { measureWeight } from "./measure-weight.ts";
import { type SeparateShop, startSeparateShop } from "./separate-shop.ts";
import { openDatabase } from "./shared-shop.ts";
import { test } from "./test.ts";

// The published figures of a shop that has a year of orders. The page of a new shop is one of page-states.ts.

let shop: SeparateShop;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({});
	await insertYear();
});
test.afterAll(() => shop?.stop());

/**
 * Inserts orders of the last thirteen months, on working days at ten: each month more of them, few letters in most months, some of them
 * late and refunded, and the probes of the last weeks.
 */
async function insertYear(): Promise<void> {
	const client = await openDatabase(shop);
	await client.query(`
		create temporary table drawn as
			select gen_random_uuid() as id, code, month, i, (month + (i * 7 % 20) * interval '1 day' + interval '10 hours') at time zone 'Europe/Paris' as paid
			from generate_series(date_trunc('month', now() at time zone 'Europe/Paris') - interval '12 months', now() at time zone 'Europe/Paris', '1 month') with ordinality as months (month, n),
				(values ('express', 30), ('standard', 12), ('postal', 2)) as sold (code, share),
				generate_series(1, (share * (n + 1))::integer) as i;
		delete from drawn where paid > now() - interval '4 days';
		insert into orders (id, purchase_id, order_number, status, product_code, price_cents, siren, company_name, customer_email, first_name, last_name, request_hash, created_at, paid_at, promised_at, completed_at, late_at)
			select id, id, left(id::text, 18), 'completed', code, 5900, '552032534', 'DANONE', id || '@example.fr', 'Ada', 'Lovelace', '', paid, paid,
				paid + interval '2 hours', paid + (25 + i * 13 % 80 + case when i % 41 = 0 then 45 else 0 end) * interval '1 minute' * case code when 'standard' then 2 when 'postal' then 24 else 1 end,
				case when i % 41 = 0 then paid + interval '2 hours' end
			from drawn;
		insert into payments (id, order_id, session_id, amount_cents, currency, role, created_at) select 'pi_' || id, id, 'cs_' || id, 5900, 'eur', 'order', paid from drawn where i % 9 = 0;
		insert into refunds (id, order_id, payment_id, amount_cents, reason, status, requested_at, settled_at)
			select gen_random_uuid(), id, 'pi_' || id, 5900, case when i % 2 = 0 then 'late' else 'withdrawal' end, 'succeeded', paid, paid from drawn where i % 9 = 0;
		truncate probes, probe_days;
		insert into probes select part, at, true, 1, false from unnest('{database,search,payment,jobs,storage,mail}'::text[]) as part,
			generate_series(date_trunc('hour', now()) - interval '60 days', date_trunc('hour', now()), '5 minutes') as at;
		insert into probe_days select part, (at at time zone 'Europe/Paris')::date, count(*) - 1, (part = 'search')::integer from probes group by 1, 2`);
	await client.end();
}

const folder = process.env.SCREENSHOTS;

test("the page reads well on phones and wide screens, in light and dark, with every table open", async ({ page }) => {
	const errors: string[] = [];
	page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
	await page.goto(`${shop.url}/statistiques`);
	await expect(page.getByText(/des extraits commandés en .+ ont été livrés à l’heure/)).toBeVisible();
	await expect(page.getByRole("img", { name: /Part des commandes livrées à l’heure/ })).toBeVisible();
	for (const summary of await page.locator("main summary").all()) await summary.click();
	await expect(page.getByRole("table", { name: "KBIS Express" }).getByRole("row")).toHaveCount(14);
	await expect(page.getByRole("table", { name: "Part des contrôles réussis" })).toContainText("99,6");
	for (const width of [1366, 390, 320]) {
		await page.setViewportSize({ width, height: 800 });
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
		for (const colorScheme of ["light", "dark"] as const) {
			await page.emulateMedia({ colorScheme });
			if (folder) await page.screenshot({ path: join(folder, `statistics-${width}-${colorScheme}.png`), fullPage: true });
			expect(await findViolations(page, colorScheme === "light" ? undefined : colourRules), `${width} px, ${colorScheme}`).toEqual([]);
		}
	}
	expect(errors).toEqual([]);
});

test("no hidden count is in the page: the letters of a month stay few", async ({ page }) => {
	await page.goto(`${shop.url}/statistiques`);
	await page.getByText("Les chiffres du KBIS Postal, mois par mois").click();
	await expect(page.getByRole("table", { name: "KBIS Postal" })).toContainText("moins de 20");
});

test("the page loads no JavaScript, and the home page quotes it", async ({ ownPage: page }) => {
	const { scripts, stylesAndFonts } = await measureWeight(page, `${shop.url}/statistiques`);
	expect(scripts).toBe(0);
	expect(stylesAndFonts).toBeLessThanOrEqual(30_000);
	await page.goto(shop.url);
	await page.getByRole("link", { name: "Nos délais, mois par mois" }).click();
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nos délais en chiffres");
});

test("the file opens by its link", async ({ page }) => {
	await page.goto(`${shop.url}/statistiques`);
	const download = page.waitForEvent("download");
	await page.getByRole("link", { name: "Télécharger (CSV)" }).click();
	expect((await download).suggestedFilename()).toBe("statistiques.csv");
});
