import type { Signer } from "../../server/signing.ts";

const purpose = "resume";

/** How long a way back to a payment is good, in seconds: 30 days, as an order that was never paid is deleted then. */
const lifetime = 30 * 86_400;

/**
 * A token for `/paiement/reprendre/{token}`: leads to the payment of one order, and says nothing of anybody.
 * @param from the instant that its life is counted from; the same order and instant give the same token.
 */
export function signResumeToken(signer: Signer, orderId: string, from: Date): string {
	return signer.sign(purpose, `${orderId}.${Math.floor(from.getTime() / 1000) + lifetime}`);
}

/** @returns the order, or why the token opens none. A token of before they expired counts as expired. */
export function readResumeToken(
	signer: Signer,
	token: string,
	now: Date,
): { ok: true; orderId: string } | { ok: false; reason: "tampered" | "expired" } {
	const [orderId, expires] = signer.verify(purpose, token)?.split(".") ?? [];
	if (orderId === undefined) return { ok: false, reason: "tampered" };
	return Number(expires) * 1000 > now.getTime() ? { ok: true, orderId } : { ok: false, reason: "expired" };
}
