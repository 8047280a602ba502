import { Form, href } from "react-router";
import { formatLongDay } from "../../catalogue/instants.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { formatKept, formatMinutes, labelHour, labelService, refundReasons } from "./figure-labels.ts";
import type { Deliveries } from "./figures.store.server.ts";
import type { Figures } from "./read-figures.server.ts";

/** What was sold, how fast it was delivered, which promises were kept, and what went back. */
export function FiguresPage(figures: Figures) {
	const { firstDay, lastDay, byService, byHour, byOperator, refunds } = figures;
	const all = byService.find(({ service }) => service === null);
	const query = new URLSearchParams({ du: firstDay, au: lastDay });
	return (
		<div className="mx-auto max-w-page">
			<h1 className="text-2xl">Chiffres</h1>
			<p className="mt-1 text-soft">
				Commandes payées du {formatLongDay(new Date(`${firstDay}T12:00:00Z`))} au {formatLongDay(new Date(`${lastDay}T12:00:00Z`))}.
			</p>
			<Form className="mt-4 flex flex-wrap items-end gap-4" preventScrollReset>
				<TextField type="date" name="du" label="Du" defaultValue={firstDay} key={firstDay} />
				<TextField type="date" name="au" label="Au" defaultValue={lastDay} key={`au ${lastDay}`} />
				<button type="submit" className={button("secondary")}>
					Afficher
				</button>
				<a href={`${href("/bureau/chiffres/fichier")}?${query}`} className={button("quiet")} download>
					Télécharger (CSV)
				</a>
			</Form>
			{all === undefined || all.orders === 0 ? (
				<p className="mt-10 text-soft">Aucune commande n’a été payée dans cette période.</p>
			) : (
				<>
					<DeliveryTable
						title="Par service"
						first="Service"
						rows={byService.map((row) => ({ ...row, label: labelService(row.service), isTotal: row.service === null }))}
					/>
					<DeliveryTable title="Par heure de paiement" first="Heure" rows={byHour.map((row) => ({ ...row, label: labelHour(row.hour) }))} />
					{byOperator.length > 0 && (
						<DeliveryTable
							title="Par opérateur"
							first="Extrait livré par"
							rows={byOperator.map((row) => ({ ...row, label: row.operator }))}
						/>
					)}
				</>
			)}
			{refunds.length > 0 && (
				<TableFrame title="Remboursements">
					<thead>
						<tr>
							<Head>Raison</Head>
							<Head isNumber>Nombre</Head>
							<Head isNumber>Montant</Head>
						</tr>
					</thead>
					<tbody>
						{refunds.map(({ reason, count, amount }) => (
							<tr key={reason} className="border-t border-line">
								<RowHead>{refundReasons[reason]}</RowHead>
								<Cell>{count}</Cell>
								<Cell>{formatEuros(cents(amount))}</Cell>
							</tr>
						))}
					</tbody>
				</TableFrame>
			)}
			<p className="mt-8 max-w-reading text-sm text-soft">
				Le délai va du paiement à la livraison, nuits et jours fermés compris. Une promesse est échue quand son heure est passée&nbsp;; une
				commande annulée ou impossible à servir n’y compte pas. Les remboursements sont ceux demandés dans la période.
			</p>
		</div>
	);
}

function DeliveryTable({
	title,
	first,
	rows,
}: {
	title: string;
	first: string;
	rows: readonly (Deliveries & { label: string; isTotal?: boolean })[];
}) {
	return (
		<TableFrame title={title}>
			<thead>
				<tr>
					<Head>{first}</Head>
					<Head isNumber>Commandes</Head>
					<Head isNumber>Chiffre d’affaires TTC</Head>
					<Head isNumber>Délai médian</Head>
					<Head isNumber>Délai de 95&nbsp;%</Head>
					<Head isNumber>Promesses tenues</Head>
				</tr>
			</thead>
			<tbody>
				{rows.map((row) => (
					<tr key={row.label} className={`border-t border-line ${row.isTotal ? "font-semibold" : ""}`}>
						<RowHead>{row.label}</RowHead>
						<Cell>{row.orders}</Cell>
						<Cell>{formatEuros(cents(row.revenue))}</Cell>
						<Cell>{formatMinutes(row.median)}</Cell>
						<Cell>{formatMinutes(row.p95)}</Cell>
						<Cell>
							{formatKept(row)}
							{row.due > 0 && (
								<span className="ml-2 text-sm font-normal text-soft">
									{row.kept}/{row.due}
								</span>
							)}
						</Cell>
					</tr>
				))}
			</tbody>
		</TableFrame>
	);
}

/** A table that scrolls by itself on a narrow screen. */
function TableFrame({ title, children }: { title: string; children: React.ReactNode }) {
	const id = title.replace(/\W+/g, "-").toLowerCase();
	return (
		<div className="mt-10">
			<h2 id={id} className="text-xl">
				{title}
			</h2>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it on a narrow screen */}
			<section aria-labelledby={id} tabIndex={0} className="mt-2 overflow-x-auto">
				<table className="w-full border-b border-line">{children}</table>
			</section>
		</div>
	);
}

const Head = ({ children, isNumber }: { children: React.ReactNode; isNumber?: boolean }) => (
	<th scope="col" className={`py-2 pr-4 align-bottom text-sm font-normal text-soft ${isNumber ? "pl-4 text-right" : "text-left"}`}>
		{children}
	</th>
);

const RowHead = ({ children }: { children: React.ReactNode }) => (
	<th scope="row" className="py-2 pr-4 text-left font-[inherit]">
		{children}
	</th>
);

const Cell = ({ children }: { children: React.ReactNode }) => (
	<td className="figures py-2 pr-4 pl-4 text-right whitespace-nowrap">{children}</td>
);
