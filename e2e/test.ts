import { type Browser, test as base, type Page } from "@playwright/test";

/** Playwright's default. */
const viewport = { width: 1280, height: 720 };

/**
 * The tests of a worker share one tab as their `page`, because the shop's files are in its cache: a new one for each test would load and
 * compile them again. With another screen or without JavaScript, a test gets one of its own. `ownPage` is for all other options, for an
 * empty cache, and for what cannot be undone: a clock, initial scripts, listeners of the whole browser.
 */
export const test = base.extend<{ ownPage: Page }, { tab: Page }>({
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

/** Gives a tab back as a new one: without listeners, routes, other tabs, permissions, cookies and stored data. The cache stays. */
async function clear(tab: Page): Promise<void> {
	for (const event of ["console", "pageerror", "request", "response"]) tab.removeAllListeners(event as "console");
	await tab.unrouteAll({ behavior: "ignoreErrors" });
	for (const other of tab.context().pages()) if (other !== tab) await other.close();
	await forgetStored(tab).catch(() => {}); // of a separate shop; a page of no site stores nothing
	await tab.goto("/robots.txt"); // of the shop, because leaving it would start a new process
	await forgetStored(tab);
	await tab.context().clearPermissions();
	await tab.context().clearCookies();
	await tab.emulateMedia({ colorScheme: null, media: null });
	await tab.setViewportSize(viewport);
}

const forgetStored = (tab: Page): Promise<void> =>
	tab.evaluate(() => {
		localStorage.clear();
		sessionStorage.clear();
	});
