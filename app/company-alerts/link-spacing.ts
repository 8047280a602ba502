import { alertLinkSpacing } from "../catalogue/link-lifetimes.ts";
import type { EmailSpacing } from "../mail/asked-emails.server.ts";

/** Of e-mails that send the link to a mailbox's alerts again (docs/rules.md, R141). */
export const linkSpacing: EmailSpacing = { name: "company-alerts-link", minutes: alertLinkSpacing };
