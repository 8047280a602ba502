import { href } from "react-router";
import { button } from "../ui/button.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import type { DescribedPurchases } from "./describe-purchases.server.ts";
import { PurchaseItem } from "./purchase-item.tsx";
import type { PurchaseFilter } from "./purchases.store.server.ts";
import { Pages, SpaceFrame } from "./space-frame.tsx";

interface PurchasesPageProps extends DescribedPurchases {
	mailbox: string;
	filter: PurchaseFilter;
}

/** All purchases of a mailbox. */
export function PurchasesPage({ mailbox, filter, purchases, total, years, page, lastPage }: PurchasesPageProps) {
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
						: "Aucune commande n’est plus liée à cette adresse."}
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
			<Pages
				page={page}
				lastPage={lastPage}
				toUrl={(to) =>
					`${href("/mes-commandes")}?${new URLSearchParams({ ...(search && { q: search }), ...(year !== null && { annee: String(year) }), page: String(to) })}`
				}
			/>
		</SpaceFrame>
	);
}
