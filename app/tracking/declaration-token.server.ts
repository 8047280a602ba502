import { expiringToken } from "../../server/signing.ts";

/** Opens the confirmation of one order's withdrawal, then its receipt, for half an hour. */
export const declarationToken = expiringToken("withdrawal", 1800);
