import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordReading } from "../../test/publish-notice.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { switchBulletinOn } from "../../test/watch.ts";

// R205: no page promises the watch of extracts or alerts about companies while the bulletin is not read.

/** What a promise of the watch or of alerts looks like, in a text with ordinary spaces. */
const promises =
	/nous vous (prévenons|signalons)[^.]*annonce|nous vous prévenons aussi si|nous surveillons|surveillance de 90 jours|surveillance du bulletin|un e-mail (gratuit )?quand une annonce|e-mail gratuit, sans compte, quand|être prévenu des annonces/i;

/** They say on which condition, and what is stored: the same text for all orders. */
const conditional = ["/cgv", "/politique-confidentialite"];

let now = new Date("2026-11-27T09:00:00Z");
const open = async () => {
	const shop = await createTestShop({ now: () => now });
	const placed = await shop.completeOrder();
	return { shop, placed };
};
let shop: TestShop;
let placed: Awaited<ReturnType<TestShop["completeOrder"]>>;
let paths: string[];
beforeAll(async () => {
	({ shop, placed } = await open());
	const sitemap = await (await shop.ask("/sitemap-pages.xml")).text();
	paths = [...sitemap.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, path = ""]) => path || "/");
});
afterAll(() => shop?.close());

/** All that a page says, with its description and data for search engines. */
async function read(path: string, init?: RequestInit): Promise<string> {
	const html = await (await shop.ask(path, init)).text();
	return html
		.replace(/<!-- -->/g, "")
		.replace(/<(?!meta|script)[^>]+>/g, "")
		.replace(/&(nbsp|#160);/g, " ")
		.replace(/[\s\u00a0\u202f]+/g, " ");
}

async function readTracking(): Promise<string> {
	const found = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: placed.number });
	return read(`/suivi/${placed.number}`, { headers: { cookie: found.headers.get("set-cookie")?.split(";")[0] ?? "" } });
}

const company = "/entreprise/552032534";
const orderPages = async () => [await readTracking(), await read(`/confirmation/${placed.sessionId}`)];

test("the list of pages is the sitemap's", () => {
	expect(paths.length).toBeGreaterThan(25);
	expect(paths).toEqual(expect.arrayContaining(["/tarifs", "/faq", "/services/kbis-express", "/alertes", "/cgv"]));
});

describe.each<[string, () => Promise<unknown>]>([
	["never read", async () => undefined],
	[
		"read eight days ago",
		async () => {
			await switchBulletinOn(shop.shop);
			await recordReading(shop.shop.db, now, { from: "2026-11-01", to: "2026-11-19" });
		},
	],
])("while the bulletin is %s", (_what, prepare) => {
	beforeAll(prepare);

	test("no public page promises anything", async () => {
		for (const path of [...paths, company, `${company}/alerte`]) {
			if (conditional.includes(path)) continue;
			expect(promises.exec(await read(path))?.[0], path).toBeUndefined();
		}
	});

	test("the pages of alerts say it, and nobody can follow", async () => {
		for (const path of ["/alertes", `${company}/alerte`]) expect(await read(path)).toContain("Pas d’alerte en ce moment");
		expect(await read(company)).not.toContain("Suivre cette entreprise");
		const asked = await shop.postForm(`${company}/alerte`, { email: "ada@example.fr", frequency: "at-once", topic: "changes" });
		expect(asked.status).toBe(409);
		expect(await shop.shop.db.selectFrom("company_alerts").selectAll().execute()).toEqual([]);
	});

	test("the pages of an order say it", async () => {
		for (const text of await orderPages()) {
			expect(text).not.toMatch(promises);
			expect(text).not.toContain("a pu nous échapper");
		}
	});
});

describe("while the bulletin is read", () => {
	beforeAll(async () => {
		now = new Date("2026-11-27T12:00:00Z");
		await switchBulletinOn(shop.shop);
		await recordReading(shop.shop.db, now, { from: "2026-11-01", to: "2026-11-26" });
		// pages from before are in memory for a minute
		await shop.close();
		({ shop, placed } = await open());
		await switchBulletinOn(shop.shop);
		await recordReading(shop.shop.db, now, { from: "2026-11-01", to: "2026-11-26" });
	});

	test.each(["/tarifs", "/faq", "/support", "/services/kbis-standard", "/services/kbis-express", "/services/kbis-postal", "/alertes"])(
		"%s promises",
		async (path) => {
			expect(await read(path)).toMatch(promises);
			expect(await read(path)).not.toMatch(/\{[?/]/);
		},
	);

	test("a company can be followed", async () => {
		expect(await read(company)).toContain("Suivre cette entreprise");
		expect(await read(`${company}/alerte`)).toContain("Recevoir ces alertes");
	});

	test("on the day of its extract an order is told until when, and nothing of gaps", async () => {
		for (const text of await orderPages()) {
			expect(text).toContain("Nous surveillons le BODACC jusqu’au 25 février 2027");
			expect(text).not.toMatch(/a pu nous échapper|prochain relevé|Rien n’a été publié/);
		}
	});
});
