import type { Signer } from "./signing.ts";

export type TokenResult = { ok: true; id: string } | { ok: false; reason: "tampered" | "expired" };

/** Signed tokens of one kind. Each names one thing by its id, expires, and says nothing else. */
export interface ExpiringToken {
	/** Seconds. */
	lifetime: number;
	/** @param from when the lifetime begins; the same id and instant give the same token. */
	sign(signer: Signer, id: string, from: Date): string;
	read(signer: Signer, token: string, now: Date): TokenResult;
}

/**
 * @param purpose what the token opens; a token of another purpose counts as tampered with.
 * @param lifetime in seconds.
 * @param unlimited how a signed token without an end is answered: « expired » for kinds that once had none.
 */
export function expiringToken(
	purpose: string,
	lifetime: number,
	{ unlimited = "tampered" }: { unlimited?: "tampered" | "expired" } = {},
): ExpiringToken {
	return {
		lifetime,
		sign: (signer, id, from) => signer.sign(purpose, `${id}.${Math.floor(from.getTime() / 1000) + lifetime}`),
		read(signer, token, now) {
			const [id, expires] = signer.verify(purpose, token)?.split(".") ?? [];
			if (id === undefined) return { ok: false, reason: "tampered" };
			if (expires === undefined) return { ok: false, reason: unlimited };
			return Number(expires) * 1000 > now.getTime() ? { ok: true, id } : { ok: false, reason: "expired" };
		},
	};
}
