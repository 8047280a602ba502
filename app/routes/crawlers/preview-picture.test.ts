import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CompanyFixture, insertCompanies } from "../../../test/fixtures/companies.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { previewPictures } from "../../ui/preview-picture.server.tsx";

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
});
afterAll(() => shop?.close());

/** Width and height, as a PNG says them in its first chunk. */
const readSize = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];
const pictureIn = (html: string) => new URL(/<meta property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? "").pathname;

test("each page of the sitemap has an existing preview picture, and its own one if it has its own title", {
	timeout: scaledTimeout(120_000),
}, async () => {
	const map = await (await shop.ask("/sitemap-pages.xml")).text();
	const paths = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => new URL(address).pathname);
	expect(paths).toContain("/tarifs");
	const shown = new Map<string, string>();
	for (const path of paths) {
		const picture = pictureIn(await (await shop.ask(path)).text());
		const answer = await shop.ask(picture);
		expect({ path, status: answer.status, type: answer.headers.get("content-type") }).toEqual({ path, status: 200, type: "image/png" });
		const png = Buffer.from(await answer.arrayBuffer());
		expect(readSize(png)).toEqual([1200, 630]);
		if (picture !== "/apercu.png") expect(shown.get(png.toString("base64")), path).toBeUndefined();
		shown.set(png.toString("base64"), path);
	}
	expect(shown.size).toBeGreaterThan(10);
});

test("a title is drawn once for many requests", () => {
	const { drawPage } = previewPictures();
	expect(drawPage("Nos tarifs")).toBe(drawPage("Nos tarifs"));
	expect(drawPage("Nos tarifs").equals(drawPage("Aide"))).toBe(false);
});

test("a page that does not exist has no picture", async () => {
	for (const path of ["/apercu/nulle-part.png", "/apercu/entreprise/55203253.png", "/apercu/tarifs"])
		expect((await shop.ask(path)).status, path).toBe(404);
});

test("a picture is cached publicly for an hour, and sent again only after a change", async () => {
	const first = await shop.ask("/apercu/tarifs.png?x=1");
	const etag = first.headers.get("etag") ?? "";
	expect([etag, first.headers.get("cache-control")]).toEqual([
		expect.stringMatching(/^"[\w-]{22}"$/),
		"public, max-age=3600, s-maxage=3600",
	]);
	await (await shop.ask("/apercu/tarifs.png")).arrayBuffer(); // from now on it is in memory
	const known = await shop.ask("/apercu/tarifs.png", { headers: { "if-none-match": etag } });
	expect([known.status, await known.text()]).toEqual([304, ""]);
	expect((await shop.ask("/apercu/aide.png")).headers.get("etag")).not.toBe(etag);
});

describe("the picture of a company", () => {
	const named = "900000301";
	const units: CompanyFixture[] = [
		{ id: 1_000_301, siren: named, name: "ÉTABLISSEMENTS DUPONT & FILS" },
		{ id: 1_000_302, siren: "900000302", name: "MADAME X", legal_category: "1000" },
		{ id: 1_000_303, siren: "900000303", name: "ASSOCIATION X", legal_category: "9220" },
		{ id: 1_000_304, siren: "900000304", name: "MASQUÉE", masked: true },
		{ id: 1_000_305, siren: "900000305", name: "CESSÉE", status: "ceased" },
		{ id: 1_000_306, siren: "900000306", name: "RADIÉE", status: "removed" },
		{ id: 1_000_307, siren: "900000307", name: null },
	];
	beforeAll(() => insertCompanies(shop.shop.db, units));

	test("is named by its page, has the size of the others, and is cached like them", async () => {
		const page = await (await shop.ask(`/entreprise/${named}`)).text();
		expect(pictureIn(page)).toBe(`/apercu/entreprise/${named}.png`);
		const answer = await shop.ask(pictureIn(page));
		expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
			200,
			"image/png",
			"public, max-age=3600, s-maxage=3600",
		]);
		expect(readSize(Buffer.from(await answer.arrayBuffer()))).toEqual([1200, 630]);
		const known = await shop.ask(pictureIn(page), { headers: { "if-none-match": answer.headers.get("etag") ?? "" } });
		expect(known.status).toBe(304);
		expect((await shop.ask("/apercu/entreprise/552032534.png")).headers.get("etag")).not.toBe(answer.headers.get("etag"));
	});

	test.each(units.slice(1))("is the general one for $name", async ({ siren }) => {
		expect(pictureIn(await (await shop.ask(`/entreprise/${siren}`)).text())).toBe("/apercu.png");
		expect((await shop.ask(`/apercu/entreprise/${siren}.png`)).status).toBe(404);
	});

	test.each(["900000399", "000000000", "55203253", "5520325340", "55203253a", "552%20032%20534", "552032534/x"])(
		"there is none of %s",
		async (siren) => {
			expect((await shop.ask(`/apercu/entreprise/${siren}.png`)).status).toBe(404);
		},
	);

	test("of many at once, some are drawn and the others refused", async () => {
		const { drawOne } = previewPictures();
		const pictures = await Promise.all(Array.from({ length: 20 }, (_, index) => drawOne(`ENTREPRISE ${index}`, ["Paris"])));
		expect(pictures.filter((picture) => picture !== null)).toHaveLength(5);
		// the known ones need no turn
		const again = await Promise.all(Array.from({ length: 5 }, (_, index) => drawOne(`ENTREPRISE ${index}`, ["Paris"])));
		expect(again.map((picture, index) => picture === pictures[index])).toEqual(Array(5).fill(true));
	});

	test("is drawn for any name", async () => {
		const { drawOne } = previewPictures();
		const names = ["A", "Œ".repeat(60), "ANTICONSTITUTIONNELLEMENT".repeat(10), "UN DEUX ".repeat(60), "株式会社", "<&\"'>", "a\u0301", ""];
		for (const name of names) expect(readSize((await drawOne(name, ["SIREN"])) ?? Buffer.alloc(24)), name).toEqual([1200, 630]);
	});
});
