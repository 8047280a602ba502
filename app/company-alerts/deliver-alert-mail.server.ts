import { findBulletinReading } from "../bulletin/bulletin.server.ts";
import { noticeUrl } from "../bulletin/notice.ts";
import { isRecipientRefused } from "../mail/is-recipient-refused.ts";
import type { MailContext } from "../mail/mailer.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { alertEmail } from "./alert-email.ts";
import { deleteAlertMail, findUnsentAlertMail, listMailNews, updateAlertMail } from "./alert-mails.store.server.ts";
import { lockFollower, markAllEnded } from "./alerts.store.server.ts";
import { alertsUrl, endAlertUrl, endAllUrl } from "./links.server.ts";

/**
 * Sends the news of a mailbox once. Alerts that ended meanwhile are left out; an address that no longer exists ends all of its alerts.
 * @throws after a temporary failure; the job tries again with the same Message-ID.
 */
export async function deliverAlertMail(context: MailContext, mailId: string): Promise<void> {
	const { db, environment, log, mailer, now } = context;
	const mail = await findUnsentAlertMail(db, mailId);
	if (mail === null) return; // the rule: once; net: the same Message-ID
	const news = (await listMailNews(db, mailId)).map((row) => ({ ...row, url: row.url ?? noticeUrl(row.id) }));
	if (news.length === 0) return deleteAlertMail(db, mailId);
	const unsubscribeUrl = endAllUrl(context, mail.followerId);
	const content = alertEmail(news, {
		importedAt: (await findBulletinReading(db))?.importedAt ?? now(),
		activeAt: mail.activeAt,
		companyUrl: (siren) => absoluteUrl(environment.baseUrl, "/entreprise/:siren", { siren }),
		endAlertUrl: (alertId) => endAlertUrl(context, alertId),
		alertsUrl: alertsUrl(context, mail.followerId),
		endAllUrl: unsubscribeUrl,
	});
	const sent = await mailer.send({ id: mailId, to: mail.email, unsubscribeUrl, ...renderEmail(content, environment.shop) });
	if (sent.ok) return updateAlertMail(db, mailId, { sent_at: now() });
	log.warn({ follower: mail.followerId, reason: sent.reply }, "an alert of a company was refused by its mail server");
	await db.transaction().execute(async (trx) => {
		await updateAlertMail(trx, mailId, { refused_reason: sent.reply.slice(0, 500) });
		if (isRecipientRefused(sent.reply) && (await lockFollower(trx, mail.followerId))) await markAllEnded(trx, mail.followerId, now());
	});
}
