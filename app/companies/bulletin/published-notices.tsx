import { Disclosure } from "../../ui/disclosure.tsx";
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

const number = new Intl.NumberFormat("fr-FR");

/** What the bulletin BODACC published about a company: five notices, and the others behind a fold. */
export function PublishedNotices({ siren, reading, ...notices }: PublishedNoticesData) {
	const { first, folded, total } = notices;
	// most removals do not say whether the company moved or ended: the remark is shown once
	const firstRemoval = [...first, ...folded].find(isRemoval);
	const coverage = describeCoverage(reading, total);
	const cut = formatCut(notices);
	const { demo = false } = useSite() ?? {};
	return (
		<Section id="annonces" title="Annonces publiées">
			{total > 0 && (
				<ul className="divide-y divide-line border-y border-line">
					{first.map((notice) => (
						<NoticeItem key={notice.id} notice={notice} explained={notice === firstRemoval} />
					))}
				</ul>
			)}
			{folded.length > 0 && (
				<Disclosure title={formatFoldTitle(notices)} className="border-b">
					<ul className="divide-y divide-line border-t border-line">
						{folded.map((notice) => (
							<NoticeItem key={notice.id} notice={notice} explained={notice === firstRemoval} />
						))}
					</ul>
					{cut && (
						<p className="border-t border-line py-3 text-sm text-soft">
							{cut} <FullList siren={siren} />
						</p>
					)}
				</Disclosure>
			)}
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

/** A notice, with its link. @param explained whether it says that a removal may be a move. */
function NoticeItem({ notice, explained }: { notice: BulletinNotice; explained: boolean }) {
	const { family, publishedOn, court, correction, url } = notice;
	const detail = formatNoticeDetail(notice);
	return (
		<li className="grid items-baseline gap-x-6 py-2.5 sm:grid-cols-[minmax(9rem,2fr)_3fr]">
			<p>
				<a className="link inline-flex min-h-11 items-center" rel="external" href={url}>
					{`${noticeFamilies[family].published} le ${formatDay(publishedOn)}`}
				</a>
			</p>
			<div className="min-w-0">
				{detail && <p className="first-letter:uppercase">{detail}</p>}
				{correction && <p>{formatCorrection(correction)}</p>}
				{court && <p className="text-sm text-soft">{court}</p>}
				{explained && <p className="text-sm text-soft">{removalSentence}</p>}
			</div>
		</li>
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
