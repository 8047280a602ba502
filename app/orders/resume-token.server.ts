import { expiringToken } from "../../server/signing.ts";
import { retention } from "../catalogue/retention.ts";

/**
 * Opens the payment of one order at `/paiement/reprendre/{token}` for 30 days, as an unpaid order is deleted then.
 * The first tokens had no expiry: they count as expired.
 */
export const resumeToken = expiringToken("resume", retention.unpaidOrders.days * 86_400, { unlimited: "expired" });
