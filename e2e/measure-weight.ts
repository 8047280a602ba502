import { expect, type Page, type Response } from "@playwright/test";

export interface Weight {
	scripts: number;
	stylesAndFonts: number;
	styleSheets: Set<string>;
	/** Scripts that name an address of the desk. */
	deskScripts: string[];
}

/**
 * Measures what a browser with an empty cache receives for a page, in compressed bytes (brotli).
 * @param steps what waits for a page that keeps a stream open, and what is done there; else the network's end is awaited.
 */
export async function measureWeight(page: Page, path: string, steps?: () => Promise<unknown>): Promise<Weight> {
	const weight: Weight = { scripts: 0, stylesAndFonts: 0, styleSheets: new Set(), deskScripts: [] };
	const received: Promise<void>[] = [];
	const listen = (response: Response) => {
		const kind = response.request().resourceType();
		if (!["script", "stylesheet", "font"].includes(kind)) return;
		if (kind === "stylesheet") weight.styleSheets.add(response.url());
		const measure = async () => {
			const headers = await response.allHeaders();
			if (kind !== "font") expect(headers["content-encoding"]).toBe("br");
			weight[kind === "script" ? "scripts" : "stylesAndFonts"] += Number(headers["content-length"]);
			if (kind === "script" && (await response.text()).includes("/bureau")) weight.deskScripts.push(response.url());
		};
		received.push(measure());
	};
	page.on("response", listen);
	await page.goto(path, { waitUntil: steps ? "load" : "networkidle" });
	await steps?.();
	await Promise.all(received);
	page.off("response", listen);
	return weight;
}
