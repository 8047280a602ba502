import PostalMime from "postal-mime";
import { describeFault } from "../../server/observability/log.ts";
import { cleanLine } from "../forms/text.ts";

/** A mail server may write what it likes, and the operator reads it in a terminal. */
const longestReason = 500;

export type ReadBounce =
	/** `messageId`: between the angle brackets. `reason`: the mail server's own words, without addresses. */
	| { ok: true; messageId: string; reason: string }
	/** `not-a-report`: no delivery status notification at all. `not-failed`: it speaks of a delay, a relay, a delivery. */
	| { ok: false; code: "not-a-report" | "not-failed" | "no-message" };

/** Reads a delivery status notification (RFC 3464): which of our mails came back, and why. */
export async function readBounce(raw: Uint8Array): Promise<ReadBounce> {
	const { attachments } = await PostalMime.parse(new Uint8Array(raw), { forceRfc822Attachments: true });
	const partOf = (...types: string[]) => {
		const content = attachments.find(({ mimeType }) => types.includes(mimeType))?.content;
		if (content === undefined) return undefined;
		const text = typeof content === "string" ? content : new TextDecoder().decode(content);
		// folded lines are one (RFC 5322, 2.2.3)
		return text.replace(/\r\n/g, "\n").replace(/\n[ \t]+/g, " ");
	};
	const status = partOf("message/delivery-status", "message/global-delivery-status");
	if (status === undefined) return { ok: false, code: "not-a-report" };
	const failed = status.split(/\n\s*\n/).find((recipient) => fieldOf(recipient, "Action")?.toLowerCase() === "failed");
	if (failed === undefined) return { ok: false, code: "not-failed" };
	const original = partOf("message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers");
	const messageId = /<([^<>]+)>/.exec(fieldOf(original?.split(/\n\n/)[0] ?? "", "Message-ID") ?? "")?.[1];
	if (messageId === undefined) return { ok: false, code: "no-message" };
	const words = fieldOf(failed, "Diagnostic-Code")?.replace(/^smtp\s*;\s*/i, "") ?? fieldOf(failed, "Status") ?? "";
	return { ok: true, messageId, reason: cleanLine(describeFault(words), longestReason) };
}

const fieldOf = (headers: string, name: string) => new RegExp(`^${name}:\\s*(.*)$`, "im").exec(headers)?.[1]?.trim();
