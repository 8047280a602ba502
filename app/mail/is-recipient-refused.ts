/** Enhanced codes for an address without a mailbox (RFC 3463; 5.1.10: RFC 7505). Other codes 5.1.x concern the sender. */
const missingMailboxCodes: readonly string[] = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"];

/**
 * Whether a permanent refusal means that the address does not exist, as opposed to a refusal of this e-mail or its sender: an issue
 * classified as spam must not end every subscription.
 * Enhanced codes take precedence over the reply codes of RFC 5321, 4.2.3. A bare 550 does not count, because policies use it too.
 * A reply without a code comes from nodemailer, which cannot send to such an address.
 */
export function isRecipientRefused(reply: string): boolean {
	const [, code, enhanced] = /^(\d{3})(?:[ -](5\.\d+\.\d+))?/.exec(reply) ?? [];
	if (code === undefined) return true;
	return enhanced === undefined ? ["551", "553", "556"].includes(code) : missingMailboxCodes.includes(enhanced);
}
