import { Temporal } from "temporal-polyfill";
import { watchDays } from "../catalogue/guarantee.ts";
import { zone } from "../catalogue/instants.ts";

/** The day of an instant in Europe/Paris, yyyy-mm-dd. */
export const toDay = (instant: Date): string => toPlainDate(instant).toString();

/** The last day of publication that counts for an extract, yyyy-mm-dd. */
export const getLastDay = (deliveredAt: Date): string => toPlainDate(deliveredAt).add({ days: watchDays }).toString();

const toPlainDate = (instant: Date) => Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone).toPlainDate();
