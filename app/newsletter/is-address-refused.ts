/**
 * Whether a mail server's refusal for good says that the address does not exist, and not that it dislikes this one letter: a letter taken
 * for unwanted mail must not end every subscription.
 * Enhanced codes decide where there are any (RFC 3463: X.1 addressing, X.2.0 and X.2.1 mailbox); otherwise the reply codes of RFC 5321,
 * 4.2.3. What has no code was refused before any dialogue: no server can be asked to write there.
 */
export function isAddressRefused(reason: string): boolean {
	const [, code, subject, detail] = /^(\d{3})(?:[ -]5\.(\d+)\.(\d+))?/.exec(reason) ?? [];
	if (code === undefined) return true;
	if (subject !== undefined) return subject === "1" || (subject === "2" && (detail === "0" || detail === "1"));
	return ["550", "551", "553", "556"].includes(code);
}
