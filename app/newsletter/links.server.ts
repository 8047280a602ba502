import type { Runtime } from "../../server/runtime.ts";
import { computeRetentionCutoff, retention } from "../catalogue/retention.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";

/** Addresses that letters carry. They name a subscription and say nothing of anybody; each opens one thing alone. */

type Deps = Pick<Runtime, "environment" | "signer">;

/** Confirms what was asked at `requestedAt`. */
export function confirmationUrl({ environment, signer }: Deps, subscriptionId: string, requestedAt: Date): string {
	const token = signer.sign("newsletter-confirm", `${subscriptionId}.${requestedAt.getTime()}`);
	return absoluteUrl(environment.baseUrl, "/lettre-information/confirmer/:token", { token });
}

/** Ends a subscription. It is good for ever, as the letter is that carries it (RFC 8058). */
export function endUrl({ environment, signer }: Deps, subscriptionId: string): string {
	return absoluteUrl(environment.baseUrl, "/lettre-information/desinscription/:token", {
		token: signer.sign("newsletter-end", subscriptionId),
	});
}

export function readConfirmationToken(
	{ signer, now }: Pick<Runtime, "signer" | "now">,
	token: string,
): { subscriptionId: string; expired: boolean } | null {
	const [subscriptionId, requestedAt] = signer.verify("newsletter-confirm", token)?.split(".") ?? [];
	if (subscriptionId === undefined) return null;
	return { subscriptionId, expired: Number(requestedAt) < computeRetentionCutoff(now(), retention.newsletterRequests).getTime() };
}

/** @returns the subscription, or null when the token is not ours. */
export const readEndToken = ({ signer }: Pick<Runtime, "signer">, token: string): string | null => signer.verify("newsletter-end", token);
