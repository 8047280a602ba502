import { describeFault } from "../../server/observability/log.ts";
import { cleanLine } from "../ui/forms/text.ts";
import { parseMail } from "./read-mail.server.ts";

/** A mail server may send any text, and the operator reads it in a terminal. */
const maxReasonLength = 500;

/** The longest part that is read, in bytes: a report of many recipients has a few thousand. */
const maxPartLength = 65_536;

export type ReadBounce =
	/** `messageId`: between the angle brackets. `reason`: the mail server's own words, without addresses. */
	| { ok: true; messageId: string; reason: string }
	/** `not-a-report`: no delivery status notification. `not-failed`: a notice of a delay, a relay or a delivery. */
	| { ok: false; code: "not-a-report" | "not-failed" | "no-message" };

/** Reads a delivery status notification (RFC 3464): the Message-ID of the bounced e-mail, and the reason. */
export async function readBounce(raw: Uint8Array): Promise<ReadBounce> {
	const { attachments } = (await parseMail(raw, { forceRfc822Attachments: true })).mail;
	const findPart = (...types: string[]) => {
		const content = attachments.find(({ mimeType }) => types.includes(mimeType))?.content;
		if (content === undefined) return undefined;
		const text = typeof content === "string" ? content.slice(0, maxPartLength) : new TextDecoder().decode(content.slice(0, maxPartLength));
		// unfolds lines (RFC 5322, 2.2.3)
		return text.replace(/\r\n/g, "\n").replace(/\n[ \t]+/g, " ");
	};
	const status = findPart("message/delivery-status", "message/global-delivery-status");
	if (status === undefined) return { ok: false, code: "not-a-report" };
	const failed = status.split(/\n\s*\n/).find((recipient) => findField(recipient, "Action")?.toLowerCase() === "failed");
	if (failed === undefined) return { ok: false, code: "not-failed" };
	const original = findPart("message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers");
	const messageId = /<([^<>]+)>/.exec(findField(original?.split(/\n\n/)[0] ?? "", "Message-ID") ?? "")?.[1];
	if (messageId === undefined) return { ok: false, code: "no-message" };
	const diagnostic = findField(failed, "Diagnostic-Code")?.replace(/^smtp\s*;\s*/i, "") ?? findField(failed, "Status") ?? "";
	return { ok: true, messageId, reason: cleanLine(describeFault(diagnostic), maxReasonLength) };
}

/** The first field of a name, in any case, of unfolded headers. */
function findField(headers: string, name: string): string | undefined {
	const prefix = `${name.toLowerCase()}:`;
	const line = headers.split("\n").find((each) => each.slice(0, prefix.length).toLowerCase() === prefix);
	return line?.slice(prefix.length).trim();
}
