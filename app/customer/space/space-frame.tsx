import type { ReactNode } from "react";
import { href } from "react-router";
import { HomeBreadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { Page, Title } from "../../ui/page.tsx";

/** Phones show its first word, so that the tabs fit two by two. */
function BillingLabel() {
	return (
		<span>
			Coordonnées<span className="max-sm:sr-only"> de facturation</span>
		</span>
	);
}

const tabs = [
	{ path: href("/mes-commandes"), label: "Commandes" },
	{ path: href("/mes-commandes/factures"), label: "Factures" },
	{ path: href("/mes-commandes/identites"), label: <BillingLabel /> },
	{ path: href("/mes-commandes/connexions"), label: "Connexions" },
] as const;

export type SpacePath = (typeof tabs)[number]["path"];

interface SpaceFrameProps {
	current: SpacePath;
	mailbox: string;
	children: ReactNode;
}

/** The frame of the pages behind the link of a mailbox: whose they are, how to leave them, and the other pages. */
export function SpaceFrame({ current, mailbox, children }: SpaceFrameProps) {
	return (
		<Page width="page">
			<Title above={<HomeBreadcrumb label="Mes commandes" />}>Mes commandes</Title>
			<div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
				<p className="min-w-0 break-words text-sm text-soft">{`Commandes passées avec ${mailbox}`}</p>
				<div className="flex flex-wrap items-center gap-x-6 gap-y-2">
					<a href={href("/commande/plusieurs")} className={button("secondary")}>
						Commander des extraits
					</a>
					<form method="post" action={href("/mes-commandes")}>
						<button type="submit" name="do" value="quit" className={button("quiet")}>
							Quitter
						</button>
					</form>
				</div>
			</div>
			<nav aria-label="Mes commandes" className="mt-3 mb-8 border-b border-line print:hidden">
				<ul className="flex flex-wrap gap-x-6 max-sm:grid max-sm:grid-cols-2">
					{tabs.map(({ path, label }) => (
						<li key={path}>
							<a
								href={path}
								aria-current={path === current ? "page" : undefined}
								className={`inline-flex min-h-11 items-center hover:text-accent ${path === current ? "font-semibold underline" : ""}`}
							>
								{label}
							</a>
						</li>
					))}
				</ul>
			</nav>
			{children}
		</Page>
	);
}

interface PaginationProps {
	page: number;
	lastPage: number;
	/** The address of a page. */
	toUrl: (page: number) => string;
}

/** Links to the page before and the page after. */
export function Pagination({ page, lastPage, toUrl }: PaginationProps) {
	if (lastPage === 1) return null;
	return (
		<nav aria-label="Pages" className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-2 print:hidden">
			{page > 1 && (
				<a href={toUrl(page - 1)} rel="prev" className={button("secondary")}>
					Page précédente
				</a>
			)}
			<p className="figures text-soft">{`Page ${page} sur ${lastPage}`}</p>
			{page < lastPage && (
				<a href={toUrl(page + 1)} rel="next" className={button("secondary")}>
					Page suivante
				</a>
			)}
		</nav>
	);
}
