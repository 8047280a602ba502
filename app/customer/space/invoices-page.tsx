import { href } from "react-router";
import { formatPeriod, retention } from "../../catalogue/retention.ts";
import { button } from "../../ui/button.tsx";
import type { DescribedInvoices } from "./describe-invoices.server.ts";
import { Pagination, SpaceFrame } from "./space-frame.tsx";

interface InvoicesPageProps extends DescribedInvoices {
	mailbox: string;
}

/** The invoices and credit notes of a mailbox in one year, and its files for the books. */
export function InvoicesPage({ mailbox, years, year, hasOlder, invoices, page, lastPage }: InvoicesPageProps) {
	const path = href("/mes-commandes/factures");
	return (
		<SpaceFrame current={path} mailbox={mailbox}>
			{year === null ? (
				<p>Aucune facture n’est liée à cette adresse.</p>
			) : (
				<>
					{years.length > 1 && (
						<nav aria-label="Années" className="mb-4 print:hidden">
							<ul className="flex flex-wrap gap-x-6">
								{years.map((each) => (
									<li key={each}>
										<a
											href={`${path}?annee=${each}`}
											aria-current={each === year ? "page" : undefined}
											className={`figures inline-flex min-h-11 items-center hover:text-accent ${each === year ? "font-semibold underline" : ""}`}
										>
											{each}
										</a>
									</li>
								))}
							</ul>
						</nav>
					)}
					<h2 className="text-xl">{`Factures et avoirs de ${year}`}</h2>
					{hasOlder && (
						<p className="mt-2 max-w-reading text-sm text-soft">
							{`Certaines de ces commandes ont plus de ${formatPeriod(retention.orders)}\u00a0: leurs données sont effacées. Leurs factures restent ici ${formatPeriod(retention.invoices)}.`}
						</p>
					)}
					<div className="mt-4 grid gap-x-16 gap-y-4 lg:grid-cols-2">
						<div>
							<a href={href("/mes-commandes/factures/:file", { file: `achats-${year}.csv` })} className={button("secondary")}>
								{`Liste ${year} (CSV)`}
							</a>
							<p className="mt-2 text-sm text-soft">Une ligne par extrait facturé ou remboursé, à ouvrir avec un tableur.</p>
						</div>
						<div>
							<a href={href("/mes-commandes/factures/:file", { file: `achats-${year}-fec.txt` })} className={button("secondary")}>
								{`Écritures d’achat ${year} (format FEC)`}
							</a>
							<p className="mt-2 text-sm text-soft">
								Vos achats sur ce site, à importer dans un logiciel comptable{"\u00a0"}: comptes 6227, 44566 et 401, que votre comptable
								peut adapter. Ce fichier n’est pas votre FEC{"\u00a0"}: il ne contient que ces achats, sans date de validation.
							</p>
						</div>
					</div>
					<ul className="mt-8 border-t border-line">
						{invoices.map((invoice) => (
							<li key={invoice.number} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-3">
								<div className="min-w-0">
									<p className="figures font-semibold">{`${invoice.kindLabel} ${invoice.number}`}</p>
									<p className="text-sm">{invoice.description}</p>
									<p className="figures text-sm text-soft">
										{`${invoice.day}, ${invoice.net} HT, TVA ${invoice.vat}`}
										{invoice.reference && `, votre référence\u00a0: ${invoice.reference}`}
									</p>
								</div>
								<p className="flex flex-wrap items-center gap-x-6">
									<span className="figures font-semibold">{`${invoice.total} TTC`}</span>
									{invoice.url && (
										<a href={invoice.url} className="link inline-flex min-h-11 items-center">
											PDF<span className="sr-only">{` de ${invoice.number}`}</span>
										</a>
									)}
								</p>
							</li>
						))}
					</ul>
					<Pagination page={page} lastPage={lastPage} toUrl={(to) => `${path}?annee=${year}&page=${to}`} />
				</>
			)}
		</SpaceFrame>
	);
}
