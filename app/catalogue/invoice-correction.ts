import { formatPeriod } from "./retention.ts";

/** Days from the first invoice of an order within which its customer may have it made out to another name (docs/rules.md, R57). */
export const correctionDays = 30;

/** « 30 jours » */
export const correctionPeriod = formatPeriod({ days: correctionDays });

/** The most corrections of an order: each takes two numbers. */
export const maxCorrections = 3;
