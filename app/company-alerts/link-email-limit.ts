import type { EmailLimit } from "../mail/take-email-points.server.ts";

/** Minutes between two e-mails with the link to a mailbox's alerts. */
export const linkEmailMinutes = 10;

export const linkEmailLimit: EmailLimit = { name: "company-alerts-link", perClient: 3, perMailbox: 6, spacing: linkEmailMinutes };
