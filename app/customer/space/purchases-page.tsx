import { href } from "react-router";
import { formatPeriod, retention } from "../../catalogue/retention.ts";
import { CompanyName } from "../../companies/company-name.tsx";
import { button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { nameWithOf } from "../../ui/name-with-of.ts";
import { Siren } from "../../ui/siren.tsx";
import { OrderStatusLabel } from "../tracking/order-state.tsx";
import { describeFound } from "../tracking/purchase/describe-found.ts";
import type { DescribedLine, DescribedPurchase, DescribedPurchases } from "./describe-purchases.server.ts";
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

/** A purchase of the list: what it is, what became of it, its documents, and what can be done. */
function PurchaseItem({ purchase }: { purchase: DescribedPurchase }) {
	const [first, ...others] = purchase.lines;
	if (first === undefined) return null;
	return (
		<li className="border-b border-line py-5">
			<div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
				<h2 className="min-w-0 text-lg">
					{others.length === 0 ? <CompanyName name={first.company} /> : `Commande groupée de ${purchase.lines.length} extraits`}
				</h2>
				{others.length === 0 && <OrderStatusLabel status={first.status} cancelled={first.cancelled} />}
			</div>
			{others.length > 0 && <Companies lines={purchase.lines} />}
			<p className="figures mt-1 text-sm text-soft">
				{`${first.number}, ${purchase.orderedOn}, ${purchase.price}`}
				{purchase.refunded && `, dont ${purchase.refunded} remboursés`}
			</p>
			{others.length === 0 ? (
				<LineDetails line={first} />
			) : (
				<>
					{purchase.foundLines.length > 0 && (
						<>
							<p className="figures mt-4 mb-2">{describeFound(purchase.foundLines.length, purchase.lines.length)}</p>
							<Lines lines={purchase.foundLines} />
						</>
					)}
					<Disclosure title={`Voir les ${purchase.lines.length} extraits`} className="mt-2">
						<Lines lines={purchase.lines} />
					</Disclosure>
				</>
			)}
			{others.length > 0 && <OpenPurchase number={first.number} count={purchase.lines.length} />}
		</li>
	);
}

function Lines({ lines }: { lines: readonly DescribedLine[] }) {
	return (
		<ul className="divide-y divide-line border-t border-line">
			{lines.map((line) => (
				<li key={line.number} className="py-4">
					<div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
						<h3 className="min-w-0 font-semibold">
							<CompanyName name={line.company} />
						</h3>
						<OrderStatusLabel status={line.status} cancelled={line.cancelled} />
					</div>
					<p className="figures mt-1 text-sm text-soft">{`${line.number}, ${line.price}`}</p>
					<LineDetails line={line} />
				</li>
			))}
		</ul>
	);
}

/** « DANONE, LA POSTE et 3 autres » */
function Companies({ lines }: { lines: readonly DescribedLine[] }) {
	const shown = lines.slice(0, 3).map(({ company }) => company);
	const left = lines.length - shown.length;
	return <p className="mt-1">{`${shown.join(", ")}${left === 0 ? "" : ` et ${left} ${left === 1 ? "autre" : "autres"}`}`}</p>;
}

function LineDetails({ line }: { line: DescribedLine }) {
	return (
		<>
			<p className="text-sm text-soft">
				{line.service}, SIREN <Siren value={line.siren} />
				{line.reference !== null && `, votre référence\u00a0: ${line.reference}`}
			</p>
			<div className="mt-2 flex flex-wrap items-center gap-x-6 gap-y-2 print:hidden">
				<a href={href("/mes-commandes/commande/:number", { number: line.number })} className="link inline-flex min-h-11 items-center">
					Ouvrir<span className="sr-only">{` la commande ${line.number}`}</span>
				</a>
				{line.extract && (
					<a href={line.extract} className="link inline-flex min-h-11 items-center">
						Extrait (PDF)<span className="sr-only">{` de la commande ${line.number}`}</span>
					</a>
				)}
				{line.invoices.map(({ number, isCredit, url }) => (
					<a key={number} href={url} className="link figures inline-flex min-h-11 items-center">
						{`${isCredit ? "Avoir" : "Facture"} ${number} (PDF)`}
					</a>
				))}
				<form method="post" action={href("/mes-commandes/commande/:number", { number: line.number })}>
					<button type="submit" className={button("quiet")}>
						Commander à nouveau<span className="sr-only">{` l’extrait ${nameWithOf(line.company)}`}</span>
					</button>
				</form>
			</div>
		</>
	);
}

function OpenPurchase({ number, count }: { number: string; count: number }) {
	const page = href("/mes-commandes/commande/:number", { number });
	return (
		<div className="mt-2 flex flex-wrap items-center gap-x-6 gap-y-2 print:hidden">
			<a href={`${page}?ensemble`} className="link inline-flex min-h-11 items-center">
				Ouvrir<span className="sr-only">{` la commande groupée ${number}`}</span>
			</a>
			<form method="post" action={page}>
				<button type="submit" name="ensemble" value="1" className={button("quiet")}>
					{`Commander à nouveau ces ${count} extraits`}
				</button>
			</form>
		</div>
	);
}
