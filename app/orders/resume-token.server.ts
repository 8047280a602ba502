import { expiringToken } from "../../server/signing.ts";

/**
 * Leads to the payment of one order at `/paiement/reprendre/{token}`, for 30 days: an order that was never paid is deleted then.
 * The first of these tokens had no end: they count as expired.
 */
export const resumeToken = expiringToken("resume", 30 * 86_400, { unlimited: "expired" });
