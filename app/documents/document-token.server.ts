import { expiringToken } from "../../server/signing.ts";

/** Opens one document at `/documents/{token}` for one day (docs/rules.md, R34). */
export const documentToken = expiringToken("document", 86_400);
