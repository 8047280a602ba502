import { createHmac, timingSafeEqual } from "node:crypto";
import { symmetricDecrypt } from "better-auth/crypto";
import type { SignInContext } from "./sign-in.server.ts";
import { findTwoFactorSecret, updateLastStep } from "./time-steps.store.server.ts";

/** Milliseconds of a time step (RFC 6238, 4.1). */
const stepTime = 30_000;

/**
 * Takes the time step of a code before better-auth accepts it, so that nobody uses a code again that somebody saw (RFC 6238, 5.2).
 * @returns false when this step or a later one was taken. A code of no current step takes nothing: better-auth refuses it.
 */
export async function takeTimeStep({ db, operatorAuth }: SignInContext, operatorId: string, code: string): Promise<boolean> {
	const encrypted = await findTwoFactorSecret(db, operatorId);
	if (encrypted === null) return true;
	const { secretConfig } = await (await operatorAuth()).$context;
	const step = findStep(await symmetricDecrypt({ key: secretConfig, data: encrypted }), code);
	return step === null || updateLastStep(db, operatorId, step);
}

/** The step of a code. better-auth accepts three: the current one by the machine's clock, and those beside it. */
function findStep(secret: string, code: string): number | null {
	const current = Math.floor(Date.now() / stepTime);
	return [current - 1, current, current + 1].find((step) => isEqual(computeCode(secret, step), code)) ?? null;
}

/** HOTP (RFC 4226, 5.3) with six digits. */
function computeCode(secret: string, step: number): string {
	const counter = Buffer.alloc(8);
	counter.writeBigUInt64BE(BigInt(step));
	const mac = createHmac("sha1", secret).update(counter).digest();
	const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
	return String(number % 1_000_000).padStart(6, "0");
}

const isEqual = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
