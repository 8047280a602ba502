import type { ReactNode } from "react";
import { href } from "react-router";
import { formatInstant } from "../../catalogue/instants.ts";
import { type ServiceCode, serviceCodes, services } from "../../catalogue/services.ts";
import { Blocks, InlineContent } from "../../content/content-blocks.tsx";
import { getSection, type Table, type Text } from "../../content/text.ts";
import { HomeBreadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { StampDrawing } from "../../ui/drawings/drawings.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { formatPublishedCount, smallestGroup } from "./hide-small.ts";
import { ChartSign, type Column, MonthChart } from "./month-chart.tsx";
import { findQuote, hasDeliveries, type Statistics, type StatisticsMonth } from "./statistics.ts";
import { describeQuote, formatMonthLabel, formatOtherRefunds, formatPercent, formatTime, getPromisedTime } from "./statistics-labels.ts";
import { AvailabilityTable, createAllTable, createServiceTable } from "./statistics-tables.tsx";

interface StatisticsPageProps {
	text: Text;
	statistics: Statistics;
}

/** What was delivered, how fast, and what was refunded, by month and by service. Figures of too few orders are hidden. */
export function StatisticsPage({ text, statistics }: StatisticsPageProps) {
	const { months, at } = statistics;
	const methods = getSection(text, "methode");
	const availability = getSection(text, "disponibilite");
	return (
		<Page
			width="page"
			header={
				<Title above={<HomeBreadcrumb label={text.title} />} lead={text.lead && <InlineContent text={text.lead} />} drawing={StampDrawing}>
					{text.heading}
				</Title>
			}
		>
			<p className="mb-8 flex flex-wrap items-center gap-x-6 text-sm text-soft">
				<span>
					Chiffres du <time dateTime={at.toISOString()}>{formatInstant(at)}</time>.
				</span>
				<a href={href("/statistiques.csv")} className={button("quiet")} download>
					Télécharger (CSV)
				</a>
			</p>
			{months.some(hasDeliveries) ? (
				<>
					<AllServices title={getSection(text, "ensemble").heading} statistics={statistics} />
					{serviceCodes.map((code) => (
						<ServiceSection key={code} code={code} months={months} />
					))}
				</>
			) : (
				<Notice kind="info" className="mb-10">
					<p>Les premiers chiffres seront publiés quand {smallestGroup}&nbsp;commandes auront été livrées au cours d’un même mois.</p>
				</Notice>
			)}
			<Section id="disponibilite" title={availability.heading}>
				<div className="max-w-reading">
					<Blocks blocks={availability.content} />
				</div>
				<AvailabilityTable months={months} />
			</Section>
			<Section id="methode" title={methods.heading}>
				<div className="max-w-reading">
					<Blocks blocks={methods.content} />
					<p className="mt-4">
						Un nombre inférieur à {smallestGroup} n’est pas publié, ni ce qui décrit un groupe aussi petit&nbsp;: «&nbsp;
						{formatPublishedCount("few")}&nbsp;». Un total dont on pourrait le déduire ne l’est pas non plus.
					</p>
				</div>
			</Section>
		</Page>
	);
}

function AllServices({ title, statistics }: { title: string; statistics: Statistics }) {
	const { months } = statistics;
	const found = findQuote(statistics);
	const quote = found && describeQuote(found);
	const columns = months.map(({ month, isCurrent, all }): Column => ({ month, isCurrent, bar: all.share }));
	return (
		<Section id="ensemble" title={title}>
			<Columns
				text={
					<div className="grid gap-4">
						{quote ? (
							<p>
								<span className="figures block font-serif text-3xl font-medium">{quote.share}</span>
								<span className="text-lg">
									des extraits commandés en {quote.month} ont été livrés à l’heure ({quote.base}).
								</span>
							</p>
						) : (
							<p>
								La part à l’heure du dernier mois terminé n’est pas publiée&nbsp;:{" "}
								<a href="#methode" className="link">
									un des nombres dont elle dépend est inférieur à {smallestGroup}
								</a>
								.
							</p>
						)}
						<p>
							Un extrait est à l’heure s’il est prêt sur la page de sa commande, envoyé par e-mail ou posté avant l’heure promise dans la
							confirmation.{" "}
							<a href="#methode" className="link">
								Comment nous comptons
							</a>
						</p>
					</div>
				}
				chart={
					<MonthChart
						label="Part des commandes livrées à l’heure, par mois. Le tableau donne les mêmes chiffres."
						columns={columns}
						max={100}
						lines={[
							{ value: 100, label: "100\u00a0%" },
							{ value: 50, label: "50\u00a0%" },
						]}
					/>
				}
				legend={[["bar", "livrées à l’heure"], ...commonLegend(columns, formatPublishedCount("withheld"))]}
			/>
			<MonthTable title="Les chiffres de tous les services, mois par mois" table={createAllTable(months)} />
		</Section>
	);
}

function ServiceSection({ code, months }: { code: ServiceCode; months: readonly StatisticsMonth[] }) {
	const { name, sentWithin, deliveryMethod } = services[code];
	const columns = months.map(({ month, isCurrent, services: { [code]: service } }): Column => {
		return { month, isCurrent, bar: service.median, frame: service.p95 };
	});
	const counted = months.filter(({ services: { [code]: service } }) => service.median !== null);
	const last = counted.findLast(({ isCurrent }) => !isCurrent) ?? counted.at(-1);
	const promised = getPromisedTime(code);
	const highest = Math.max(0, ...columns.map(({ frame }) => frame ?? 0));
	return (
		<Section id={code} title={name}>
			<p className="mb-5">
				Promis&nbsp;: {deliveryMethod === "postal" ? "posté" : "envoyé par e-mail"} sous {sentWithin}.
			</p>
			{last ? (
				<Columns
					text={<LastMonth code={code} month={last} />}
					chart={
						<MonthChart
							label={`Délai médian du service ${name}, et délai de 95\u00a0% des commandes, par mois, à côté du délai promis. Le tableau donne les mêmes chiffres.`}
							columns={columns}
							max={Math.max(promised, highest) * 1.1}
							lines={[
								{ value: promised, label: formatShortTime(code, promised), isPromise: true },
								...(highest > promised * 1.2 ? [{ value: highest, label: formatShortTime(code, highest) }] : []),
							]}
						/>
					}
					legend={[
						["bar", "délai médian"],
						["frame", "délai de 95\u00a0% des commandes"],
						["line", "promis"],
						...commonLegend(columns, formatPublishedCount("few")),
					]}
				/>
			) : (
				<p className="text-soft">Aucun mois n’a assez de commandes livrées pour ce service&nbsp;: {formatPublishedCount("few")}.</p>
			)}
			<MonthTable title={`Les chiffres du ${name}, mois par mois`} table={createServiceTable(code, months)} />
		</Section>
	);
}

/** What the chart says, in a sentence, for the last month that has figures. */
function LastMonth({ code, month: { services: byService, ...month } }: { code: ServiceCode; month: StatisticsMonth }) {
	const { delivered, share, median, p95, refunds } = byService[code];
	return (
		<div className="grid gap-3">
			<p className="first-letter:uppercase">
				{formatMonthLabel(month)}&nbsp;: {formatPublishedCount(delivered)}&nbsp;commandes livrées
				{share !== null && (
					<>
						, <strong className="figures font-semibold">{formatPercent(share)}</strong> à l’heure
					</>
				)}
				.
			</p>
			{median !== null && p95 !== null && (
				<p>
					La moitié est partie en {formatTime(code, median)} ou moins, et 95&nbsp;% en {formatTime(code, p95)} ou moins, pour{" "}
					{formatTime(code, getPromisedTime(code))} promis.
				</p>
			)}
			<p className="text-soft">
				Remboursements demandés ce mois-là, pour un retard&nbsp;: {formatPublishedCount(refunds.late)}&nbsp;; pour un autre motif&nbsp;:{" "}
				{formatOtherRefunds(refunds)}.
			</p>
		</div>
	);
}

/** « 2 h », « 2 j »: beside a line of a chart. */
const formatShortTime = (code: ServiceCode, time: number) => formatTime(code, time).replace(/jours? .*/, "j");

type Legend = readonly (readonly [kind: Parameters<typeof ChartSign>[0]["kind"], label: string])[];

const commonLegend = (columns: readonly Column[], hidden: string): Legend => [
	...(columns.some(({ bar, isCurrent }) => isCurrent && bar !== null) ? ([["current", "mois en cours"]] as const) : []),
	...(columns.some(({ bar }) => bar === null) ? ([["hidden", hidden]] as const) : []),
];

/** A sentence beside its chart; on a narrow screen above it. */
function Columns({ text, chart, legend }: { text: ReactNode; chart: ReactNode; legend: Legend }) {
	return (
		<div className="grid gap-y-6 lg:grid-cols-2 lg:gap-x-16">
			<div>{text}</div>
			<div className="max-w-form">
				{chart}
				<ul className="mt-2 flex flex-wrap gap-x-6 gap-y-1.5 text-sm text-soft">
					{legend.map(([kind, label]) => (
						<li key={kind} className="flex items-center gap-2">
							<ChartSign kind={kind} />
							{label}
						</li>
					))}
				</ul>
			</div>
		</div>
	);
}

function MonthTable({ title, table }: { title: string; table: Table }) {
	return (
		<Disclosure title={title} className="mt-6 border-t">
			<div className="pb-4">
				<Blocks blocks={[{ table }]} />
			</div>
		</Disclosure>
	);
}
