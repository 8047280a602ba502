/** Milliseconds by which a clock may differ from the payment provider's; it refuses what is signed five minutes from its own time. */
export const maxClockAhead = 30_000;

/** @param ahead milliseconds, negative when the clock is behind; null: unknown. */
export const isClockWrong = (ahead: number | null | undefined): boolean => Math.abs(ahead ?? 0) > maxClockAhead;
