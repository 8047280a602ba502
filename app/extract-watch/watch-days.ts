import { day } from "../../server/durations.ts";
import { watchDays } from "../catalogue/guarantee.ts";
import { toParisDay } from "../shop-settings/days-off.ts";

/** The day of an instant in Europe/Paris, yyyy-mm-dd. */
export const toDay = (instant: Date): string => toParisDay(instant).toString();

/** The last day of publication that counts for an extract, yyyy-mm-dd. */
export const getWatchEnd = (deliveredAt: Date): string => toParisDay(deliveredAt).add({ days: watchDays }).toString();

/** Days after the end of a watch on which its last notices are still told, because the bulletin may be imported late. */
const importDays = 7;

/** Notices are told about extracts that were delivered after this instant. */
export const getEarliestDelivery = (now: Date): Date => new Date(now.getTime() - (watchDays + importDays) * day);
