import type { Context } from "../../server/runtime.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";

const purpose = "extract-watch-end";

/** The link that ends the watch of an order. It never expires, because an e-mail may be read much later (RFC 8058). */
export function watchEndUrl({ environment, signer }: Pick<Context, "environment" | "signer">, orderId: string): string {
	return absoluteUrl(environment.baseUrl, "/suivi/surveillance/:token", { token: signer.sign(purpose, orderId) });
}

/** @returns the id of the order, or null when the token is invalid. */
export const parseWatchEndToken = ({ signer }: Pick<Context, "signer">, token: string): string | null => signer.verify(purpose, token);
