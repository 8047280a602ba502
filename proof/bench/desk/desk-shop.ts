import { execFileSync } from "node:child_process";
import type pg from "pg";
import { createBrowser, oneTimeCode, readSecret } from "../../../test/operators.ts";
import { toDatabaseUrl } from "../../../test/postgres.ts";
import { withoutLimits } from "../../../test/shop-process.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { type MeasuredServer, startMeasuredShop } from "../measured-server.ts";

export interface DeskShop extends MeasuredServer {
	/** The environment of its commands. */
	environment: Record<string, string>;
	/** Invites a person with all roles, who signs in. @returns the cookies of their browser. */
	signIn(name: string): Promise<string>;
}

/** Starts the built shop with orders that are served by hand. */
export async function startDeskShop(undo: AsyncDisposableStack, connection: pg.ClientConfig): Promise<DeskShop> {
	const environment = {
		...withoutLimits,
		DATABASE_URL: toDatabaseUrl(connection),
		DATA_DIR: temporaryFolder(undo),
		APP_SECRET: "a secret of the bench that is long enough to sign",
		ISSUER: "manual",
		LOG_LEVEL: "error",
	};
	const shop = await startMeasuredShop(undo, connection, environment);
	return {
		...shop,
		environment,
		async signIn(name) {
			const email = `${name.toLowerCase()}@bench.example`;
			const args = ["main.ts", "desk", "invite", email, "--name", name, "--roles", "manager"];
			const output = execFileSync(process.execPath, args, {
				env: { ...process.env, ...environment, BASE_URL: shop.url },
				encoding: "utf8",
			});
			const path = /\/bureau\/invitation\/\S+/.exec(output)?.[0];
			if (path === undefined) throw new Error(`no invitation: ${output}`);
			const browser = createBrowser(shop.url);
			const page = await (await browser.post(path, { password: `${name} et une longue phrase` })).text();
			const kept = /name="kept" value="([^"]+)"/.exec(page)?.[1] ?? "";
			await browser.post("/bureau/second-facteur", { step: "confirm", code: oneTimeCode(readSecret(page)), kept });
			const opened = await browser.ask("/bureau/commandes");
			if (opened.status !== 200) throw new Error(`the desk answers ${opened.status}`);
			return [...browser.cookies].map(([key, value]) => `${key}=${value}`).join("; ");
		},
	};
}
