import { expiringToken } from "../../server/signing.ts";
import { documentLinkHours } from "../catalogue/link-lifetimes.ts";

const seconds = documentLinkHours * 3600;

/** Opens one document at `/documents/{token}` for one day (docs/rules.md, R34). */
export const documentToken = expiringToken("document", seconds);

/** Open the documents of a purchase of several orders as one archive, at `/documents/ensemble/{token}`, for as long. */
export const purchaseFilesTokens = {
	/** The extracts and the invoice. */
	all: expiringToken("purchase-files", seconds),
	extracts: expiringToken("purchase-extracts", seconds),
	/** The extracts for who has only the URL of the confirmation: without the customer's references (docs/rules.md, R40). */
	masked: expiringToken("purchase-extracts-masked", seconds),
} as const;
