import type { Signer } from "../../server/signing.ts";

const purpose = "resume";

/** A token for `/paiement/reprendre/{token}`: leads to the payment of one order, and says nothing of anybody. */
export function signResumeToken(signer: Signer, orderId: string): string {
	return signer.sign(purpose, orderId);
}

/** @returns the order, or null when the token is not ours. */
export function readResumeToken(signer: Signer, token: string): string | null {
	return signer.verify(purpose, token);
}
