import { parseAccept } from "hono/utils/accept";

/** Whether a client accepts this encoding (RFC 9110, 12.5.3): `gzip;q=0` refuses it. */
export const acceptsEncoding = (acceptEncoding: string | null | undefined, encoding: "br" | "gzip"): boolean =>
	parseAccept(acceptEncoding ?? "").some(({ type, q }) => type.toLowerCase() === encoding && q > 0);
