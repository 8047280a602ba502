import { type Browser, type BrowserContext, test as base, type Page } from "@playwright/test";

/** Playwright's default. */
const viewport = { width: 1280, height: 720 };

/**
 * The pages that tests of a file have left open, for its later tests. The next file closes them: a dozen live pages of the desk would
 * go on to take a core from the files that follow.
 */
const leftBy = new Map<BrowserContext, string>();

/**
 * The tests of a worker share one tab as their `page`, because a new one for each test would start a process and compile the shop's files
 * again. With another screen or without JavaScript, a test gets one of its own. `ownPage` is for all other options, and for what cannot be
 * undone: a clock, initial scripts, listeners of the whole browser.
 */
export const test = base.extend<{ ownPage: Page; closeLeft: undefined }, { tab: Page }>({
	tab: [
		async ({ browser }, use, { project }) => {
			const { baseURL, locale, timezoneId, contextOptions } = project.use;
			// whatever is not said here comes from the worker's first test
			const context = await browser.newContext({ baseURL, locale, timezoneId, viewport, javaScriptEnabled: true, ...contextOptions });
			await use(await context.newPage());
			await context.close();
		},
		{ scope: "worker" },
	],
	closeLeft: [
		async ({ browser, tab }, use, { file }) => {
			for (const [context, by] of leftBy) if (by !== file) await context.close();
			leftBy.clear();
			await use(undefined);
			for (const context of browser.contexts()) if (context !== tab.context()) leftBy.set(context, file);
		},
		{ auto: true },
	],
	ownPage: ({ browser }, use) => giveOwnPage(browser, use),
	async page({ tab, browser, javaScriptEnabled, viewport: asked }, use) {
		if (javaScriptEnabled === false || asked?.width !== viewport.width || asked.height !== viewport.height)
			return giveOwnPage(browser, use);
		await use(tab);
		await clear(tab);
	},
});

async function giveOwnPage(browser: Browser, use: (page: Page) => Promise<void>): Promise<void> {
	const context = await browser.newContext();
	await use(await context.newPage());
	await context.close();
}

/** Gives a tab back as a new one: without listeners, routes, other tabs, permissions, cookies and stored data. */
async function clear(tab: Page): Promise<void> {
	for (const event of ["console", "pageerror", "request", "response"]) tab.removeAllListeners(event as "console");
	// of the shop, because leaving it would start a new process; before what a route holds back may lead elsewhere
	await tab.goto("/robots.txt");
	await tab.unrouteAll({ behavior: "ignoreErrors" });
	for (const other of tab.context().pages()) if (other !== tab) await other.close();
	await tab.context().clearPermissions();
	// of every origin; Playwright's setStorageState opens a page for it, which takes ten times as long
	const session = await tab.context().newCDPSession(tab);
	await session.send("Storage.clearDataForOrigin", { origin: "*", storageTypes: "all" });
	await session.detach();
	await tab.emulateMedia({ colorScheme: null, media: null });
	await tab.setViewportSize(viewport);
}
