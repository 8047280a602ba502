import { formatSource, publicationDelay } from "../bulletin/bulletin-source.ts";
import { formatCorrection, formatDay, formatNotice, formatNoticeDetail, noticeFamilies, removalSentence } from "../bulletin/notice.ts";
import { formatLongDay } from "../catalogue/instants.ts";
import { computeRetentionEnd, retention } from "../catalogue/retention.ts";
import type { EmailBlock, EmailContent } from "../mail/email.ts";
import type { NewsRow } from "./alert-mails.store.server.ts";

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
