import type { Database } from "../../server/database/database.ts";
import type { Environment } from "../../server/environment/environment.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { PaymentProvider } from "../payments/provider.ts";

/** What the doctor looks at. It changes nothing of it. */
export interface Examined {
	db: Database;
	environment: Environment;
	storage: DocumentStorage;
	mailer: Mailer;
	/** Undefined: the sandbox, which is the shop itself. */
	provider: Pick<PaymentProvider, "ready"> | undefined;
	now: () => Date;
	/** How many documents are read, drawn at random; all of them where it is undefined. */
	sample: number | undefined;
	/** Draws how far a long examination is: the fraction from 0 to 1, and how many are done. */
	startProgress: (title: string) => (fraction: number, done: number) => void;
}

/** What an examination found. */
export interface Found {
	/** A sentence each; none when all is well. */
	problems: string[];
	/** What was seen, in a few words: « 1 234 fichiers lus ». */
	seen: string;
	/** It does not apply here, as `seen` says. */
	skipped?: true;
}

/** One row of what the doctor examines. */
export interface Check {
	/** For machines, in English. */
	name: string;
	/** What is examined, and how, in French. */
	what: string;
	how: string;
	/** What to do about every problem of this kind, in one sentence. */
	todo: string;
	examine: (of: Examined) => Promise<Found>;
}

const number = new Intl.NumberFormat("fr-FR");

/** « 1 document », « 1 234 documents » */
export const count = (many: number, one: string, several = `${one}s`) => `${number.format(many)}\u00a0${many > 1 ? several : one}`;

export const found = (seen: string, ...problems: string[]): Found => ({ seen, problems });
export const skipped = (seen: string): Found => ({ seen, problems: [], skipped: true });
