import { day } from "../../../server/durations.ts";
import { watchDays } from "../../catalogue/after-sale.ts";
import { toParisDay } from "../../catalogue/settings/days-off.ts";
import { formatSource, publicationDelay } from "../../companies/bulletin/bulletin-source.ts";
import { formatDay } from "../../companies/bulletin/notice.ts";

/** What the bulletin published about a company since its extract was issued. Days are yyyy-mm-dd. */
export interface ExtractWatch {
	/** The day on which the extract was issued. */
	extractOn: string;
	/** The last day of publication that counts. */
	endsOn: string;
	/** Whether that day is past. */
	over: boolean;
	/** Whether a day has followed the extract's. */
	begun: boolean;
	/** Whether the bulletin is read, so that the watch may be promised. */
	watched: boolean;
	/** The newest first. */
	entries: PublishedEntry[];
	/** Whether accounts were filed: no entry says so, because they do not change an extract. */
	accountsFiled: boolean;
	/** The instant of the last import. */
	importedAt: Date;
	/** The last day of publication of which every notice was read; the import's day while only single notices were read. */
	readUntil: string;
	/**
	 * `complete`: every notice from the extract's day to `readUntil` was read. `awaited`: the next reading is the first after the extract.
	 * `incomplete`: some of these days were not read. `single`: only single notices were read, such as a demo's.
	 */
	reading: "complete" | "awaited" | "incomplete" | "single";
}

export interface PublishedEntry {
	/** The notice that was published. */
	id: string;
	/** The earlier notice that this one cancels or corrects, where nothing of that one is left. */
	withdraws: string | null;
	publishedOn: string;
	/** « Une modification a été publiée le 12 novembre 2026 : capital. » */
	sentence: string;
	/** What is said of the extract: « ne la montre peut-être pas »; null for nothing. */
	doubt: string | null;
	/** A sentence that goes with this kind of notice. */
	note: string | null;
	/** The notice on bodacc.fr. */
	url: string;
}

/** Whose extract it is: the customer's, or that of a reader who holds the document. */
export type Possessive = "votre" | "cet";

/** « Votre extrait du 3 novembre 2026 ne la montre peut-être pas. »; null for an entry that leaves no doubt. */
export function formatDoubt({ doubt }: PublishedEntry, { extractOn }: Pick<ExtractWatch, "extractOn">, whose: Possessive): string | null {
	return doubt && `${whose === "votre" ? "Votre" : "Cet"} extrait du ${formatDay(extractOn)} ${doubt}.`;
}

/**
 * The sentence of a watch without entries. It never says that nothing changed: only what was published is known. Null while no day has
 * followed the extract's: then nothing can have been published since.
 */
export function formatNothing(watch: ExtractWatch, whose: Possessive): string | null {
	const { reading, extractOn, endsOn, over, begun, watched, readUntil, accountsFiled } = watch;
	if (!begun) return null;
	const extract = `${whose} extrait du ${formatDay(extractOn)}`;
	if (reading === "awaited" && watched && !over) return `Le prochain relevé du BODACC dira si une annonce a paru depuis ${whose} extrait.`;
	const gap = formatGap(watch, whose);
	if (gap !== null) return gap;
	const nothing = `${accountsFiled ? "Hors dépôts de comptes, rien" : "Rien"} n’a été publié au BODACC`;
	if (over) return `${nothing} entre ${extract} et le ${formatDay(readUntil < endsOn ? readUntil : endsOn)}.`;
	return `${nothing} depuis ${extract} (relevé complet jusqu’au ${formatDay(readUntil)}).`;
}

/** The sentence of a watch that some days are missing from; null when none are, and before a day has followed the extract's. */
export function formatGap(
	{ reading, extractOn, begun }: Pick<ExtractWatch, "reading" | "extractOn" | "begun">,
	whose: Possessive,
): string | null {
	if (reading === "complete" || !begun) return null;
	const extract = `${whose} extrait du ${formatDay(extractOn)}`;
	if (reading === "single") return `Nous n’avons relevé que quelques annonces du BODACC\u00a0: d’autres ont pu paraître depuis ${extract}.`;
	return `Notre relevé du BODACC ne couvre pas tous les jours qui ont suivi ${extract}\u00a0: une annonce a pu nous échapper.`;
}

/** Said to a customer, in place of the promise, while the bulletin is not read. */
export const formatUnwatched = (demo: boolean): string =>
	demo
		? "Pas de surveillance en ce moment\u00a0: cette démonstration n’a qu’un relevé d’exemple du BODACC."
		: "Pas de surveillance en ce moment\u00a0: nous ne relevons pas le BODACC.";

/** Whether a new extract would show more: a cancelled notice alone leaves no doubt. */
export const hasDoubt = ({ entries }: Pick<ExtractWatch, "entries">): boolean => entries.some(({ doubt }) => doubt !== null);

/** The source of what a watch says, as its licence asks. */
export const formatWatchSource = ({ importedAt }: Pick<ExtractWatch, "importedAt">): string =>
	`${formatSource(importedAt)} ${publicationDelay}`;

/** The day of an instant in Europe/Paris, yyyy-mm-dd. */
export const toDay = (instant: Date): string => toParisDay(instant).toString();

/** The last day of publication that counts for an extract, yyyy-mm-dd. */
export const getWatchEnd = (deliveredAt: Date): string => toParisDay(deliveredAt).add({ days: watchDays }).toString();

/** Days after the end of a watch on which its last notices are still told, because the bulletin may be imported late. */
const importDays = 7;

/** Notices are told about extracts that were delivered after this instant. */
export const getEarliestDelivery = (now: Date): Date => new Date(now.getTime() - (watchDays + importDays) * day);
