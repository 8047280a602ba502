import { formatLongDay } from "../../catalogue/instants.ts";
import { computeRetentionEnd, retention } from "../../catalogue/retention.ts";
import type { EmailBlock, EmailContent } from "../../mail/email.ts";
import { isRecipientRefused } from "../../mail/is-recipient-refused.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { findBulletinReading } from "../bulletin/bulletin.server.ts";
import { formatSource, publicationDelay } from "../bulletin/bulletin-source.ts";
import {
	formatCorrection,
	formatDay,
	formatNotice,
	formatNoticeDetail,
	noticeFamilies,
	noticeUrl,
	removalSentence,
} from "../bulletin/notice.ts";
import { deleteAlertMail, findUnsentAlertMail, listMailNews, type NewsRow, updateAlertMail } from "./alert-mails.store.server.ts";
import { lockFollower, markAllEnded } from "./alerts.store.server.ts";
import { alertsUrl, endAlertUrl, endAllUrl } from "./links.server.ts";

/** A notice to tell, with its URL. */
export type News = NewsRow & { url: string };

interface AlertEmailFacts {
	/** When the bulletin was last read. */
	importedAt: Date;
	/** The last act of the mailbox's owner, from which the alerts run for three years. */
	activeAt: Date;
	companyUrl: (siren: string) => string;
	endAlertUrl: (alertId: string) => string;
	alertsUrl: string;
	endAllUrl: string;
}

/** The news of one mailbox, grouped by company. It names no people, because our notices hold no names. */
export function alertEmail(news: readonly News[], facts: AlertEmailFacts): EmailContent {
	const companies = [...Map.groupBy(news, ({ alert_id }) => alert_id).values()];
	const [first] = companies.map(getName);
	const only = companies.length === 1;
	const count = news.length === 1 ? "Une annonce" : `${news.length} annonces`;
	return {
		subject: `${count} au BODACC : ${only ? first : `${companies.length} entreprises que vous suivez`}`,
		preheader: only ? news.map(describeNews).join(" ; ") : companies.map(getName).join(", "),
		title: only ? `Annonces publiées sur ${first}` : "Annonces publiées sur les entreprises que vous suivez",
		blocks: [
			...companies.flatMap((rows) => companyBlocks(rows, facts)),
			{ heading: "Pourquoi cet e-mail ?" },
			`Vous avez demandé à être prévenu des annonces sur ${only ? "cette entreprise" : "ces entreprises"}. Vos alertes durent jusqu’au ${formatLongDay(computeRetentionEnd(facts.activeAt, retention.marketing))}, sauf si vous les prolongez ou les arrêtez avant.`,
			{ link: "Voir, modifier ou prolonger mes alertes", url: facts.alertsUrl },
			{ link: "Arrêter toutes mes alertes", url: facts.endAllUrl },
			`${formatSource(facts.importedAt)} ${publicationDelay}`,
		],
	};
}

const isRemovalRow = ({ family, cancels }: News) => family === "radiation" && cancels !== true;

const getName = (rows: readonly News[]): string => rows[0]?.name ?? `SIREN ${rows[0]?.siren}`;

function companyBlocks(rows: readonly News[], facts: AlertEmailFacts): EmailBlock[] {
	const [{ siren, alert_id } = fail()] = rows;
	const hasRemoval = rows.some(isRemovalRow);
	return [
		{ heading: getName(rows) },
		`SIREN ${siren}`,
		...rows.map((row): EmailBlock => ({ link: describeNews(row), url: row.url })),
		...(hasRemoval ? [removalSentence] : []),
		{ link: "Voir la fiche de l’entreprise", url: facts.companyUrl(siren) },
		{ link: "Ne plus suivre cette entreprise", url: facts.endAlertUrl(alert_id) },
	];
}

/** « Modification publiée le 28 juin 2026 : capital », « Annonce du 28 juin 2026 (modification, capital) : annulée par une annonce publiée le … » */
function describeNews(row: News): string {
	const { published_on: publishedOn, family, kind, event_on: eventOn, cancels, target_on } = row;
	if (cancels === true) return `${describeTarget(row)} : annulée par une annonce publiée le ${formatDay(publishedOn)}`;
	const correction = cancels === null ? null : { cancels, publishedOn: target_on };
	if (family === null) return `${describeTarget(row)} : rectifiée par une annonce publiée le ${formatDay(publishedOn)}`;
	const notice = formatNotice({ publishedOn, family, kind, eventOn });
	return correction === null ? notice : `${notice}. ${formatCorrection(correction)}`;
}

/** « Annonce du 28 juin 2026 (modification, capital) » */
function describeTarget({ target_on, target_family, target_kind, target_event_on }: News): string {
	if (target_on === null || target_family === null) return "Annonce antérieure";
	const detail = formatNoticeDetail({ family: target_family, kind: target_kind, eventOn: target_event_on });
	const words = [noticeFamilies[target_family].name.toLowerCase(), detail].filter(Boolean).join(", ");
	return `Annonce du ${formatDay(target_on)} (${words})`;
}

function fail(): never {
	throw new Error("an e-mail without news");
}

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
