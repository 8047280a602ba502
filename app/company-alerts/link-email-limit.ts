import { alertLinkSpacing } from "../catalogue/link-lifetimes.ts";
import type { EmailLimit } from "../mail/take-email-points.server.ts";

/** E-mails that send the link to a mailbox's alerts again (docs/rules.md, R141). */
export const linkEmailLimit: EmailLimit = { name: "company-alerts-link", perClient: 3, perMailbox: 6, spacing: alertLinkSpacing };
