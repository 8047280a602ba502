import type { Database } from "../../../server/database/database.ts";
import type { Environment } from "../../../server/environment/environment.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { DocumentStorage } from "../../orders/documents/storage.ts";
import type { PaymentProvider } from "../../payments/provider.ts";

/** The parts that the doctor examines, without changing them. */
export interface DoctorContext {
	db: Database;
	environment: Environment;
	storage: DocumentStorage;
	mailer: Mailer;
	/** Undefined: payments are simulated. */
	provider: Pick<PaymentProvider, "ready"> | undefined;
	now: () => Date;
	/** The number of documents to read, chosen at random; undefined means all. */
	sample: number | undefined;
	/** Starts a progress bar. @returns a function that takes the completed fraction, from 0 to 1, and count. */
	startProgress: (title: string) => (fraction: number, done: number) => void;
}

/** The result of a check. */
export interface CheckResult {
	/** One sentence per problem; empty when all is well. */
	problems: string[];
	/** A short summary: « 1,234 files read ». */
	seen: string;
	/** The check does not apply; `seen` says why. */
	skipped?: true;
}

/** One check of the doctor. */
export interface Check {
	/** For machines. */
	name: string;
	/** The subject of the check, and the condition that it tests. */
	what: string;
	how: string;
	/** What to do about any problem that the check finds. */
	todo: string;
	examine: (context: DoctorContext) => Promise<CheckResult>;
}

const numberFormat = new Intl.NumberFormat("en-GB");

/** « 1 document », « 1,234 documents » */
export const formatCount = (count: number, singular: string, plural = `${singular}s`) =>
	`${numberFormat.format(count)} ${count === 1 ? singular : plural}`;

export const createResult = (seen: string, ...problems: string[]): CheckResult => ({ seen, problems });
export const skipCheck = (seen: string): CheckResult => ({ seen, problems: [], skipped: true });
