import { expect, test } from "vitest";
import { nameBrowser } from "./change-access.server.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
	[`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0 Safari/537.36 Edg/131.0`, "Edge, Windows"],
	["Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox, Linux"],
	[
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
		"Safari, macOS",
	],
	[`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0 Safari/537.36 OPR/115.0`, "Opera, Windows"],
	[`Mozilla/5.0 (Linux; Android 14) ${webkit} Chrome/131.0 Mobile Safari/537.36`, "Chrome, Android"],
	["Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/604.1", "Safari, iPhone"],
	["curl/8.5.0", "Navigateur"],
	["", "Navigateur"],
])("« %s » is %s", (userAgent, name) => {
	expect(nameBrowser(userAgent)).toBe(name);
});
