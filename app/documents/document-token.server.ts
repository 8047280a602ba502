import { hourSeconds } from "../../server/durations.ts";
import { expiringToken } from "../../server/signing.ts";
import { documentLinkHours } from "../catalogue/link-lifetimes.ts";

/** Opens one document at `/documents/{token}` for one day (docs/rules.md, R34). */
export const documentToken = expiringToken("document", documentLinkHours * hourSeconds);
