import { expect, type Page, test } from "@playwright/test";
import { states } from "./page-states.ts";

interface Weight {
	scripts: number;
	/** Style sheet and fonts. */
	looks: number;
	styleSheets: Set<string>;
}

/** What a browser that knows nothing of the shop receives for a page, in bytes as they travel (brotli). */
async function weigh(page: Page, path: string): Promise<Weight> {
	const weight: Weight = { scripts: 0, looks: 0, styleSheets: new Set() };
	const received: Promise<void>[] = [];
	page.on("response", (response) => {
		const kind = response.request().resourceType();
		if (!["script", "stylesheet", "font"].includes(kind)) return;
		if (kind === "stylesheet") weight.styleSheets.add(response.url());
		received.push(
			response.allHeaders().then((headers) => {
				if (kind !== "font") expect(headers["content-encoding"]).toBe("br");
				weight[kind === "script" ? "scripts" : "looks"] += Number(headers["content-length"]);
			}),
		);
	});
	await page.goto(path, { waitUntil: "networkidle" });
	await Promise.all(received);
	return weight;
}

const query = "siren=552032534&service=express&email=ada%40example.fr&firstName=Ada&lastName=Lovelace";
const funnel = [
	"/recherche?q=danone",
	"/entreprise/552032534",
	"/commande",
	"/commande/552032534?service=express",
	`/paiement?${query}`,
	"/suivi-commande",
];

for (const path of funnel) {
	test(`${path.replace(query, "…")} brings at most 110 kB of JavaScript, 30 kB of styles and fonts`, async ({ page }) => {
		const { scripts, looks, styleSheets } = await weigh(page, path);
		expect(scripts).toBeGreaterThan(0);
		expect(scripts).toBeLessThanOrEqual(110_000);
		expect(looks).toBeLessThanOrEqual(30_000);
		expect(styleSheets.size).toBe(1);
	});
}

const plain = states.flatMap(({ reach, plain, described }) => (plain && described && typeof reach === "string" ? [reach] : []));

for (const path of plain) {
	test(`${path} brings no JavaScript`, async ({ page }) => {
		const { scripts, looks, styleSheets } = await weigh(page, path);
		expect(scripts).toBe(0);
		expect(looks).toBeLessThanOrEqual(30_000);
		expect(styleSheets.size).toBe(1);
	});
}

test("all pages share one style sheet", async ({ page }) => {
	const sheets = new Set<string>();
	for (const path of ["/", "/commande", "/suivi-commande"]) for (const sheet of (await weigh(page, path)).styleSheets) sheets.add(sheet);
	expect(sheets.size).toBe(1);
});
