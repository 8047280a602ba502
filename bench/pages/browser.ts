import { type Browser, chromium as playwright } from "@playwright/test";
import { chromium } from "../../e2e/chromium.ts";
import { freePort } from "../measured-server.ts";

export interface DebuggedBrowser {
	browser: Browser;
	/** Where the debugging protocol is spoken, for Lighthouse. */
	port: number;
}

/** The Chromium of the browser tests, headless. */
export async function startBrowser(undo: AsyncDisposableStack): Promise<DebuggedBrowser> {
	const { executablePath, args, env } = await chromium(process.env.CHROMIUM);
	const port = await freePort();
	const browser = await playwright.launch({
		executablePath,
		args: [...args, `--remote-debugging-port=${port}`],
		env: { ...process.env, ...env },
		// the bench itself hears signals, and takes back more than a browser
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
	});
	undo.defer(() => browser.close());
	return { browser, port };
}
