/** A PDF is attached to its e-mail up to this size (R34): many mailboxes refuse messages over 10 MB, and base64 adds a third. */
export const maxAttachedBytes = 5_000_000;

export const maxAttachedSize = `${maxAttachedBytes / 1_000_000}\u00a0Mo`;

/** Hours for which a link to a document works (docs/rules.md, R34). */
export const documentLinkHours = 24;

/** Days for which the second address of a purchase can download its extracts (R34): its e-mail has no files. */
export const recipientFilesDays = 7;

/** Hours for which the URL of a confirmation opens the order in any browser (R40). */
export const confirmationHours = 24;

/** Days for which that URL opens the order in the browser that ordered (R40). */
export const confirmationCookieDays = 30;

/** Days for which the link of an e-mail opens the tracking page without typing (R60): as long as a faulty extract can be reported. */
export const trackingLinkDays = 30;

/** Days for which the link of an e-mail opens the list of a mailbox's alerts (R142). The links that end alerts work for ever. */
export const alertLinkDays = 30;

/** Companies that one mailbox may follow (R140). */
export const maxFollowedCompanies = 50;

/** Minutes between two e-mails that send that link again (R141). */
export const alertLinkSpacing = 10;

/** Minutes for which the link to « Mes commandes » works (R170). */
export const customerLinkMinutes = 15;

/** Minutes between two e-mails with that link (R170). */
export const customerLinkSpacing = 5;

/** Minutes between two e-mails with order numbers to one mailbox: the last one is then recent enough to be found. */
export const lostNumberMinutes = 10;

/** Days for which a browser stays signed in to « Mes commandes » (R171). */
export const customerSessionDays = 30;

/** Days for which the link to a shared document and its openings are stored after its end (R43). */
export const shareRetentionDays = 30;
