// From when on something is wrong: what the doctor, /readyz, the desk and the alerts (deploy/prometheus/alerts.yaml) say alike.

/** Minutes that a due job, an e-mail, an invoice's PDF or an order's copy may wait. */
export const maxWaitMinutes = 10;

/** Seconds since the schedules were last looked at, as every five seconds. */
export const maxScheduleAge = 120;

/** Runs that may fail within a day, of a job that runs every few minutes and is not tried again: the next one does the same. */
export const maxFailedRuns = 30;

/** Minutes since the parts were last probed, as every five minutes. */
export const maxProbeMinutes = 15;

/** Days since the companies were last updated, as every day. */
export const maxCompaniesDays = 3;

/** Milliseconds by which a clock may differ from the payment provider's; it refuses what is signed five minutes from its own time. */
export const maxClockAhead = 30_000;

/** @param ahead milliseconds, negative when the clock is behind; null: unknown. */
export const isClockWrong = (ahead: number | null | undefined): boolean => Math.abs(ahead ?? 0) > maxClockAhead;
