/** Names the file in which the workers of vitest record the processor time of their tests. */
export const profileVariable = "TEST_PROFILE";

/** The processor time of a test, or of a whole file with its hooks. */
export interface ProfileRow {
	file: string;
	/** Null: the whole file. */
	test: string | null;
	/** Seconds in the worker; not those of PostgreSQL and of the processes that the test starts. */
	seconds: number;
}
