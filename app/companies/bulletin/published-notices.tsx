import { Disclosure } from "../../ui/disclosure.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { Section } from "../../ui/page.tsx";
import { useSite } from "../../ui/site.ts";
import type { ArrangedNotices } from "./arrange-notices.ts";
import { describeCoverage, formatSource, publicationDelay } from "./bulletin-source.ts";
import {
	type BulletinNotice,
	formatCorrection,
	formatDay,
	formatNoticeDetail,
	isRemoval,
	noticeFamilies,
	removalSentence,
} from "./notice.ts";
import type { PublishedNoticesData } from "./published-notices.server.ts";
import { createTimeline, type RegisterDates, type TimelineEntry } from "./timeline.ts";

const number = new Intl.NumberFormat("fr-FR");

interface PublishedNoticesProps extends PublishedNoticesData {
	/** The days that registers have of the company. */
	dates: RegisterDates;
}

/** What the bulletin BODACC published about a company, and its days in the registers: five notices, and the others behind a fold. */
export function PublishedNotices({ siren, reading, dates, ...notices }: PublishedNoticesProps) {
	const { total } = notices;
	const { first, folded, origin } = createTimeline(notices, dates);
	// most removals do not say whether the company moved or ended: the remark is shown once
	const firstRemoval = [...notices.first, ...notices.folded].find(isRemoval);
	const coverage = describeCoverage(reading, total);
	const cut = formatCut(notices);
	const { demo = false } = useSite() ?? {};
	return (
		<Section id="annonces" title={total > 0 ? "Chronologie" : "Annonces publiées"}>
			{total > 0 && (
				<TimelineList entries={folded.length > 0 ? first : [...first, ...origin]} explained={firstRemoval} className="border-y" />
			)}
			{folded.length > 0 && (
				<Disclosure title={formatFoldTitle(notices)} className="border-b">
					<TimelineList entries={folded} explained={firstRemoval} className="border-t" />
					{cut && (
						<p className="border-t border-line py-3 text-sm text-soft">
							{cut} <FullList siren={siren} />
						</p>
					)}
				</Disclosure>
			)}
			{folded.length > 0 && origin.length > 0 && <TimelineList entries={origin} className="border-b" />}
			{total === 0 && <p>{coverage}</p>}
			<p className="mt-3 text-sm text-soft">
				{formatSource(total > 0 ? reading.importedAt : null)} {demo && reading.covered === null && "C’est un relevé d’exemple. "}
				{publicationDelay}
				{total > 0 && coverage && (
					<>
						{" "}
						{coverage} {!cut && <FullList siren={siren} />}
					</>
				)}
			</p>
		</Section>
	);
}

interface TimelineListProps {
	entries: readonly TimelineEntry[];
	/** The notice that says that a removal may be a move. */
	explained?: BulletinNotice | undefined;
	className: string;
}

/** Days on the left, what happened on the right. */
function TimelineList({ entries, explained, className }: TimelineListProps) {
	return (
		<ul className={`divide-y divide-line border-line ${className}`}>
			{entries.map((entry) => {
				const day = "notice" in entry ? entry.notice.publishedOn : entry.day;
				return (
					<li key={"notice" in entry ? entry.notice.id : entry.label} className="grid gap-x-6 py-2.5 sm:grid-cols-[minmax(9rem,2fr)_3fr]">
						<time dateTime={day} className="figures text-soft">
							{formatDay(day)}
						</time>
						{"notice" in entry ? (
							<NoticeText notice={entry.notice} explained={entry.notice === explained} />
						) : (
							<p>
								{entry.label} <span className="text-sm text-soft">selon {entry.source}</span>
							</p>
						)}
					</li>
				);
			})}
		</ul>
	);
}

/** What a notice says, with its link. @param explained whether it says that a removal may be a move. */
function NoticeText({ notice, explained }: { notice: BulletinNotice; explained: boolean }) {
	const { family, court, correction, url } = notice;
	const detail = formatNoticeDetail(notice);
	return (
		<div className="min-w-0">
			<p>
				<a className="link -my-2 inline-flex min-h-11 items-center" rel="external" href={url}>
					{noticeFamilies[family].published}
				</a>
			</p>
			{detail && <p className="first-letter:uppercase">{setFrenchSpaces(detail)}</p>}
			{correction && <p>{formatCorrection(correction)}</p>}
			{court && <p className="text-sm text-soft">{court}</p>}
			{explained && <p className="text-sm text-soft">{removalSentence}</p>}
		</div>
	);
}

/** The notices of a company on the bulletin's own site. */
function FullList({ siren }: { siren: string }) {
	return (
		<a className="link" rel="external" href={`https://www.bodacc.fr/pages/annonces-commerciales/?q.registre=registre:${siren}`}>
			Toutes les annonces sur bodacc.fr
		</a>
	);
}

/** « Voir les 12 autres annonces », « Voir 45 des 307 autres annonces » */
function formatFoldTitle({ first, folded, total }: ArrangedNotices): string {
	const others = total - first.length;
	if (folded.length < others) return `Voir ${folded.length} des ${number.format(others)} autres annonces`;
	return others === 1 ? "Voir l’autre annonce" : `Voir les ${others} autres annonces`;
}

/** « Les 50 dernières sont affichées, sur 312. »; null when all notices are shown. */
function formatCut({ first, folded, total, olderInsolvency: older }: ArrangedNotices): string | null {
	const shown = first.length + folded.length;
	if (shown === total) return null;
	const among = `sur ${number.format(total)}`;
	if (older === 0) return `Les ${shown} dernières sont affichées, ${among}.`;
	const insolvency = older === 1 ? "une annonce plus ancienne" : `${older} annonces plus anciennes`;
	return `Les ${shown - older} dernières et ${insolvency} de procédure collective sont affichées, ${among}.`;
}
