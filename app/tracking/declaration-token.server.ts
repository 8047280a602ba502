import type { Runtime } from "../../server/runtime.ts";

const purpose = "withdrawal";

/** Half an hour to confirm a declaration, and to read its receipt again, in seconds. */
const lifetime = 1800;

/** A token that leads on to the confirmation of one order's withdrawal, and to its receipt; says nothing of anybody. */
export function signDeclaration({ signer, now }: Pick<Runtime, "signer" | "now">, orderId: string): string {
	return signer.sign(purpose, `${orderId}.${Math.floor(now().getTime() / 1000) + lifetime}`);
}

/** @returns the order, or null when the token is not ours or has expired. */
export function readDeclaration({ signer, now }: Pick<Runtime, "signer" | "now">, token: string): string | null {
	const [orderId, expires] = signer.verify(purpose, token)?.split(".") ?? [];
	return orderId && Number(expires) * 1000 > now().getTime() ? orderId : null;
}
