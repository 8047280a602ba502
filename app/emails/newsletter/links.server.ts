import type { Context } from "../../../server/runtime.ts";
import { computeRetentionCutoff, retention } from "../../catalogue/retention.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";

/** Signed links in e-mails. A link contains the id of a subscription, no personal data, and serves one purpose. */

type LinkContext = Pick<Context, "environment" | "signer">;

/** The link that confirms the request made at `requestedAt`. */
export function confirmationUrl({ environment, signer }: LinkContext, subscriptionId: string, requestedAt: Date): string {
	const token = signer.sign("newsletter-confirm", `${subscriptionId}.${requestedAt.getTime()}`);
	return absoluteUrl(environment.baseUrl, "/lettre-information/confirmer/:token", { token });
}

/** The link that ends a subscription. It never expires, because an issue may be read years later (RFC 8058). */
export function unsubscribeUrl({ environment, signer }: LinkContext, subscriptionId: string): string {
	return absoluteUrl(environment.baseUrl, "/lettre-information/desinscription/:token", {
		token: signer.sign("newsletter-end", subscriptionId),
	});
}

export function parseConfirmationToken(
	{ signer, now }: Pick<Context, "signer" | "now">,
	token: string,
): { subscriptionId: string; expired: boolean } | null {
	const [subscriptionId, requestedAt] = signer.verify("newsletter-confirm", token)?.split(".") ?? [];
	if (subscriptionId === undefined) return null;
	return { subscriptionId, expired: Number(requestedAt) < computeRetentionCutoff(now(), retention.newsletterRequests).getTime() };
}

/** @returns the id of the subscription, or null when the token is invalid. */
export const parseUnsubscribeToken = ({ signer }: Pick<Context, "signer">, token: string): string | null =>
	signer.verify("newsletter-end", token);
