import type { ReactNode } from "react";
import { href, useLocation, useMatches } from "react-router";
import { typedEntries } from "../../server/types/objects.ts";
import { button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Logo } from "./logo.tsx";
import { Notice } from "./notice.tsx";
import { readMatches } from "./page-match.ts";
import { type Menu, type Site, useSite } from "./site.ts";

const footerMenus = { service: "Le service", help: "Aide", company: "Qui sommes-nous", legal: "Informations légales" } as const;

/** The layout of every page. Its links load whole pages, so that no menu stays open. */
export function SiteLayout({ children }: { children: ReactNode }) {
	const site = useSite();
	const matches = readMatches(useMatches());
	const inFunnel = matches.some(({ handle }) => handle?.funnel);
	const sells = matches.some(({ handle }) => handle?.sells);
	return (
		<>
			<a href="#contenu" className="absolute top-3 left-3 z-20 rounded-md bg-ink px-4 py-2.5 text-paper not-focus:sr-only">
				Aller au contenu
			</a>
			{site && (inFunnel ? <FunnelHeader site={site} /> : <Header site={site} />)}
			<main id="contenu" tabIndex={-1} className="min-h-[60vh] outline-none">
				{site && sells && <SalesNotices notices={site.notices} />}
				{children}
			</main>
			{site && (inFunnel ? <FunnelFooter site={site} sells={sells} /> : <Footer site={site} />)}
		</>
	);
}

/** What cannot be ordered now, and days off. */
function SalesNotices({ notices }: Pick<Site, "notices">) {
	if (notices.length === 0) return null;
	return (
		<section aria-label="Commandes" className="mx-auto grid max-w-page gap-3 px-5 pt-5 sm:px-8">
			{notices.map(({ kind, title, text }) => (
				<Notice key={title} kind={kind === "closed" ? "warning" : "info"} title={title}>
					<p>{text}</p>
				</Notice>
			))}
		</section>
	);
}

/** The first line of every page. On narrow screens, and where the header has the telephone, only a demo has one. */
function TopLine({ site, help }: { site: Site; help: boolean }) {
	if (!site.demo && !help) return null;
	return (
		<div className={`border-b border-line text-xs text-soft ${site.demo ? "" : "max-lg:hidden"}`}>
			<div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-8 px-5 sm:px-8">
				{site.demo && (
					<p className="py-2">
						Boutique de démonstration<span className="max-sm:hidden">&nbsp;: aucun paiement réel, documents marqués SPECIMEN.</span>
						<span className="sm:hidden">, sans paiement réel.</span>
					</p>
				)}
				{help && <Help site={site} className="ml-auto hidden lg:flex" />}
			</div>
		</div>
	);
}

function FunnelHeader({ site }: { site: Site }) {
	const { phone, supportHours } = site.shop;
	return (
		<header className="border-b border-line print:hidden">
			<TopLine site={site} help={false} />
			<div className="mx-auto flex min-h-14 max-w-page flex-wrap items-center justify-between gap-x-6 px-5 max-sm:px-4 sm:px-8">
				<Home site={site} />
				<p className="flex items-center gap-x-3 text-sm">
					<span className="text-soft max-lg:hidden">Support téléphonique, {supportHours}&nbsp;:</span>
					<a href={`tel:${phone.replace(/\s/g, "")}`} className="link figures inline-flex min-h-11 items-center gap-1.5">
						<Icon name="phone" className="size-4.5" />
						<span className="max-[22rem]:sr-only">{phone}</span>
					</a>
				</p>
			</div>
		</header>
	);
}

/** @param sells the page has an order button, with the notice of a private service beside it. */
function FunnelFooter({ site, sells }: { site: Site; sells: boolean }) {
	const legal = [href("/cgv"), href("/retractation"), href("/politique-confidentialite"), href("/mentions-legales")];
	return (
		<footer className="mt-12 border-t border-line bg-shade text-sm text-soft print:mt-0 print:bg-transparent">
			<PrintedSeller site={site} />
			<div className="mx-auto max-w-page px-5 py-5 sm:px-8 print:hidden">
				{!sells && <p className="mb-2">{site.privateService.who}</p>}
				<p className="flex flex-wrap gap-x-6">
					{site.pages
						.filter(({ path }) => legal.includes(path))
						.map(({ path, label }) => (
							<a key={path} href={path} className="link inline-flex min-h-11 items-center">
								{label}
							</a>
						))}
				</p>
			</div>
		</footer>
	);
}

function Header({ site }: { site: Site }) {
	const { pathname } = useLocation();
	return (
		// display: contents, so that the bar stays visible on the whole page and the first line scrolls away
		<header className="contents print:hidden">
			<TopLine site={site} help />
			{/* a low window (a phone lying down, a page at 200 %) needs its height for the page */}
			<div className="z-10 border-b border-line bg-paper tall:sticky tall:top-0">
				<div className="mx-auto flex h-16 max-w-page items-center justify-between gap-2 px-5 max-sm:px-4 sm:px-8 lg:justify-start lg:gap-6">
					<Home site={site} />
					<nav aria-label="Principale" className="hidden lg:block">
						<Links menu="header" className="flex gap-4 whitespace-nowrap" />
					</nav>
					<div className="ml-auto flex items-center gap-2">
						{/* these pages have a larger one */}
						{pathname !== href("/") && pathname !== href("/recherche") && <HeaderSearch />}
						<a href={href("/commande")} className={button("secondary", "max-sm:px-2.5 max-sm:text-sm max-[23rem]:hidden")}>
							Commencer
						</a>
						<button
							type="button"
							popoverTarget="menu"
							className="inline-flex min-h-11 items-center gap-2 rounded-md pl-2 font-semibold lg:hidden"
						>
							<Icon name="menu" className="size-5 max-sm:hidden" />
							Menu
						</button>
					</div>
				</div>
			</div>
			<div id="menu" popover="auto" className="m-0 h-dvh max-h-none w-full max-w-none overflow-y-auto bg-paper text-ink lg:hidden">
				<div className="flex h-16 items-center justify-between border-b border-line px-5 sm:px-8">
					<Home site={site} />
					<button
						type="button"
						popoverTarget="menu"
						popoverTargetAction="hide"
						className="inline-flex min-h-11 items-center gap-2 rounded-md px-2 font-semibold"
					>
						<Icon name="cross" />
						Fermer
					</button>
				</div>
				<nav aria-label="Menu" className="px-5 py-4 sm:px-8">
					<Links menu="mobile" className="divide-y divide-line text-lg" />
					<Links menu="legal" className="mt-4 border-t border-line pt-4 text-sm text-soft" />
				</nav>
				<Help site={site} className="flex flex-col border-t border-line px-5 py-4 text-sm sm:px-8" />
			</div>
		</header>
	);
}

/** A field on wide screens, a link to the search page on narrow ones. */
function HeaderSearch() {
	return (
		<search>
			<form action={href("/recherche")} className="hidden xl:block">
				<label className="relative block">
					<span className="sr-only">Chercher une entreprise</span>
					<Icon name="search" className="pointer-events-none absolute top-3 left-3 size-5 text-soft" />
					<input
						id="header-q"
						name="q"
						type="search"
						required
						pattern=".*\S.*"
						title="Un numéro ou un nom"
						placeholder="SIREN ou nom"
						autoComplete="off"
						enterKeyHint="search"
						className="block min-h-11 w-40 rounded-md border border-edge bg-sheet pr-2 pl-10 text-sm text-ink placeholder:text-soft hover:border-ink"
					/>
				</label>
			</form>
			<a href={href("/recherche")} className="inline-flex size-11 items-center justify-center rounded-md hover:text-accent xl:hidden">
				<Icon name="search" />
				<span className="sr-only">Chercher une entreprise</span>
			</a>
		</search>
	);
}

function Home({ site }: { site: Site }) {
	return (
		<a href={href("/")} className="flex min-h-11 items-center gap-2.5 font-serif text-lg font-medium tracking-[-0.01em]">
			<Logo />
			{site.shop.name}
		</a>
	);
}

function Help({ site, className }: { site: Site; className: string }) {
	const { phone, email, supportHours } = site.shop;
	return (
		<p className={`gap-x-6 ${className}`}>
			<span className="flex items-center">Aide {supportHours}</span>
			<a href={`tel:${phone.replace(/\s/g, "")}`} className="link figures inline-flex min-h-11 items-center">
				{phone}
			</a>
			<a href={`mailto:${email}`} className="link inline-flex min-h-11 items-center">
				{email}
			</a>
		</p>
	);
}

function Links({ menu, className }: { menu: Menu; className?: string }) {
	const { pathname } = useLocation();
	const pages = useSite()?.pages.filter(({ menus }) => menus.includes(menu)) ?? [];
	return (
		<ul className={className}>
			{pages.map(({ path, label }) => (
				<li key={path}>
					<a
						href={path}
						aria-current={path === pathname ? "page" : undefined}
						className="inline-flex min-h-11 items-center py-1 leading-snug decoration-1 underline-offset-[0.3em] hover:text-accent hover:underline aria-[current]:underline"
					>
						{label}
					</a>
				</li>
			))}
		</ul>
	);
}

/** Who sold the order, on its printed page. */
function PrintedSeller({ site: { shop, baseUrl } }: { site: Site }) {
	return (
		<p className="mx-auto hidden px-8 py-3 text-xs text-soft print:block">
			{shop.legalEntity}, {shop.address}, SIREN {shop.siren}, {baseUrl}
		</p>
	);
}

function Footer({ site }: { site: Site }) {
	const { shop } = site;
	return (
		<footer className="mt-8 border-t border-line bg-shade print:mt-0 print:bg-transparent">
			<PrintedSeller site={site} />
			<div className="mx-auto max-w-page px-5 py-5 text-sm sm:px-8 md:py-12 print:hidden">
				<div className="gap-x-6 gap-y-8 md:grid md:grid-cols-4">
					{typedEntries(footerMenus).map(([menu, title]) => (
						<FooterMenu key={menu} menu={menu} title={title} />
					))}
				</div>
				<div className="mt-5 grid gap-x-10 gap-y-3 lg:grid-cols-2 lg:border-t lg:border-line lg:pt-6">
					<div>
						<p className="flex items-center gap-2.5 font-serif text-lg font-medium max-sm:hidden">
							<Logo />
							{shop.name}
						</p>
						<address className="text-soft not-italic sm:mt-2">
							{shop.legalEntity}
							<br />
							{shop.address}
							<br />
							<span className="figures">
								SIREN {shop.siren}, {shop.rcs}
							</span>
							<br />
							<span className="figures">TVA {shop.vat}</span>
						</address>
						<Help site={site} className="flex flex-wrap text-soft" />
					</div>
					<p className="max-w-reading text-soft">
						{site.privateService.who} Au greffe, l’extrait électronique coûte {site.officialPrice}.{" "}
						<a href={`${href("/tarifs")}#gratuit`} className="link">
							Sources et solutions gratuites
						</a>
					</p>
				</div>
			</div>
		</footer>
	);
}

/** Folded on narrow screens, where four lists would be a page of their own; open on wide ones. */
function FooterMenu({ menu, title }: { menu: Menu; title: string }) {
	return (
		<nav aria-labelledby={`footer-${menu}`} className="border-b border-line md:border-0">
			<details className="group md:details-content:[content-visibility:visible]">
				<summary className="flex min-h-11 items-center justify-between gap-4 md:supports-[selector(::details-content)]:pointer-events-none">
					<h2 id={`footer-${menu}`} className="text-lg">
						{title}
					</h2>
					<Icon name="chevron" className="size-4 group-open:rotate-180 md:supports-[selector(::details-content)]:hidden" />
				</summary>
				<Links menu={menu} className="pb-3 text-soft" />
			</details>
		</nav>
	);
}
