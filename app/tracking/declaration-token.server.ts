import { expiringToken } from "../../server/signing.ts";

/** Leads to the confirmation of one order's withdrawal and to its receipt, for half an hour. */
export const declarationToken = expiringToken("withdrawal", 1800);
