/** What operators are told of the shop's health. */
export interface HealthFacts {
	/** When it was measured. */
	at: Date;
	database: boolean;
	jobs: boolean;
	storage: boolean;
	mail: boolean;
	payment: boolean;
	/** Due jobs, and the minutes that the oldest has waited. Null: the database did not answer. */
	queue: { due: number; minutes: number | null } | null;
	/** Seconds since the schedules were last looked at. Null: never, or the database did not answer. */
	scheduleAge: number | null;
	/** E-mails that are due; `age` in seconds of the oldest. Null: the database did not answer. */
	mails: { unsent: number; age: number } | null;
	/** Payments that no event of the provider announced. Null: the database did not answer. */
	unannounced: number | null;
	/** Milliseconds by which the clock is ahead of the payment provider's; null: unknown. */
	clockAhead: number | null;
	backup: BackupState;
}

/** `untracked`: a demo. `unknown`: nothing tells where the backups are. `unreadable`: the folder cannot be read. */
export type BackupState = { state: "untracked" | "unknown" | "unreadable" | "failing" } | { state: "known"; at: Date | null };
