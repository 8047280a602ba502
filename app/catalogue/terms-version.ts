/**
 * Which words a customer accepted: the ISO date of the terms of sale, kept with each order beside the hour of acceptance.
 * A new date goes with every change to app/content/texts/cgv.md.
 */
export const termsVersion = "2026-11-22";
