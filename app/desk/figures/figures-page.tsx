import { Form, href, type ShouldRevalidateFunctionArgs } from "react-router";
import { formatLongDay } from "../../catalogue/instants.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { keepPage } from "../shell/keep-page.ts";
import type { Route } from "./+types/figures-page";
import { formatKept, formatMinutes, labelHour, labelRefunds, labelService } from "./figure-labels.ts";
import type { Deliveries } from "./figures.store.server.ts";
import { type Figures, readFigures } from "./read-figures.server.ts";

export const meta: Route.MetaFunction = () => [{ title: "Chiffres – bureau" }];

/** Figures of a period do not change from second to second: they are read again only for another period. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) => args.currentUrl.search !== args.nextUrl.search && keepPage(args);

export function loader({ request, context }: Route.LoaderArgs) {
	return readFigures(context.get(shopContext), new URL(request.url).searchParams);
}

export default function FiguresRoute({ loaderData }: Route.ComponentProps) {
	return <FiguresPage {...loaderData} />;
}

/** What was sold, how fast it was delivered, which promises were kept, and what went back. */
function FiguresPage(figures: Figures) {
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
				<Notice kind="info" className="mt-10">
					<p>Aucune commande n’a été payée pendant cette période.</p>
				</Notice>
			) : (
				<>
					<DeliveryTable
						title="Par service"
						first="Service"
						rows={byService.map((row) => ({ ...row, label: labelService(row.service), isTotal: row.service === null }))}
					/>
					<DeliveryTable title="Par heure de paiement" first="Heure" rows={byHour.map((row) => ({ ...row, label: labelHour(row.hour) }))} />
					{byOperator.length > 0 && (
						<DeliveryTable title="Par opérateur" first="Livrées par" rows={byOperator.map((row) => ({ ...row, label: row.operator }))} />
					)}
				</>
			)}
			{refunds.length > 0 && (
				<Titled title="Remboursements">
					<table className="w-full border-b border-line">
						<thead>
							<tr>
								<Head>Raison</Head>
								<Head isNumber>Nombre</Head>
								<Head isNumber>Montant</Head>
							</tr>
						</thead>
						<tbody>
							{refunds.map((row) => (
								<tr key={`${row.reason} ${row.cause}`} className="border-t border-line">
									<RowHead>{labelRefunds(row)}</RowHead>
									<Cell>{row.count}</Cell>
									<Cell>{formatEuros(cents(row.amount))}</Cell>
								</tr>
							))}
						</tbody>
					</table>
				</Titled>
			)}
			<p className="mt-8 max-w-reading text-sm text-soft">
				Le délai va du paiement à la livraison, nuits et jours de fermeture compris. Une promesse compte à la livraison, ou quand son heure
				est passée, sauf si la commande a été annulée ou n’a pas pu être servie. Les remboursements sont ceux demandés pendant la période.
			</p>
		</div>
	);
}

interface DeliveryRow extends Deliveries {
	label: string;
	isTotal?: boolean;
}

/** A table on a wide screen, a list on a narrow one: six columns do not fit there. */
function DeliveryTable({ title, first, rows }: { title: string; first: string; rows: readonly DeliveryRow[] }) {
	return (
		<Titled title={title}>
			<table className="w-full border-b border-line max-md:hidden">
				<thead>
					<tr>
						<Head>{first}</Head>
						{describeRow(rows[0]).map(([label]) => (
							<Head key={label} isNumber>
								{label}
							</Head>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<tr key={row.label} className={`border-t border-line ${row.isTotal ? "font-semibold" : ""}`}>
							<RowHead>{row.label}</RowHead>
							{describeRow(row).map(([label, value]) => (
								<Cell key={label}>{value}</Cell>
							))}
						</tr>
					))}
				</tbody>
			</table>
			<ul className="divide-y divide-line border-y border-line md:hidden">
				{rows.map((row) => (
					<li key={row.label} className="py-3">
						<h3 className="font-sans text-base font-semibold">{row.label}</h3>
						<dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-4 text-sm">
							{describeRow(row).map(([label, value]) => (
								<div key={label} className="contents">
									<dt className="text-soft">{label}</dt>
									<dd className="figures text-right">{value}</dd>
								</div>
							))}
						</dl>
					</li>
				))}
			</ul>
		</Titled>
	);
}

/** The figures of a row, each with its label. */
function describeRow(row: Deliveries | undefined): (readonly [label: string, value: React.ReactNode])[] {
	const { orders = 0, revenue = 0, median = null, p95 = null, due = 0, kept = 0 } = row ?? {};
	return [
		["Commandes", orders],
		["Chiffre d’affaires TTC", formatEuros(cents(revenue))],
		["Délai médian", formatMinutes(median)],
		["95\u00a0% livrées en moins de", formatMinutes(p95)],
		[
			"Promesses tenues",
			<>
				{formatKept({ due, kept })}
				{due > 0 && (
					<span className="ml-2 text-sm font-normal text-soft">
						{kept} sur {due}
					</span>
				)}
			</>,
		],
	];
}

function Titled({ title, children }: { title: string; children: React.ReactNode }) {
	const id = title.replace(/\W+/g, "-").toLowerCase();
	return (
		<section aria-labelledby={id} className="mt-10">
			<h2 id={id} className="mb-2 text-xl">
				{title}
			</h2>
			{children}
		</section>
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
