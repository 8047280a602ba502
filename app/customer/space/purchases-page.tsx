import { href } from "react-router";
import { formatPeriod, retention } from "../../catalogue/retention.ts";
import { button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import type { DescribedPurchases } from "./describe-purchases.server.ts";
import { PurchaseItem } from "./purchase-item.tsx";
import type { PurchaseFilter } from "./purchases.store.server.ts";
import { Pagination, SpaceFrame } from "./space-frame.tsx";

interface PurchasesPageProps extends DescribedPurchases {
	/** Of invoices that outlive the data of their orders, the newest first. */
	olderInvoiceYears: readonly number[];
	mailbox: string;
	filter: PurchaseFilter;
}

/** All purchases of a mailbox. */
export function PurchasesPage({ mailbox, filter, olderInvoiceYears, purchases, total, years, page, lastPage }: PurchasesPageProps) {
	const { search, year } = filter;
	const isFiltered = search !== "" || year !== null;
	return (
		<SpaceFrame current={href("/mes-commandes")} mailbox={mailbox}>
			<search>
				<form action={href("/mes-commandes")} className="mb-6 flex flex-wrap items-end gap-x-4 gap-y-3 print:hidden">
					<TextField
						name="q"
						type="search"
						autoComplete="off"
						label="Entreprise, SIREN, numéro ou votre référence"
						defaultValue={search}
						className="w-full max-w-form"
					/>
					<SelectField name="annee" label="Année" defaultValue={year ?? ""}>
						<option value="">Toutes</option>
						{years.map((each) => (
							<option key={each} value={each}>
								{each}
							</option>
						))}
					</SelectField>
					<button type="submit" className={button("secondary")}>
						Chercher
					</button>
					{isFiltered && (
						<a href={href("/mes-commandes")} className={button("quiet")}>
							Tout afficher
						</a>
					)}
				</form>
			</search>
			{total === 0 ? (
				<p>
					{isFiltered
						? "Aucune de vos commandes ne correspond. Vérifiez l’orthographe, ou affichez toutes les commandes."
						: "Aucune commande n’est liée à cette adresse."}
				</p>
			) : (
				<>
					<p className="figures text-soft" role="status">
						{`${total} ${total === 1 ? "commande" : "commandes"}`}
					</p>
					<ul className="border-t border-line">
						{purchases.map((purchase) => (
							<PurchaseItem key={purchase.lines[0]?.number} purchase={purchase} />
						))}
					</ul>
				</>
			)}
			{olderInvoiceYears.length > 0 && <OlderInvoices years={olderInvoiceYears} />}
			<Pagination
				page={page}
				lastPage={lastPage}
				toUrl={(to) =>
					`${href("/mes-commandes")}?${new URLSearchParams({ ...(search && { q: search }), ...(year !== null && { annee: String(year) }), page: String(to) })}`
				}
			/>
		</SpaceFrame>
	);
}

/** The invoices of orders that the list no longer has. */
function OlderInvoices({ years }: { years: readonly number[] }) {
	return (
		<section className="mt-8">
			<h2 className="text-lg">Factures plus anciennes</h2>
			<p className="mt-1 max-w-reading text-soft">
				{`Vos commandes de plus de ${formatPeriod(retention.orders)} ne sont plus dans cette liste. Leurs factures restent ${formatPeriod(retention.invoices)}\u00a0:`}
			</p>
			<ul className="flex flex-wrap gap-x-6">
				{years.map((year) => (
					<li key={year}>
						<a href={`${href("/mes-commandes/factures")}?annee=${year}`} className="link figures inline-flex min-h-11 items-center">
							{`Factures de ${year}`}
						</a>
					</li>
				))}
			</ul>
		</section>
	);
}
