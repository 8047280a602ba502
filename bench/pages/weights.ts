/** What a page brings over the network, in bytes as they travel: compressed, with the headers of each answer. */
export interface Weight {
	html: number;
	scripts: number;
	styles: number;
	fonts: number;
	images: number;
	other: number;
	requests: number;
}

/** A request as Lighthouse lists it in its audit `network-requests`. */
export interface ListedRequest {
	url: string;
	resourceType?: string;
	transferSize: number;
	statusCode: number;
}

const kinds: Record<string, Exclude<keyof Weight, "requests">> = {
	Document: "html",
	Script: "scripts",
	Stylesheet: "styles",
	Font: "fonts",
	Image: "images",
};

/** Adds up what a browser that knows nothing of the site asked for. Throws where one of the answers was a failure. */
export function weightOf(listed: readonly ListedRequest[]): Weight {
	const weight: Weight = { html: 0, scripts: 0, styles: 0, fonts: 0, images: 0, other: 0, requests: 0 };
	for (const { url, resourceType = "", transferSize, statusCode } of listed) {
		if (!url.startsWith("http")) continue;
		if (statusCode >= 400) throw new Error(`${url} answered ${statusCode}`);
		weight[kinds[resourceType] ?? "other"] += transferSize;
		weight.requests++;
	}
	return weight;
}

export const bytesOf = ({ requests, ...bytes }: Weight): number => Object.values(bytes).reduce((sum, value) => sum + value, 0);

/** « 12.3 »: a kB is 1000 bytes, as in Lighthouse's own texts a KiB is 1024. */
export const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1).replace(/^0\.0$/, "0");
