import { describeDuration } from "./retention.ts";

/** Days from delivery within which a wrong or unusable extract is refunded on request (decision A6 of the specification). */
export const guaranteeDays = 30;

/** « 30 jours » */
export const guaranteePeriod = describeDuration({ days: guaranteeDays });
