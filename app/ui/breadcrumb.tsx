import { href } from "react-router";
import { JsonLd } from "./json-ld.tsx";
import { useSite } from "./site.ts";

/** An entry of a breadcrumb; the last one is the page itself and needs no URL. */
export interface Place {
	label: string;
	href?: string;
}

const home: Place = { label: "Accueil", href: href("/") };

/** The breadcrumb of a page right below the home page. */
export function HomeBreadcrumb({ label }: { label: string }) {
	return <Breadcrumb places={[home, { label }]} baseUrl={useSite()?.baseUrl} />;
}

/** The breadcrumb of a page of the help centre. */
export function HelpBreadcrumb({ label }: { label: string }) {
	return <Breadcrumb places={[home, { label: "Centre d’aide", href: href("/aide") }, { label }]} baseUrl={useSite()?.baseUrl} />;
}

/** The path to this page, for readers and for search engines. Phones leave out the page itself, which its title names. @param baseUrl without it, no data block is written. */
export function Breadcrumb({ places, baseUrl }: { places: readonly Place[]; baseUrl?: string }) {
	return (
		<nav aria-label="Fil d’Ariane" className="mb-1 text-sm text-soft md:mb-3">
			<ol className="flex flex-wrap items-center gap-x-2">
				{places.map(({ label, href: to }, index) => (
					<li key={label} className={`flex items-center gap-x-2 ${to ? "" : "max-sm:hidden"}`}>
						{index > 0 && <span aria-hidden="true">›</span>}
						{to ? (
							<a href={to} className="link inline-flex min-h-11 items-center">
								{label}
							</a>
						) : (
							<span aria-current="page" className="text-ink">
								{label}
							</span>
						)}
					</li>
				))}
			</ol>
			{baseUrl && (
				<JsonLd
					data={{
						"@type": "BreadcrumbList",
						itemListElement: places.map(({ label, href: to }, index) => ({
							"@type": "ListItem",
							position: index + 1,
							name: label,
							...(to && { item: baseUrl + to }),
						})),
					}}
				/>
			)}
		</nav>
	);
}
