import { afterAll, beforeAll, expect, test } from "vitest";
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
	const drawPreview = previewPictures();
	expect(drawPreview("Nos tarifs")).toBe(drawPreview("Nos tarifs"));
	expect(drawPreview("Nos tarifs").equals(drawPreview("Aide"))).toBe(false);
});

test("a page that does not exist has no picture", async () => {
	for (const path of ["/apercu/nulle-part.png", "/apercu/entreprise/552032534.png", "/apercu/tarifs"])
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
