/**
 * Which words somebody read who asked for the newsletter: the ISO date of those beside the form (app/content/newsletter.ts) and beside
 * the order's box (app/orders/order-form-fields.tsx). A new date goes with every change to either; it is kept with each consent.
 */
export const newsletterVersion = "2026-11-21";
