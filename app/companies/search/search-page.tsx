import { href } from "react-router";
import { Breadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { SearchDrawing } from "../../ui/drawings/drawings.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Title } from "../../ui/page.tsx";
import { PrivateService } from "../../ui/private-service.tsx";
import { SeveralLink } from "../../ui/several-link.tsx";
import { CompanyCard } from "../company-card.tsx";
import { readCompanyText } from "../company-text.ts";
import { UnknownNumber } from "../unknown-number.tsx";
import {
	type CompanySearch,
	type FilterCounts,
	formatCompanySearch,
	isFiltered,
	quoteQuery,
	type SearchResult,
	type Total,
} from "./company-search.ts";
import { type DocumentWords, readDocumentWords, removeDocumentWords } from "./document-words.ts";
import { SearchForm } from "./search-form.tsx";
import { formatSearchHeading, formatSearchState, resultRegions, searchFormId, searchStateId } from "./search-regions.ts";

interface SearchPageProps {
	search: CompanySearch;
	result: SearchResult;
	counts: FilterCounts | null;
	/** The number of companies in the register; 0 before the first import. */
	companies: number;
}

/** The search form with the results; without a query, the form only. */
export function SearchPage({ search, result, counts, companies }: SearchPageProps) {
	const [heading, total, results] = resultRegions;
	return (
		<Page width="page">
			<Breadcrumb places={[{ label: "Accueil", href: href("/") }, { label: "Recherche" }]} />
			<Title id={heading}>{formatSearchHeading(search.query)}</Title>
			{/* on wide screens: the field above, filters on the left, results on the right */}
			<div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-12">
				<div id={searchFormId} className="contents">
					<SearchForm search={search} counts={counts} />
				</div>
				<div className="mt-4 lg:mt-6">
					<p id={total} role="status" className="min-h-7 text-soft">
						{search.query ? <ResultSummary result={result} /> : describeRegister(companies)}
					</p>
					<div id={results}>
						<Results search={search} result={result} />
					</div>
				</div>
			</div>
			<script id={searchStateId} type="application/json">
				{formatSearchState({ search, counts })}
			</script>
			<template id="recherche-en-cours">
				<div className={resultGrid}>
					{[1, 2, 3, 4, 5, 6].map((card) => (
						<SkeletonCard key={card} />
					))}
				</div>
			</template>
			<SeveralLink className="mt-10" />
			<PrivateService className="mt-4 max-w-reading border-t border-line pt-4" />
		</Page>
	);
}

const resultGrid = "mt-4 grid gap-4 md:grid-cols-2";

function ResultSummary({ result }: { result: SearchResult }) {
	const instead = result.corrected ?? result.dropped;
	// of no result, the notice below says it to those who see it
	if (!instead) return <span className={result.total === 0 ? "sr-only" : undefined}>{formatTotal(result)}</span>;
	return (
		<>
			{result.corrected ? "Aucune entreprise ne porte ce nom." : "Aucune entreprise ne correspond à tous les mots."} {formatResults(result)}{" "}
			pour «&nbsp;
			<strong className="text-ink">{instead}</strong>&nbsp;»
		</>
	);
}

/** Says that the words for the document were not searched, and leads to the search of all words. */
function DocumentNotice({ search, rest }: { search: CompanySearch; rest: string }) {
	return (
		<p className="mt-2 max-w-reading">
			Recherche de «&nbsp;{rest}&nbsp;» sans «&nbsp;{readDocumentWords(search.query)?.document}&nbsp;». <ExactLink search={search} />
		</p>
	);
}

const ExactLink = ({ search }: { search: CompanySearch }) => (
	<a
		className="link inline-block"
		href={`${href("/recherche")}?${formatCompanySearch({ ...search, query: quoteQuery(search.query), page: 1 })}`}
	>
		Chercher les mots exacts
	</a>
);

/** Before companies that somebody without a Kbis might order, and where the query has no company's name yet. */
function KindNotice({ search, read }: { search: CompanySearch; read: DocumentWords }) {
	return (
		<Notice
			title={read.rest ? "Un auto-entrepreneur n’a pas de Kbis" : "Cherchez une entreprise par son nom ou son SIREN"}
			className="mt-4 max-w-reading"
		>
			<p className="mt-2">
				Auto-entrepreneur ou micro-entrepreneur&nbsp;? Vous n’avez sans doute pas de Kbis&nbsp;: un document gratuit suffit.{" "}
				<a className="link inline-block" href={href("/ai-je-besoin-d-un-kbis")}>
					Lequel&nbsp;?
				</a>
			</p>
			{!read.rest && (
				<p className="mt-2">
					Une entreprise porte ce nom&nbsp;? <ExactLink search={search} />
				</p>
			)}
		</Notice>
	);
}

function Results({ search, result }: { search: CompanySearch; result: SearchResult }) {
	if (!search.query) return <SearchDrawing className="mx-auto mt-10 w-40 max-lg:hidden lg:w-48" />;
	const read = readDocumentWords(search.query);
	const notice = read && (!read.rest || read.namesSoleTrader) && <KindNotice search={search} read={read} />;
	const document = result.withoutDocument && <DocumentNotice search={search} rest={result.withoutDocument} />;
	if (result.total === 0)
		return (
			<>
				{notice}
				{document}
				{(!notice || document) && <NoResults search={search} result={result} />}
			</>
		);
	return (
		<>
			{notice}
			{document}
			<div className={resultGrid}>
				{result.results.map((company) => (
					<CompanyCard key={company.siren} company={company} />
				))}
			</div>
			<Pagination
				page={result.page}
				pages={Math.ceil(result.total / result.perPage)}
				url={(page) => `${href("/recherche")}?${formatCompanySearch({ ...search, page })}`}
			/>
		</>
	);
}

function NoResults({ search, result: { withoutFilters } }: { search: CompanySearch; result: SearchResult }) {
	const unfiltered = `${href("/recherche")}?${new URLSearchParams({ q: search.query })}`;
	return (
		<div className="flex flex-wrap-reverse items-end justify-between gap-x-10 gap-y-4">
			<Notice title="Aucune entreprise trouvée pour votre recherche" className="max-w-reading flex-1 basis-80">
				{withoutFilters ? <p className="mt-2">Aucun résultat avec ces filtres.</p> : <QueryTips query={search.query} />}
				<p className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2">
					{withoutFilters && (
						<a href={unfiltered} className={button("primary")}>
							Retirer les filtres ({formatResults(withoutFilters).toLowerCase()})
						</a>
					)}
					<a href={href("/")} className={button("secondary")}>
						Nouvelle recherche
					</a>
					{isFiltered(search) && !withoutFilters && (
						<a href={unfiltered} className={button("quiet")}>
							Retirer les filtres
						</a>
					)}
				</p>
			</Notice>
			<SearchDrawing className="w-20 lg:w-48" />
		</div>
	);
}

function QueryTips({ query }: { query: string }) {
	const read = readCompanyText(removeDocumentWords(query));
	switch (read.kind) {
		case "number":
		case "wrong":
			return <UnknownNumber siren={read.siren} isValid={read.kind === "number"} />;
		case "shortened":
			return <p className="mt-2">Votre tableur a abrégé ce numéro. Recopiez ses chiffres.</p>;
		case "digits":
			return <DigitCount />;
		case "several":
			return <p className="mt-2">Nous ne trouvons aucune des entreprises de ces numéros. Vérifiez leurs chiffres.</p>;
		case "name":
			return <SpellingTips />;
	}
}

function SpellingTips() {
	return (
		<ul className="mt-2 list-disc pl-5">
			<li>Vérifiez l’orthographe.</li>
			<li>Utilisez des termes plus généraux.</li>
			<li>Saisissez le SIREN ou le SIRET exact.</li>
		</ul>
	);
}

function DigitCount() {
	return <p className="mt-2">Un SIREN a 9&nbsp;chiffres, un SIRET en a 14. Saisissez le numéro exact, ou le nom de l’entreprise.</p>;
}

const number = new Intl.NumberFormat("fr-FR");

/** « 17 résultats ». */
function formatResults({ total, totalIsCapped }: Total): string {
	if (totalIsCapped) return `Plus de ${number.format(total)} résultats`;
	return total > 1 ? `${number.format(total)} résultats` : `${total} résultat`;
}

function formatTotal({ total, totalIsCapped }: Total): string {
	if (totalIsCapped) return `Plus de ${number.format(total)} entreprises trouvées`;
	return total > 1 ? `${number.format(total)} entreprises trouvées` : `${total} entreprise trouvée`;
}

/** The description of the page for search engines. */
export function describeResult(result: SearchResult): string {
	const next =
		result.total > 1 ? "Consultez leur fiche et commandez leur extrait Kbis." : "Consultez sa fiche et commandez son extrait Kbis.";
	const nothing = "Cherchez par nom, SIREN ou SIRET.";
	return `${formatTotal(result)} pour «\u00a0${result.searched}\u00a0». ${result.total > 0 ? next : nothing} Service privé et indépendant.`;
}

function describeRegister(companies: number): string {
	return companies > 0 ? `Recherchez parmi ${number.format(companies)} entreprises et organismes, par nom, SIREN ou SIRET.` : "";
}

/** A placeholder for a line of text that is loading. */
function Skeleton({ className = "h-4 w-full" }: { className?: string }) {
	return <span className={`block animate-pulse rounded-md bg-shade ${className}`} />;
}

/** A placeholder for a card that is loading; hidden from screen readers, which get « Recherche en cours... ». */
function SkeletonCard() {
	return (
		<div aria-hidden="true" className="grid gap-3 rounded-lg border border-line bg-sheet p-6">
			<Skeleton className="h-6 w-2/5" />
			<Skeleton className="h-4 w-2/5" />
			<Skeleton />
			<Skeleton className="mt-3 h-6 w-2/5" />
		</div>
	);
}

/** The number of pages linked on each side of the current one. */
const neighbours = 2;

/** Links to numbered pages, with previous and next; nothing for a single page. */
export function Pagination({ page, pages, url }: { page: number; pages: number; url: (page: number) => string }) {
	if (pages <= 1) return null;
	const shape = "inline-flex min-h-11 min-w-11 items-center justify-center rounded-md px-3";
	const link = `${shape} border border-line bg-sheet hover:border-ink`;
	return (
		<nav aria-label="Pages de résultats" className="mt-10">
			<ul className="flex flex-wrap items-center justify-center gap-2">
				{page > 1 && (
					<li>
						<a href={url(page - 1)} rel="prev" className={link}>
							Précédent
						</a>
					</li>
				)}
				{listPageNumbers(page, pages).map((number, index) => (
					<li key={number ?? `gap-${index}`} className="figures">
						{number === null ? (
							<span aria-hidden="true">…</span>
						) : number === page ? (
							<span aria-current="page" className={`${shape} border border-accent font-semibold text-accent`}>
								<span className="sr-only">Page </span>
								{number}
							</span>
						) : (
							<a href={url(number)} className={link}>
								<span className="sr-only">Page </span>
								{number}
							</a>
						)}
					</li>
				))}
				{page < pages && (
					<li>
						<a href={url(page + 1)} rel="next" className={link}>
							Suivant
						</a>
					</li>
				)}
			</ul>
		</nav>
	);
}

/** Lists the first, the last, the current page and its neighbours; null for a gap. */
function listPageNumbers(page: number, pages: number): (number | null)[] {
	const pageNumbers = new Set([1, pages]);
	for (let number = page - neighbours; number <= page + neighbours; number++) if (number > 1 && number < pages) pageNumbers.add(number);
	const sorted = [...pageNumbers].sort((a, b) => a - b);
	return sorted.flatMap((number, index) => (index > 0 && number - (sorted[index - 1] ?? 0) > 1 ? [null, number] : [number]));
}
