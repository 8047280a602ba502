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

/** The path to this page, for readers and for search engines. @param baseUrl without it, no data block is written. */
export function Breadcrumb({ places, baseUrl }: { places: readonly Place[]; baseUrl?: string }) {
	return (
		<nav aria-label="Fil d’Ariane" className="mb-1 text-sm text-soft md:mb-3">
			<ol className="flex flex-wrap items-center gap-x-2">
				{places.map(({ label, href: to }, index) => (
					<li key={label} className={to ? "flex items-center gap-x-2" : "max-sm:hidden"}>
						{to ? (
							<a href={to} className="link inline-flex min-h-11 items-center">
								{label}
							</a>
						) : (
							<span aria-current="page" className="text-ink">
								{label}
							</span>
						)}
						{index < places.length - 1 && (
							<span aria-hidden="true" className={index === places.length - 2 ? "max-sm:hidden" : undefined}>
								›
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
