import { createHash, randomUUID } from "node:crypto";
import { serialize } from "hono/utils/cookie";
import { readCookies } from "../../../server/cookies.ts";
import { daySeconds } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import { expiringToken } from "../../../server/signing.ts";
import { findDeviceVersion } from "./operators.store.server.ts";

/** Seconds. Each sign-in begins it anew. */
const lifetime = 180 * daySeconds;

const deviceToken = expiringToken("operator-device", lifetime);

type DeviceContext = Pick<Context, "db" | "now" | "environment" | "signer">;

/**
 * Remembers a browser in which an operator gave both factors. It proves no identity and replaces no factor: failures of strangers with
 * the operator's address do not count there, and its own do not count elsewhere. The cookie holds ids, no address.
 * @returns a Set-Cookie header.
 */
export async function createDeviceCookie({ db, now, environment, signer }: DeviceContext, operatorId: string): Promise<string> {
	const version = await findDeviceVersion(db, operatorId);
	const token = deviceToken.sign(signer, `${operatorId}:${version}:${randomUUID()}`, now());
	const options = { path: "/bureau", maxAge: lifetime, httpOnly: true, sameSite: "Strict", secure: isSecure(environment) } as const;
	return serialize(cookieName(environment, operatorId), token, options);
}

/** @returns the id of the device that sent a request; null when this operator is not known there, or has ended all their sessions since. */
export async function findKnownDevice(
	{ db, now, environment, signer }: DeviceContext,
	operatorId: string,
	headers: Headers,
): Promise<string | null> {
	const valid = readCookies(headers.get("cookie"), cookieName(environment, operatorId)).flatMap((token) => {
		const read = deviceToken.read(signer, token, now());
		const [owner, version, device] = read.ok ? read.id.split(":") : [];
		return owner === operatorId && device !== undefined ? [{ version: Number(version), device }] : [];
	});
	if (valid.length === 0) return null;
	const present = await findDeviceVersion(db, operatorId);
	return valid.find(({ version }) => version === present)?.device ?? null;
}

const isSecure = ({ deskUrl }: DeviceContext["environment"]) => deskUrl.startsWith("https:");

/** Several operators may use one browser, so each has a cookie. */
const cookieName = (environment: DeviceContext["environment"], operatorId: string) =>
	`${isSecure(environment) ? "__Secure-" : ""}bureau.device_${createHash("sha256").update(operatorId).digest("hex").slice(0, 8)}`;
