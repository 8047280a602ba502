import { execFileSync } from "node:child_process";
import { once } from "node:events";
import type { Browser, Page } from "@playwright/test";
import type { Client } from "pg";
import type { Role } from "../../app/desk/operators/roles.ts";
import { oneTimeCode } from "../../test/operators.ts";
import type { Usage } from "../../test/report-usage.ts";
import { type SeparateShop, startSeparateShop } from "../separate-shop.ts";

/** A shop whose orders wait for operators, with a clock that can be moved and figures of its work. */
export interface MorningShop extends SeparateShop {
	/** Moves the shop's clock, not the database's: for what happens at once. @param ms from the real time. */
	moveClock(ms: number): Promise<void>;
	readUsage(): Promise<Usage>;
	/** Invites a person, who chooses a password and sets up the second factor in a browser. */
	invite(browser: Browser, name: string, roles: readonly Role[], options?: Parameters<Browser["newContext"]>[0]): Promise<Page>;
}

const preload = ["../../test/report-usage.ts", "./shop-clock.ts"].map((file) => new URL(file, import.meta.url).href);

/** Starts it, always open. @param approvalCents refunds above it need a second person. */
export async function startMorningShop({ approvalCents }: { approvalCents: number }): Promise<MorningShop> {
	// the limits of « npm start »
	const NODE_OPTIONS = "--max-semi-space-size=16 --max-old-space-size=256";
	const variables = { ISSUER: "manual", OPENING_HOURS: "Mo-Su 00:00-24:00", REFUND_APPROVAL_CENTS: String(approvalCents), NODE_OPTIONS };
	const shop = await startSeparateShop(variables, preload);
	const ask = async (message: object | string): Promise<unknown> => {
		shop.process.send(message);
		return (await once(shop.process, "message"))[0];
	};
	return {
		...shop,
		moveClock: async (ms) => void (await ask({ clock: ms })),
		readUsage: async () => (await ask("usage")) as Usage,
		async invite(browser, name, roles, options = {}) {
			const context = await browser.newContext({ baseURL: shop.url, locale: "fr-FR", timezoneId: "Europe/Paris", ...options });
			const page = await context.newPage();
			await page.goto(createInvitation(shop, name, roles));
			await page.locator('input[name="password"]').fill(`${name} et une longue phrase`);
			await page.locator('form:has(input[name="password"]) button').click();
			const key = await page.getByText("Ou saisissez cette clé").textContent();
			const secret = key?.replace(/\s/g, "").match(/[A-Z2-7]{16,}$/)?.[0] ?? "";
			await page.getByLabel("Le code à six chiffres").fill(oneTimeCode(secret));
			await page.getByRole("button", { name: "Ouvrir le bureau" }).click();
			await page.waitForURL("**/bureau/commandes");
			return page;
		},
	};
}

/** Invites a person in the terminal. @returns the link that the person opens. */
export function createInvitation(
	{ environment, url }: Pick<SeparateShop, "environment" | "url">,
	name: string,
	roles: readonly Role[],
): string {
	const email = `${name.split(" ").at(-1)?.toLowerCase()}@bureau.example`;
	const output = execFileSync(process.execPath, ["main.ts", "desk", "invite", email, "--name", name, "--roles", roles.join(",")], {
		env: { ...process.env, ...environment, BASE_URL: url },
		encoding: "utf8",
	});
	return /\S+\/bureau\/invitation\/\S+/.exec(output)?.[0] ?? "";
}

/** Lets the promises of all open orders have passed an hour ago; the check of each is due. */
export async function breakPromises(database: Client): Promise<void> {
	await database.query("update orders set promised_at = now() - interval '1 hour' where status = 'processing'");
	await database.query("update jobs.job set start_after = now() - interval '1 hour' where name = 'check-promise' and state = 'created'");
}
