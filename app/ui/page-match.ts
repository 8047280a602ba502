/** What a route says of its pages: `export const handle = { … }`. */
interface PageHandle {
	/** The operators' desk, which has its own frame. */
	desk?: boolean;
	/** From the order form to the confirmation: nothing leads away but help and the terms. */
	funnel?: boolean;
	/** The page promises an hour, or leads to an order. */
	sells?: boolean;
	/** The JavaScript of the page: none, or a small script; absent: the page is hydrated. */
	scripts?: false | "on-demand";
}

/** Fields of a loader's data that describe its page. */
interface PageData {
	/** Hydrates this page although its route is public and has no scripts. */
	scripts?: "all";
	/** The page follows an order that goes on: a browser without JavaScript gets a link that reloads it. */
	changes?: boolean;
}

export interface PageMatch {
	handle?: PageHandle;
	loaderData?: PageData | null;
}

/** The routes of a page, from the outermost, with what they say of it. The framework does not know the types of handles. */
export const readMatches = (matches: readonly { handle?: unknown; loaderData?: unknown }[]) => matches as readonly PageMatch[];
