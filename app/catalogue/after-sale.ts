import { formatPeriod } from "./retention.ts";

/** Hours within which a message is answered (docs/rules.md, R54). */
export const replyHours = 24;

/** The same for every page. */
export const replyTime = `${replyHours}\u00a0h`;

/** Days from delivery within which a wrong or unusable extract is refunded on request (docs/rules.md, R29). */
export const guaranteeDays = 30;

/** « 30 jours » */
export const guaranteePeriod = formatPeriod({ days: guaranteeDays });

/** The longest time, in hours, for which a late refund above the brake waits for a person (docs/rules.md, R83). */
export const refundHoldHours = 24;

/** Days from its delivery for which the shop watches what is published about the company of an extract (docs/rules.md, R130). */
export const watchDays = 90;

/** « 90 jours » */
export const watchPeriod = formatPeriod({ days: watchDays });

/** Days from the first invoice of an order within which its customer may have it made out to another name (docs/rules.md, R57). */
export const correctionDays = 30;

/** « 30 jours » */
export const correctionPeriod = formatPeriod({ days: correctionDays });

/** The most corrections of an order: each takes two numbers. */
export const maxCorrections = 3;
