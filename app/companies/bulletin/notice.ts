import { formatLongDay } from "../../catalogue/instants.ts";

/** The bulletin's codes (familleavis). `transfert` is a removal that the bulletin itself explains by a move; `other` has no code or a new one. */
export type NoticeFamily =
	| "creation"
	| "immatriculation"
	| "modification"
	| "radiation"
	| "transfert"
	| "collective"
	| "conciliation"
	| "vente"
	| "dpc"
	| "other";

/** A notice of the BODACC about a company. Days are yyyy-mm-dd. */
export interface BulletinNotice {
	/** Edition, issue and number, such as « B202601212014 ». */
	id: string;
	publishedOn: string;
	family: NoticeFamily;
	/** Set for a notice that corrects or cancels another one. */
	correction: Correction | null;
	/** The court's registry that published it. */
	court: string | null;
	/** What it is about, in French: « capital », or the nature of a judgment as printed. */
	kind: string | null;
	/** The day of the judgment, or the day on which the accounts were closed. */
	eventOn: string | null;
	/** The notice on bodacc.fr. */
	url: string;
}

export interface Correction {
	cancels: boolean;
	/** The day of the corrected notice, where we have it. */
	publishedOn: string | null;
}

/** What was read of the bulletin. */
export interface BulletinReading {
	importedAt: Date;
	/** The first and the last day of publication of which every notice was read; null while only single notices were. */
	covered: { from: string; to: string } | null;
}

/** The name of each family, and its sentence « … publié le ». */
export const noticeFamilies: Record<NoticeFamily, { name: string; published: string }> = {
	creation: { name: "Création", published: "Création publiée" },
	immatriculation: { name: "Immatriculation", published: "Immatriculation publiée" },
	modification: { name: "Modification", published: "Modification publiée" },
	radiation: { name: "Radiation", published: "Radiation publiée" },
	transfert: { name: "Transfert de siège", published: "Transfert de siège publié" },
	collective: { name: "Procédure collective", published: "Annonce de procédure collective publiée" },
	conciliation: { name: "Conciliation", published: "Annonce de conciliation publiée" },
	vente: { name: "Vente ou cession", published: "Annonce de vente ou de cession publiée" },
	dpc: { name: "Dépôt des comptes", published: "Dépôt des comptes publié" },
	other: { name: "Annonce", published: "Annonce publiée" },
};

/** Whether a notice removes a company from a register, and does not cancel an earlier removal. */
export const isRemoval = ({ family, correction }: Pick<BulletinNotice, "family" | "correction">): boolean =>
	family === "radiation" && correction?.cancels !== true;

/** Said with a removal: most of them do not say whether the company moved or ended. */
export const removalSentence = "Une radiation peut suivre un transfert à un autre greffe\u00a0: un extrait récent le précise.";

/**
 * Describes a notice in one line, without a full stop: « Modification publiée le 28 juin 2026 : capital ».
 * Says « publié », because the bulletin comes days after the registry.
 */
export function formatNotice(notice: Pick<BulletinNotice, "family" | "publishedOn" | "kind" | "eventOn">): string {
	const detail = formatNoticeDetail(notice);
	return `${noticeFamilies[notice.family].published} le ${formatDay(notice.publishedOn)}${detail ? `\u00a0: ${detail}` : ""}`;
}

/** What a notice is about, with its day: « Jugement d'ouverture de liquidation judiciaire, du 7 octobre 2026 »; null where nothing is known. */
export function formatNoticeDetail({ family, kind, eventOn }: Pick<BulletinNotice, "family" | "kind" | "eventOn">): string | null {
	const day = eventOn && (family === "dpc" ? `exercice clos le ${formatDay(eventOn)}` : `du ${formatDay(eventOn)}`);
	return [kind?.replaceAll("'", "’"), day].filter(Boolean).join(", ") || null;
}

/** « Rectifie l’annonce du 23 septembre 2026 », « Annule une annonce antérieure » */
export function formatCorrection({ cancels, publishedOn }: Correction): string {
	const which = publishedOn ? `l’annonce du ${formatDay(publishedOn)}` : "une annonce antérieure";
	return `${cancels ? "Annule" : "Rectifie"} ${which}`;
}

/** The URL that the bulletin gives to a notice (its field url_complete); another one is stored with the notice. */
export const noticeUrl = (id: string): string => `https://www.bodacc.fr/pages/annonces-commerciales-detail/?q.id=id:${id}`;

/** 2026-10-01 → « 1er octobre 2026 » */
export const formatDay = (day: string): string => formatLongDay(new Date(day));
