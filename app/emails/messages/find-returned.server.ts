import { day } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import { isUuid } from "../../../server/uuid.ts";
import type { Notice } from "../../mail/read-notice.server.ts";
import { listRecentEmailsTo } from "../../mail/sent-emails.store.server.ts";
import { listRecentReplies } from "./conversations.store.server.ts";

/** Milliseconds: mail servers give up after four to five days (RFC 5321, 4.5.4.1). */
const recent = 7 * day;
/** E-mails of an address among which the one that came back is looked for. */
const maxCandidates = 10;

export interface Returned {
	/** Of a row of `mails`, or of a reply. */
	id: string;
	/** The server's words, without addresses. */
	reason: string;
}

/**
 * Finds the e-mails of the shop that a notice is about: by their Message-ID, which nobody else knows; else, where a relay gave it
 * another one or the notice has none, the latest of the last days to each address, or the one with the same subject.
 */
export async function findReturned(context: Context, { messageIds, recipients, subject, isSubscription }: Notice): Promise<Returned[]> {
	const reason = recipients[0]?.reason ?? "";
	const ids = messageIds.flatMap((messageId) => getOwnId(messageId) ?? []);
	if (ids.length > 0) return ids.map((id) => ({ id, reason }));
	const domain = getDomain(context.environment.mailFrom.address);
	// a newsletter, an alert or another e-mail of the shop that is about no order
	if (isSubscription || messageIds.some((messageId) => getDomain(messageId) === domain)) return [];
	const since = new Date(context.now().getTime() - recent);
	return context.db.transaction().execute(async (trx) => {
		const returned = new Map<string, Returned>();
		for (const { addresses, reason } of recipients)
			for (const email of addresses) {
				const query = { email, since, limit: maxCandidates };
				const emails = (await listRecentEmailsTo(trx, query)).map(({ mailId, ...sent }) => ({ id: mailId, ...sent }));
				const replies = (await listRecentReplies(trx, query)).map((sent) => ({ ...sent, subject: null }));
				const sent = [...emails, ...replies].sort((a, b) => b.sentAt.getTime() - a.sentAt.getTime());
				const found = sent.find((each) => each.subject !== null && each.subject === subject) ?? sent[0];
				if (found) returned.set(found.id, { id: found.id, reason });
			}
		return [...returned.values()];
	});
}

const getDomain = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/** The id of an e-mail of the shop in its Message-ID: « <uuid>@… », or of a receipt: « <uuid>-receipt@… ». */
export function getOwnId(messageId: string): string | null {
	const id = messageId.split("@")[0]?.replace(/-receipt$/i, "") ?? "";
	return isUuid(id) ? id : null;
}
