import { expiringToken } from "../../server/signing.ts";

/**
 * Opens the payment of one order at `/paiement/reprendre/{token}` for 30 days, as an unpaid order is deleted then.
 * The first tokens had no expiry: they count as expired.
 */
export const resumeToken = expiringToken("resume", 30 * 86_400, { unlimited: "expired" });
