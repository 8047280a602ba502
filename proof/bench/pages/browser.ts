import { chromium as playwright } from "@playwright/test";
import { chromium } from "../../../e2e/chromium.ts";
import { freePort } from "../../../test/free-port.ts";

/** Starts the Chromium of the browser tests, headless. @returns the port of its debugging protocol, for Lighthouse. */
export async function startBrowser(undo: AsyncDisposableStack): Promise<number> {
	const { executablePath, args, env } = await chromium(process.env.CHROMIUM);
	const port = await freePort();
	const browser = await playwright.launch({
		executablePath,
		args: [...args, `--remote-debugging-port=${port}`],
		env: { ...process.env, ...env },
		// the bench handles signals itself: it stops more than a browser
		...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
	});
	undo.defer(() => browser.close());
	return port;
}
