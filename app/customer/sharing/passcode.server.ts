import { limitWaiting } from "../../../server/limit-concurrency.ts";
import { hashPassword, type PasswordHashing, verifyPassword } from "../../../server/password-hash.ts";

/** Twenty wait for half a second at most; more are refused. */
const inTurn = limitWaiting(2, 20);

/** Passcodes are told by telephone: neither capitals nor blanks count. */
export const normalizePasscode = (typed: string): string => typed.normalize("NFKC").toLowerCase().replace(/\s+/g, "");

/** @param passcode normalised. @returns null when too many wait. */
export const hashPasscode = (hashing: PasswordHashing, passcode: string): Promise<string | null> =>
	inTurn(() => hashPassword(hashing, passcode));

/** @param passcode normalised. @returns null when too many wait. */
export const isPasscode = (hashing: PasswordHashing, passcode: string, hash: string): Promise<boolean | null> =>
	inTurn(() => verifyPassword(hashing, passcode, hash));
