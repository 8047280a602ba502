import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertOrder, type OrderValues } from "../../../test/orders.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { erasePerson } from "../../desk/retention/erase-person.server.ts";
import { createStatisticsReader } from "./read-statistics.server.ts";

const now = () => new Date("2026-11-26T10:00:00Z");

/** Inserts orders paid on a day of October that were delivered after 72 minutes. */
async function insertOrders({ shop: { db } }: TestShop, count: number, values: OrderValues = {}): Promise<void> {
	const paid_at = new Date("2026-10-06T08:00:00Z");
	const at = (minutes: number) => new Date(paid_at.getTime() + minutes * 60_000);
	const delivered = { status: "completed", paid_at, promised_at: at(120), completed_at: at(72) } as const;
	for (let i = 0; i < count; i++) await insertOrder(db, { created_at: paid_at, ...delivered, ...values });
}

async function readText(shop: TestShop, path: string): Promise<string> {
	const html = await (await shop.ask(path)).text();
	return (
		html
			.replaceAll(/<!-- -->/g, "")
			.replaceAll(/<[^>]+>/g, " ")
			.replaceAll("\u00a0", " ")
			.replaceAll(/\s+/g, " ")
			.replaceAll(/ ([.,)])/g, "$1")
			// a port of the test may have the digits of a figure
			.replaceAll(new URL(shop.url).host, "host")
	);
}

async function readFile(shop: TestShop): Promise<Record<string, string>[]> {
	return parse(await (await shop.ask("/statistiques.csv")).text(), { columns: true });
}

const october = (rows: Record<string, string>[], service: string) =>
	rows.find((row) => row.mois === "2026-10" && row.service === service) ?? {};

describe("with nineteen deliveries in a month", () => {
	let shop: TestShop;
	beforeAll(async () => {
		shop = await createTestShop({ now });
		await insertOrders(shop, 19);
	});
	afterAll(() => shop?.close());

	test("the page says when there will be figures", async () => {
		const text = await readText(shop, "/statistiques");
		expect(text).toContain("Les premiers chiffres seront publiés quand 20 commandes auront été livrées au cours d’un même mois.");
		expect(text).not.toContain("19");
	});

	test("the file hides every count", async () => {
		const rows = await readFile(shop);
		expect(rows).toHaveLength(13 * 4);
		for (const { livrees, a_l_heure, part_a_l_heure_pct, delai_median, remboursees_retard = "" } of rows) {
			expect([livrees, a_l_heure, part_a_l_heure_pct, delai_median ?? ""]).toEqual(["moins de 20", "moins de 20", "", ""]);
			expect(["", "moins de 20"]).toContain(remboursees_retard);
		}
	});

	test("the home page quotes nothing", async () => {
		const text = await readText(shop, "/");
		expect(text).toContain("Compris dans le prix");
		expect(text).not.toMatch(/livrés à l’heure|octobre 2026/);
	});
});

describe("with a finished month whose share is hidden", () => {
	let shop: TestShop;
	beforeAll(async () => {
		shop = await createTestShop({ now });
		await insertOrders(shop, 15);
		await insertOrders(shop, 85, { late_at: new Date("2026-10-06T10:00:00Z") });
	});
	afterAll(() => shop?.close());

	test("the page says that a number is too small, not that there were too few orders", async () => {
		const text = await readText(shop, "/statistiques");
		expect(text).toContain(
			"La part à l’heure du dernier mois terminé n’est pas publiée : un des nombres dont elle dépend est inférieur à 20.",
		);
		expect(text).toContain("octobre 2026 : 100 commandes livrées.");
		expect(text).not.toMatch(/trop peu|ont été livrés à l’heure/);
	});

	test("the home page quotes no other month", async () => {
		expect(await readText(shop, "/")).not.toMatch(/livrés à l’heure|octobre 2026/);
	});
});

describe("with figures", () => {
	let shop: TestShop;
	beforeAll(async () => {
		shop = await createTestShop({ now });
		await insertOrders(shop, 59);
		await insertOrders(shop, 1, { late_at: new Date("2026-10-06T10:00:00Z") });
		await insertOrders(shop, 20, { product_code: "standard" });
		await insertOrders(shop, 19, { product_code: "postal" });
	});
	afterAll(() => shop?.close());

	test("the page has them, in French, without a script", async () => {
		const answer = await shop.ask("/statistiques");
		const html = await answer.text();
		expect(answer.headers.get("content-security-policy")).toContain("script-src 'none'");
		expect(html).not.toMatch(/<script(?! type="application\/ld\+json")/);
		const text = await readText(shop, "/statistiques");
		expect(text).toContain(
			"98,7 % des extraits commandés en octobre 2026 ont été livrés à l’heure (80 commandes livrées, KBIS Standard et KBIS Express).",
		);
		expect(text).toContain("octobre 2026 : 60 commandes livrées, 98,3 % à l’heure.");
		expect(text).toContain("La moitié est partie en 1 h 12 ou moins, et 95 % en 1 h 12 ou moins, pour 2 h promis.");
		expect(text).toContain("Aucun mois n’a assez de commandes livrées pour ce service : moins de 20.");
		expect(text).not.toMatch(/\b(19|99)\b(?! 00)/);
		expect(html).not.toMatch(/[^\s] [:;?!€%»]|« /);
	});

	test("the file has the same figures (RFC 4180), and as little of the nineteen letters", async () => {
		const answer = await shop.ask("/statistiques.csv");
		expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
		expect(answer.headers.get("content-disposition")).toContain("statistiques.csv");
		const bytes = new Uint8Array(await answer.arrayBuffer());
		const text = new TextDecoder().decode(bytes);
		expect(text).toMatch(/^mois,etat,service,/);
		// nothing that a spreadsheet would compute, and only line ends of the RFC
		expect(
			text
				.split("\r\n")
				.flatMap((line) => line.split(","))
				.filter((cell) => /^[=+\-@\t]/.test(cell)),
		).toEqual([]);
		expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
		expect(bytes.every((byte) => byte < 128)).toBe(true);
		const rows = await readFile(shop);
		expect(october(rows, "express")).toMatchObject({
			...{ etat: "termine", livrees: "60", a_l_heure: "59", part_a_l_heure_pct: "98.3", unite_delai: "minutes_ouvrees" },
			...{ delai_promis: "120", delai_median: "72", delai_95_pct: "72", remboursees_retard: "moins de 20" },
		});
		expect(october(rows, "postal")).toMatchObject({
			livrees: "moins de 20",
			delai_promis: "2",
			delai_median: "",
			unite_delai: "jours_ouvres",
		});
		expect(october(rows, "ensemble")).toMatchObject({ livrees: "80", a_l_heure: "79", services_comptes: "standard express" });
		expect(rows.at(-1)).toMatchObject({ mois: "2026-11", etat: "en cours" });
	});

	test("the home page quotes the month with a link", async () => {
		const html = await (await shop.ask("/")).text();
		expect(await readText(shop, "/")).toContain(
			"98,7 % des extraits commandés en octobre 2026 ont été livrés à l’heure (80 commandes livrées, KBIS Standard et KBIS Express). Nos délais, mois par mois",
		);
		expect(html).toContain('href="/statistiques"');
	});

	test("the menus, the sitemap and the pages on delays and on the service lead to it", async () => {
		for (const path of ["/contact", "/sitemap-pages.xml", "/status-systeme", "/aide", "/services/kbis-express"])
			expect(await (await shop.ask(path)).text(), path).toContain("/statistiques");
	});

	test("a month stays as it is when a customer is erased", async () => {
		await insertOrders(shop, 19, { product_code: "postal", paid_at: now(), completed_at: now(), promised_at: now() });
		await shop.completeOrder({ service: "express", customer: { email: "grace@example.fr" } });
		await shop.shop.db.updateTable("orders").set({ product_code: "postal" }).where("customer_email", "=", "grace@example.fr").execute();
		const count = async () => (await createStatisticsReader(shop.shop).read()).months.at(-1)?.services.postal;
		expect(await count()).toMatchObject({ delivered: 20, kept: 20 });
		const before = await count();
		expect((await erasePerson(shop.shop, "grace@example.fr")).orders.erased).toHaveLength(1);
		expect(await count()).toEqual(before);
	});
});
