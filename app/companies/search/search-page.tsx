import { href, useNavigation } from "react-router";
import { Breadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Title } from "../../ui/page.tsx";
import { PrivateService } from "../../ui/private-service.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { CompanyCard } from "../company-card.tsx";
import { hasValidKey, parseSiren, parseSiret } from "../siren.ts";
import { type CompanySearch, type FilterCounts, formatCompanySearch, type SearchResult } from "./company-search.ts";
import { Pagination } from "./pagination.tsx";
import { SearchForm } from "./search-form.tsx";

interface SearchPageProps {
	search: CompanySearch;
	result: SearchResult;
	counts: FilterCounts | null;
	/** The number of companies in the register; 0 before the first import. */
	companies: number;
}

/** The search form with the results; without a query, the form only. */
export function SearchPage({ search, result, counts, companies }: SearchPageProps) {
	const { state, location } = useNavigation();
	const loading = state === "loading" && location.pathname === href("/recherche");
	const query = loading ? (new URLSearchParams(location.search).get("q")?.trim() ?? "") : search.query;
	return (
		<Page width="page">
			<Breadcrumb places={[{ label: "Accueil", href: href("/") }, { label: "Recherche" }]} />
			<Title>{query ? `Résultats pour "${query}"` : "Rechercher une entreprise"}</Title>
			<SearchForm search={search} counts={counts} />
			<p role="status" className="mt-6 min-h-7 text-soft">
				{loading ? "Recherche en cours..." : search.query ? <ResultSummary result={result} /> : describeRegister(companies)}
			</p>
			{loading ? (
				<div className={resultGrid}>
					{[1, 2, 3, 4, 5, 6].map((card) => (
						<SkeletonCard key={card} />
					))}
				</div>
			) : (
				<Results search={search} result={result} />
			)}
			<PrivateService short className="mt-12 max-w-reading border-t border-line pt-4" />
		</Page>
	);
}

const resultGrid = "mt-6 grid gap-5 md:grid-cols-2 lg:grid-cols-3";

function ResultSummary({ result }: { result: SearchResult }) {
	return (
		<>
			{formatTotal(result)}
			{result.corrected && (
				<>
					{" "}
					· Résultats pour « <strong className="text-ink">{result.corrected}</strong> »
				</>
			)}
		</>
	);
}

function Results({ search, result }: { search: CompanySearch; result: SearchResult }) {
	if (!search.query) return null;
	if (result.total === 0) return <NoResults search={search} />;
	return (
		<>
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

function NoResults({ search }: { search: CompanySearch }) {
	const identifier = parseSiren(search.query) ?? parseSiret(search.query);
	return (
		<Notice title="Aucune entreprise trouvée pour votre recherche" className="mt-6 max-w-reading">
			{identifier && !hasValidKey(identifier) && (
				<p className="mt-2">La clé de contrôle de ce numéro est fausse : un chiffre est sans doute à corriger.</p>
			)}
			<ul className="mt-2 list-disc pl-5">
				<li>Vérifiez l’orthographe.</li>
				<li>Utilisez des termes plus généraux.</li>
				<li>Saisissez le SIREN ou le SIRET exact.</li>
			</ul>
			<p className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2">
				<a href={href("/")} className={button("secondary")}>
					Nouvelle recherche
				</a>
				{isFiltered(search) && (
					<a href={`${href("/recherche")}?${new URLSearchParams({ q: search.query })}`} className={button("quiet")}>
						Retirer les filtres
					</a>
				)}
			</p>
		</Notice>
	);
}

const number = new Intl.NumberFormat("fr-FR");

export function formatTotal({ total, totalIsCapped }: SearchResult): string {
	if (totalIsCapped) return `Plus de ${number.format(total)} entreprises trouvées`;
	return total > 1 ? `${number.format(total)} entreprises trouvées` : `${total} entreprise trouvée`;
}

function describeRegister(companies: number): string {
	return companies > 0 ? `Par nom, SIREN ou SIRET, parmi ${number.format(companies)} entreprises et organismes.` : "";
}

export function isFiltered({ departement, formes, secteur }: CompanySearch): boolean {
	return departement !== null || formes.length > 0 || secteur !== null;
}
