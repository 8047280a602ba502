import { formatPeriod } from "./retention.ts";

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
