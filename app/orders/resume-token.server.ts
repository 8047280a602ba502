import { daySeconds } from "../../server/durations.ts";
import { expiringToken, type Signer } from "../../server/signing.ts";
import { retention } from "../catalogue/retention.ts";
import type { Order } from "./order.ts";

/**
 * Opens the payment of one order at `/paiement/reprendre/{token}` for 30 days, as an unpaid order is deleted then.
 * The first tokens had no expiry: they count as expired.
 */
export const resumeToken = expiringToken("resume", retention.unpaidOrders.days * daySeconds, { unlimited: "expired" });

/**
 * Signs the token of an order, the same for each of its links: the path of a cookie contains it (docs/rules.md, R40), and a request to the
 * provider that is repeated under one key must not change. It ends when the unpaid order is deleted.
 */
export const signResumeToken = (signer: Signer, { id, created_at }: Pick<Order, "id" | "created_at">) =>
	resumeToken.sign(signer, id, created_at);
