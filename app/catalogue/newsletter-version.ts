/**
 * Which words somebody read who asked for the newsletter: the ISO date of those beside the form (app/newsletter/newsletter-texts.ts) and beside
 * the order's box (app/order-form/order-form-fields.tsx). A new date goes with every change to either; it is kept with each consent.
 */
export const newsletterVersion = "2026-11-21";
