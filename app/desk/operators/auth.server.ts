import { betterAuth } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { twoFactor } from "better-auth/plugins";
import { CamelCasePlugin } from "kysely";
import { z } from "zod";
import { hourSeconds } from "../../../server/durations.ts";
import { deriveAuthSecrets } from "../../../server/environment/auth-secrets.ts";
import { hashPassword, verifyPassword } from "../../../server/password-hash.ts";
import type { Context } from "../../../server/runtime.ts";
import { clientHeader } from "./client-header.ts";
import { maxPasswordLength, minPasswordLength } from "./password.ts";

/** Seconds. A session ends after this time, however much it is used. */
export const sessionLifetime = 12 * hourSeconds;

export type OperatorAuth = ReturnType<typeof createOperatorAuth>;

/**
 * better-auth for operators: password, one-time codes (RFC 6238), recovery codes, sessions. Its own HTTP endpoints are not mounted; our
 * pages call `auth.api`. Its tables are in the schema `operators`.
 */
export function createOperatorAuth({ environment, db }: Pick<Context, "environment" | "db">) {
	const { deskUrl, passwordHashing, secrets, shop } = environment;
	return betterAuth({
		appName: `Bureau ${shop.name}`,
		baseURL: deskUrl,
		secrets: deriveAuthSecrets(secrets, "operators"),
		telemetry: { enabled: false },
		database: { db: db.withSchema("operators").withPlugin(new CamelCasePlugin({ maintainNestedObjectKeys: true })), type: "postgres" },
		emailAndPassword: {
			enabled: true,
			autoSignIn: false,
			minPasswordLength,
			maxPasswordLength,
			password: {
				hash: (password) => hashPassword(passwordHashing, password),
				verify: ({ hash, password }) => verifyPassword(passwordHashing, password, hash),
			},
		},
		session: { expiresIn: sessionLifetime, disableSessionRefresh: true, cookieCache: { enabled: false } },
		// the pages count attempts themselves (sign-in.server.ts)
		rateLimit: { enabled: false },
		plugins: [twoFactor({ accountLockout: { maxFailedAttempts: 5, durationSeconds: 900 }, twoFactorCookieMaxAge: 600 }), ownEndpoints],
		advanced: {
			cookiePrefix: "bureau",
			useSecureCookies: deskUrl.startsWith("https:"),
			// browsers send these cookies to the desk alone, and never from another site
			defaultCookieAttributes: { path: "/bureau", sameSite: "strict" },
			ipAddress: { ipAddressHeaders: [clientHeader] },
			database: { generateId: "uuid" },
		},
		logger: { disabled: true },
	});
}

/** Our own additions. Our own code alone can call them. */
const ownEndpoints = {
	id: "own-endpoints",
	endpoints: {
		/** Makes a session after another proof than a password: a passkey, or the demo's button. */
		startSession: createAuthEndpoint.serverOnly(
			{ method: "POST", body: z.object({ userId: z.uuid() }), requireHeaders: true },
			async (ctx) => {
				const { internalAdapter } = ctx.context;
				const user = await internalAdapter.findUserById(ctx.body.userId);
				if (user === null) return ctx.json({ ok: false });
				const session = await internalAdapter.createSession(user.id);
				await setSessionCookie(ctx, { session, user });
				return ctx.json({ ok: true });
			},
		),
		/** Whose code the next one is: reads the cookie and its signature as verifyTOTP and verifyBackupCode do. */
		findCodeOwner: createAuthEndpoint.serverOnly({ method: "POST", requireHeaders: true }, async (ctx) => {
			const { createAuthCookie, internalAdapter, secret } = ctx.context;
			const challenge = await ctx.getSignedCookie(createAuthCookie("two_factor").name, secret);
			return ctx.json({ userId: challenge ? ((await internalAdapter.findVerificationValue(challenge))?.value ?? null) : null });
		}),
	},
};
