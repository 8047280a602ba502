/**
 * What opened an order or a purchase of several in a browser, and what each may ask (docs/rules.md, R180). Use cases ask `mayAsk` before they
 * do anything; pages ask it for what they show.
 *
 * - `purchase`: number and address of the first order, the browser that ordered, or the signed-in customer. An order that was bought alone is
 *   the first of its purchase.
 * - `line`: number and address of a later order, which the e-mails about that order have. It may have been passed on to the company.
 * - `purchase-link`, `link`: the link of an e-mail about the whole purchase, or about one order.
 * - `url`: the address of the confirmation, on its first day, in another browser than the one that ordered.
 * - `payment-link`: the link that resumes the payment; the e-mail with it may have gone to a stranger.
 * - `desk`: an operator, whose roles the desk checks.
 */
export type AccessKey = "purchase" | "line" | "purchase-link" | "link" | "url" | "payment-link" | "desk";

/** What opens an order's own pages, as opposed to its confirmation. */
export const trackingAccesses = ["purchase", "line", "purchase-link", "link"] as const satisfies readonly AccessKey[];
export type TrackingAccess = (typeof trackingAccesses)[number];

export const accessKeys = [
	"purchase",
	"line",
	"purchase-link",
	"link",
	"url",
	"payment-link",
	"desk",
] as const satisfies readonly AccessKey[];

const customer: readonly AccessKey[] = ["purchase"];
const customerOrLine: readonly AccessKey[] = ["purchase", "line"];

/** Each request, and the keys that may ask it. */
const keysOf = {
	/** The company, the state, the promise and the extract of one order. */
	"read-order": ["purchase", "line", "purchase-link", "link", "url"],
	/** Which orders were bought together, and the number that names them. */
	"read-purchase": ["purchase", "purchase-link", "url"],
	"read-reference": ["purchase", "purchase-link"],
	/** The customer's e-mail address in full, masked for others; and the details of events. */
	"read-email": customerOrLine,
	/** The price of an order that was bought alone. */
	"read-price": ["purchase", "url"],
	/** Sums, refunds, and the events that name them. */
	"read-money": customer,
	/** Names, postal addresses and the second e-mail address. */
	"read-addresses": customer,
	/** Invoices and credit notes. */
	"read-invoice": customer,
	cancel: customerOrLine,
	withdraw: customerOrLine,
	"ask-refund": customerOrLine,
	"correct-addresses": ["purchase", "desk"],
	"correct-invoice": customer,
	/** Links that show the extract to others: list, make and take back. */
	share: customer,
	resume: ["purchase", "url", "payment-link"],
	"order-again": customer,
} as const satisfies Record<string, readonly AccessKey[]>;

export type AccessRequest = keyof typeof keysOf;

/** Whether who opened an order with `key` may make this request. */
export const mayAsk = (key: AccessKey, request: AccessRequest): boolean => keysOf[request].some((each) => each === key);

/**
 * The key of a pair of number and address, which is the customer's only for the first order of a purchase: the e-mails about each order have
 * its number and the address (docs/rules.md, R147).
 */
export const getKeyOfPair = ({ id, purchase_id }: { id: string; purchase_id: string }): "purchase" | "line" =>
	id === purchase_id ? "purchase" : "line";
