/** Functions on thrown values, which have the type unknown. */

export function toError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The code of Node.js (ENOENT) or of PostgreSQL (23505, SQLSTATE); undefined where there is none. */
export function getErrorCode(thrown: unknown): string | undefined {
	if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return undefined;
	return typeof thrown.code === "string" ? thrown.code : undefined;
}
