import { href, useNavigation } from "react-router";
import { CompanyCard } from "../companies/company-card.tsx";
import { companySources } from "../companies/company-sources.server.ts";
import { type CompanySearch, companySearchParams, parseCompanySearch, type SearchResult } from "../companies/search/company-search.ts";
import { countFilters } from "../companies/search/count-filters.server.ts";
import { Pagination } from "../companies/search/pagination.tsx";
import { searchCompanies } from "../companies/search/search-companies.server.ts";
import { SearchForm } from "../companies/search/search-form.tsx";
import { hasValidKey, parseSiren, parseSiret } from "../companies/siren.ts";
import { shopContext } from "../shop.ts";
import { Breadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Title } from "../ui/page.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { pageMeta } from "../ui/site.ts";
import { SkeletonCard } from "../ui/skeleton.tsx";
import type { Route } from "./+types/search.ts";

/** The same for everybody: sent again only when it changed. */
export const handle = { public: true };

export async function loader({ request, context }: Route.LoaderArgs) {
	const { readDb } = context.get(shopContext);
	const asked = parseCompanySearch(new URL(request.url).searchParams);
	const [found, sources] = await Promise.all([searchCompanies(readDb, asked), companySources(readDb)]);
	// filters can only leave fewer results: more than can be counted need not be counted
	const counts = found.totalIsCapped ? null : await countFilters(readDb, asked, found.corrected);
	return { search: { ...asked, page: found.page }, found, counts, companies: sources?.companies ?? 0 };
}

export const meta: Route.MetaFunction = (page) => {
	const { search, found } = page.loaderData ?? {};
	if (!search?.query) {
		const description =
			"Trouvez une entreprise par son nom, son SIREN ou son SIRET, puis commandez son extrait Kbis. Service privé et indépendant.";
		return pageMeta(page, { title: "Rechercher une entreprise", description, index: !search || !isFiltered(search) });
	}
	return pageMeta(page, {
		title: `Résultats pour "${search.query}"`,
		description: `${count(found)} pour « ${search.query} ». Consultez leur fiche et commandez leur extrait Kbis. Service privé et indépendant.`,
		index: !isFiltered(search) && found?.total !== 0 && search.page === 1,
	});
};

export default function Search({ loaderData: { search, found, counts, companies } }: Route.ComponentProps) {
	const { state, location } = useNavigation();
	const loading = state === "loading" && location.pathname === href("/recherche");
	const query = loading ? (new URLSearchParams(location.search).get("q")?.trim() ?? "") : search.query;
	return (
		<Page width="page">
			<Breadcrumb places={[{ label: "Accueil", href: href("/") }, { label: "Recherche" }]} />
			<Title>{query ? `Résultats pour "${query}"` : "Rechercher une entreprise"}</Title>
			<SearchForm search={search} counts={counts} />
			<p role="status" className="mt-6 min-h-7 text-soft">
				{loading ? "Recherche en cours..." : search.query ? <Summary found={found} /> : intro(companies)}
			</p>
			{loading ? (
				<div className={grid}>
					{[1, 2, 3, 4, 5, 6].map((place) => (
						<SkeletonCard key={place} />
					))}
				</div>
			) : (
				<Results search={search} found={found} />
			)}
			<PrivateService short className="mt-12 max-w-reading border-t border-line pt-4" />
		</Page>
	);
}

const grid = "mt-6 grid gap-5 md:grid-cols-2 lg:grid-cols-3";

function Summary({ found }: { found: SearchResult }) {
	return (
		<>
			{count(found)}
			{found.corrected && (
				<>
					{" "}
					· Résultats pour « <strong className="text-ink">{found.corrected}</strong> »
				</>
			)}
		</>
	);
}

function Results({ search, found }: { search: CompanySearch; found: SearchResult }) {
	if (!search.query) return null;
	if (found.total === 0) return <Empty search={search} />;
	return (
		<>
			<div className={grid}>
				{found.results.map((company) => (
					<CompanyCard key={company.siren} company={company} />
				))}
			</div>
			<Pagination
				page={found.page}
				pages={Math.ceil(found.total / found.perPage)}
				address={(page) => `${href("/recherche")}?${companySearchParams({ ...search, page })}`}
			/>
		</>
	);
}

function Empty({ search }: { search: CompanySearch }) {
	const number = parseSiren(search.query) ?? parseSiret(search.query);
	return (
		<Notice title="Aucune entreprise trouvée pour votre recherche" className="mt-6 max-w-reading">
			{number && !hasValidKey(number) && (
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

function count(found: SearchResult | undefined): string {
	const total = found?.total ?? 0;
	if (found?.totalIsCapped) return `Plus de ${number.format(total)} entreprises trouvées`;
	return total > 1 ? `${number.format(total)} entreprises trouvées` : `${total} entreprise trouvée`;
}

function intro(companies: number): string {
	return companies > 0 ? `Par nom, SIREN ou SIRET, parmi ${number.format(companies)} entreprises et organismes.` : "";
}

function isFiltered({ departement, formes, secteur }: CompanySearch): boolean {
	return departement !== null || formes.length > 0 || secteur !== null;
}
