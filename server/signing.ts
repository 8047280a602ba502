import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Signs short texts (links, cookies) with the shop's secrets: the first signs, all verify, so that a secret can be rotated.
 * A signature is valid for its purpose only.
 */
export interface Signer {
	/** @returns `<text in base64url>.<256-bit signature>` */
	sign(purpose: string, text: string): string;
	/** @returns the text, or null when the signature is invalid. */
	verify(purpose: string, token: string): string | null;
	/** Derives the secret of one purpose from the shop's first secret; it changes only with that one. */
	derive(purpose: string): string;
}

export function createSigner(secrets: readonly string[]): Signer {
	const [first] = secrets;
	if (first === undefined) throw new Error("a signer needs a secret");
	const mac = (secret: string, purpose: string, text: string) => createHmac("sha256", secret).update(`${purpose}\n${text}`).digest();
	const createToken = (secret: string, purpose: string, text: string) =>
		`${Buffer.from(text).toString("base64url")}.${mac(secret, purpose, text).toString("base64url")}`;
	return {
		sign: (purpose, text) => createToken(first, purpose, text),
		verify(purpose, token) {
			const text = Buffer.from(token.split(".")[0] ?? "", "base64url").toString();
			const given = Buffer.from(token);
			// whole tokens are compared: base64 can write the same bytes in several ways
			const ours = secrets.some((secret) => {
				const expected = Buffer.from(createToken(secret, purpose, text));
				return expected.length === given.length && timingSafeEqual(expected, given);
			});
			return ours ? text : null;
		},
		derive: (purpose) => mac(first, "derive", purpose).toString("hex"),
	};
}

/** Replaces each signed token in a text, such as those of its links. */
export const replaceTokens = (text: string, replacement: string): string =>
	text.replace(/(?<![\w-])[\w-]+\.[\w-]{43}(?![\w-])/g, replacement);

export type TokenResult = { ok: true; id: string } | { ok: false; code: "tampered" | "expired" };

/** Signed tokens of one kind. A token contains an id and an expiry, and nothing else. */
export interface ExpiringToken {
	/** Seconds. */
	lifetime: number;
	/** @param from the start of the lifetime; the same id and instant give the same token. */
	sign(signer: Signer, id: string, from: Date): string;
	read(signer: Signer, token: string, now: Date): TokenResult;
}

/**
 * @param purpose a token of another purpose is invalid.
 * @param lifetime in seconds.
 */
export function expiringToken(purpose: string, lifetime: number): ExpiringToken {
	return {
		lifetime,
		sign: (signer, id, from) => signer.sign(purpose, `${id}.${Math.floor(from.getTime() / 1000) + lifetime}`),
		read(signer, token, now) {
			const [id, expires] = signer.verify(purpose, token)?.split(".") ?? [];
			if (id === undefined || expires === undefined) return { ok: false, code: "tampered" };
			return Number(expires) * 1000 > now.getTime() ? { ok: true, id } : { ok: false, code: "expired" };
		},
	};
}
