import { trackingLinkDays } from "../catalogue/link-lifetimes.ts";
import { customerToken } from "./customer-token.server.ts";

/** In the link of an e-mail to the customer: opens the tracking page to be read (docs/rules.md, R60). */
export const trackingLinkToken = customerToken("track-link", trackingLinkDays * 86_400);

/** Seconds. */
const cookieLifetime = 3600;

/**
 * In the cookie of the tracking page. `full`: the customer gave e-mail and number, or paid in this browser. `link`: the browser followed
 * the link of an e-mail, which may have been forwarded.
 */
export const trackingCookieTokens = {
	full: customerToken("track", cookieLifetime),
	link: customerToken("track-read", cookieLifetime),
} as const;

export type TrackingAccess = keyof typeof trackingCookieTokens;
