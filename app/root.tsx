import { Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation, useMatches } from "react-router";
import type { Route } from "./+types/root";
import stylesheet from "./app.css?url";
import { pages } from "./content/pages.ts";
import { getScripts, onDemandLoader } from "./page-scripts.ts";
import { shopContext } from "./shop.ts";
import { describeError, ErrorPage } from "./ui/error-page.tsx";
import sans from "./ui/fonts/sans.woff2?url";
import serif from "./ui/fonts/serif.woff2?url";
import { formatSupportHours, setFrenchSpaces } from "./ui/french-spaces.ts";
import { SiteLayout } from "./ui/layout.tsx";
import { readMatches } from "./ui/page-match.ts";
import { pageMeta, type Site } from "./ui/site.ts";

const preloadFont = (url: string) => ({ rel: "preload", as: "font", type: "font/woff2", href: url, crossOrigin: "anonymous" as const });

export const links: Route.LinksFunction = () => [
	preloadFont(serif),
	preloadFont(sans),
	{ rel: "stylesheet", href: stylesheet },
	{ rel: "icon", type: "image/svg+xml", href: "/favicon.svg" },
	{ rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
];

export async function loader({ context }: Route.LoaderArgs): Promise<Site> {
	const { environment, textVariables: facts, readSales } = context.get(shopContext);
	const { notices } = await readSales();
	return {
		shop: { ...environment.shop, supportHours: formatSupportHours(environment.shop.supportHours) },
		baseUrl: environment.baseUrl,
		demo: !environment.production,
		pages: pages.filter(({ menus }) => menus.length > 0),
		notices: notices.map(({ kind, title, text }) => ({ kind, title: setFrenchSpaces(title), text: setFrenchSpaces(text) })),
		officialPrice: facts.officialPrice,
		privateService: {
			who: `${facts.shopName} est un service privé et indépendant, sans lien avec Infogreffe, les greffes, l’INPI ni l’État.`,
			price: `Au greffe, l’extrait électronique coûte ${facts.officialPrice} (source\u00a0: ${facts.officialPriceSource}, ${setFrenchSpaces(facts.officialPriceDate)}).`,
		},
	};
}

/** A form in the browser answers with its own sentences, so that the notices need not be read again. */
export const shouldRevalidate = () => false;

/** The meta tags of errors and of pages without their own. */
export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, { title: page.error ? describeError(page.error).title : "Extraits Kbis", index: !page.error });

export function Layout({ children }: { children: React.ReactNode }) {
	const matches = readMatches(useMatches());
	const scripts = getScripts(matches);
	return (
		<html lang="fr">
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				{/* a SIREN is no telephone number, and a link that the browser draws around it changes the page before React starts */}
				<meta name="format-detection" content="telephone=no" />
				<meta name="color-scheme" content="light dark" />
				<meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf8f2" />
				<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#101613" />
				<Meta />
				<Links />
			</head>
			<body>
				{children}
				{scripts === "on-demand" && <script type="module">{onDemandLoader}</script>}
				{scripts === "all" && <ScrollRestoration />}
				{scripts === "all" && <Scripts />}
			</body>
		</html>
	);
}

export default function App() {
	const matches = readMatches(useMatches());
	const { pathname } = useLocation();
	if (matches.some(({ handle }) => handle?.desk)) return <Outlet />;
	return (
		<SiteLayout>
			{matches.some(({ loaderData }) => loaderData?.changes) && (
				<noscript>
					{/* a page that reloads by itself would take away what is being typed in it (WCAG 2.2.1) */}
					<p className="mx-auto max-w-page px-5 pt-4 text-sm text-soft sm:px-8">
						Sans JavaScript, cette page ne se met pas à jour seule.{" "}
						<a className="link" href={pathname}>
							Actualiser
						</a>
					</p>
				</noscript>
			)}
			<Outlet />
		</SiteLayout>
	);
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
	return (
		<SiteLayout>
			<ErrorPage error={error} />
		</SiteLayout>
	);
}
