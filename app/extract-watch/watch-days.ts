import { watchDays } from "../catalogue/guarantee.ts";
import { toParisDay } from "../shop-settings/days-off.ts";

/** The day of an instant in Europe/Paris, yyyy-mm-dd. */
export const toDay = (instant: Date): string => toParisDay(instant).toString();

/** The last day of publication that counts for an extract, yyyy-mm-dd. */
export const getLastDay = (deliveredAt: Date): string => toParisDay(deliveredAt).add({ days: watchDays }).toString();
