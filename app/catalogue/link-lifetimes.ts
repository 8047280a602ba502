/** Hours for which a link to a document works (docs/rules.md, R34). */
export const documentLinkHours = 24;

/** Hours for which the URL of a confirmation opens the order in any browser (R40). */
export const confirmationHours = 24;

/** Days for which that URL opens the order in the browser that started the payment (R40). */
export const confirmationCookieDays = 30;
