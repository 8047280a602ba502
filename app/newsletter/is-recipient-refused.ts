/** Enhanced codes by which an address is no mailbox, or none any more (RFC 3463; 5.1.10: RFC 7505). Others of 5.1 speak of the sender. */
const gone: readonly string[] = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"];

/**
 * Whether a mail server's permanent refusal says that the address does not exist, and not that it refuses this e-mail or its sender: an issue
 * taken for spam must not end every subscription.
 * Enhanced codes decide where there are any; otherwise the reply codes of RFC 5321, 4.2.3, but not 550, which is also that of a policy.
 * What has no code was refused before any dialogue: no server can be asked to write there.
 */
export function isRecipientRefused(reason: string): boolean {
	const [, code, enhanced] = /^(\d{3})(?:[ -](5\.\d+\.\d+))?/.exec(reason) ?? [];
	if (code === undefined) return true;
	return enhanced === undefined ? ["551", "553", "556"].includes(code) : gone.includes(enhanced);
}
