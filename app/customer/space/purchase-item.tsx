import { href } from "react-router";
import { CompanyName } from "../../companies/company-name.tsx";
import { button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { Siren } from "../../ui/siren.tsx";
import { OrderStatusLabel } from "../tracking/order-state.tsx";
import type { DescribedLine, DescribedPurchase } from "./describe-purchases.server.ts";

/** A purchase of the list: what it is, what became of it, its documents, and what can be done. */
export function PurchaseItem({ purchase }: { purchase: DescribedPurchase }) {
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

const describeFound = (found: number, all: number): string =>
	`${found} ${found === 1 ? "extrait correspond" : "extraits correspondent"} à votre recherche, sur ${all}\u00a0:`;

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
						Commander à nouveau<span className="sr-only">{` l’extrait de ${line.company}`}</span>
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
