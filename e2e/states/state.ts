import type { Page } from "@playwright/test";

/** A page in one of its states, for every-page.spec.ts. */
export interface State {
	name: string;
	/** Its URL, or the steps that lead to it. */
	visit: string | ((page: Page) => Promise<unknown>);
	status?: number;
	/** The page has no JavaScript. */
	scriptless?: boolean;
	/** Search engines may index the page, so it has a description. */
	indexable?: boolean;
}
