import { daySeconds, hourSeconds } from "../../server/durations.ts";
import { documentLinkHours, recipientFilesDays, trackingLinkDays } from "../catalogue/link-lifetimes.ts";
import { customerToken } from "./customer-token.server.ts";

/** In the link of an e-mail to the customer: opens the tracking page to be read (docs/rules.md, R60). */
export const trackingLinkToken = customerToken("track-link", trackingLinkDays * daySeconds);

/** In the link of an e-mail about a purchase of several orders: opens the page of the purchase, and its orders, to be read. */
export const purchaseLinkToken = customerToken("track-link-purchase", trackingLinkDays * daySeconds);

/**
 * Open the documents of a purchase of several orders as one archive, at `/documents/ensemble/{token}`, for one day (docs/rules.md, R34). They
 * name its first order, and end with the customer's address.
 */
export const purchaseFilesTokens = {
	/** The extracts and the invoice. */
	all: customerToken("purchase-files", documentLinkHours * hourSeconds),
	extracts: customerToken("purchase-extracts", documentLinkHours * hourSeconds),
	/** The extracts for who has only the URL of the confirmation: without the customer's references (docs/rules.md, R40). */
	masked: customerToken("purchase-extracts-masked", documentLinkHours * hourSeconds),
} as const;

/** In the e-mail to the second address of a purchase: opens the extracts that go there. Signed for that address, which may be corrected. */
export const recipientFilesToken = customerToken("recipient-extracts", recipientFilesDays * daySeconds);

/** Seconds. */
export const trackingCookieLifetime = hourSeconds;

/**
 * In the cookie of the tracking page. `full`: the customer gave e-mail and number, or paid in this browser. `link`: the browser followed
 * the link of an e-mail, which may have been forwarded. `purchase`: as `link`, by an e-mail about the whole purchase, whose first order the
 * token names, and for its other orders when they are opened from there. `whole`: as `full`, for an order opened from its purchase or from the
 * customer's space. An e-mail about one order may be forwarded to that company, which then has the link, the number and the address: these do
 * not open the others.
 * @param visit the visit that the signature covers, and with which the access ends.
 */
export const trackingCookieTokens = (visit: string) => ({
	full: customerToken(`track ${visit}`, trackingCookieLifetime),
	whole: customerToken(`track-whole ${visit}`, trackingCookieLifetime),
	link: customerToken(`track-read ${visit}`, trackingCookieLifetime),
	purchase: customerToken(`track-read-purchase ${visit}`, trackingCookieLifetime),
});

export type TrackingCookie = keyof ReturnType<typeof trackingCookieTokens>;
