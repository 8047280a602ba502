import { betterAuth } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { generateRandomString } from "better-auth/crypto";
import { CamelCasePlugin } from "kysely";
import { z } from "zod";
import { daySeconds } from "../../../server/durations.ts";
import { deriveAuthSecrets } from "../../../server/environment/auth-secrets.ts";
import type { Context } from "../../../server/runtime.ts";
import { customerLinkMinutes, customerSessionDays } from "../../catalogue/link-lifetimes.ts";
import { hashLinkToken, spacePath } from "./link-token.server.ts";

export type CustomerAuth = ReturnType<typeof createCustomerAuth>;

/**
 * better-auth for customers: links that are used once, and sessions. Its own HTTP endpoints are not mounted; our pages call `auth.api`.
 * Its tables are in the schema `customers`. It reads the machine's own clock.
 */
export function createCustomerAuth({ environment, db }: Pick<Context, "environment" | "db">) {
	const { baseUrl, secrets, shop } = environment;
	return betterAuth({
		appName: shop.name,
		baseURL: baseUrl,
		secrets: deriveAuthSecrets(secrets, "customers"),
		telemetry: { enabled: false },
		database: { db: db.withSchema("customers").withPlugin(new CamelCasePlugin({ maintainNestedObjectKeys: true })), type: "postgres" },
		session: { expiresIn: customerSessionDays * daySeconds, disableSessionRefresh: true, cookieCache: { enabled: false } },
		rateLimit: { enabled: false },
		plugins: [linkEndpoints],
		advanced: {
			cookiePrefix: "mes-commandes",
			useSecureCookies: baseUrl.startsWith("https:"),
			defaultCookieAttributes: { path: spacePath, sameSite: "lax" },
			ipAddress: { disableIpTracking: true },
			database: { generateId: "uuid" },
		},
		logger: { disabled: true },
	});
}

/**
 * What better-auth's own plugin for links does, without its page: that one uses a link up when it is opened, as mail scanners do too.
 * Our own code alone can call these.
 */
const linkEndpoints = {
	id: "link-endpoints",
	endpoints: {
		/** Makes a link for a mailbox. The token is in the e-mail only; the database has its hash. */
		createLink: createAuthEndpoint.serverOnly({ method: "POST", body: z.object({ mailbox: z.string() }) }, async (ctx) => {
			const token = generateRandomString(43);
			const expiresAt = new Date(Date.now() + customerLinkMinutes * 60_000);
			await ctx.context.internalAdapter.createVerificationValue({ identifier: hashLinkToken(token), value: ctx.body.mailbox, expiresAt });
			return ctx.json({ token });
		}),
		/** Uses a link up. Of several calls at once, one gets the mailbox. */
		consumeLink: createAuthEndpoint.serverOnly({ method: "POST", body: z.object({ token: z.string() }) }, async (ctx) => {
			const link = await ctx.context.internalAdapter.consumeVerificationValue(hashLinkToken(ctx.body.token));
			return ctx.json({ mailbox: link?.value ?? null });
		}),
		/** Makes a session. */
		startSession: createAuthEndpoint.serverOnly(
			{ method: "POST", body: z.object({ userId: z.uuid() }), requireHeaders: true },
			async (ctx) => {
				const { internalAdapter } = ctx.context;
				const user = await internalAdapter.findUserById(ctx.body.userId);
				if (user === null) return ctx.json({ ok: false });
				await setSessionCookie(ctx, { session: await internalAdapter.createSession(user.id), user });
				return ctx.json({ ok: true });
			},
		),
	},
};
