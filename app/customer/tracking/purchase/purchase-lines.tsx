import { Form, href } from "react-router";
import { formatDayAndHour, inParis } from "../../../catalogue/instants.ts";
import { cents, formatEuros } from "../../../catalogue/money.ts";
import { isPosted, services } from "../../../catalogue/services.ts";
import { isFinal, isInProgress } from "../../../orders/lifecycle.ts";
import { button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { TextField } from "../../../ui/field.tsx";
import { nameWithOf } from "../../../ui/name-with-of.ts";
import { Section } from "../../../ui/page.tsx";
import { Siren } from "../../../ui/siren.tsx";
import { TrackingNumber } from "../order/order-columns.tsx";
import { OrderStatusInList } from "../order-state.tsx";
import { type PagePart, pageParts } from "../page-parts.ts";
import { describeFound } from "./describe-found.ts";
import type { DescribedPurchase, PurchaseLine } from "./describe-purchase.server.ts";

/** What the customer looks for among the lines, and the places of those that match. */
export interface LineSearch {
	typed: string;
	found: readonly number[];
}

/** The button that looks for lines. */
export const findIntent = "find";

/** More lines than these are folded by their state. */
const mostUnfolded = 20;
export const isLong = (lines: readonly PurchaseLine[]): boolean => lines.length > mostUnfolded;

/** What becomes of an extract of the purchase, and of several. */
export const nameReady = (lines: readonly PurchaseLine[]) =>
	lines.some(({ service }) => isPosted(service)) ? (["prêt ou posté", "prêts ou postés"] as const) : (["prêt", "prêts"] as const);

/** The lines of a purchase, each with its state and its document, and their price. Many are folded (docs/rules.md, R257). */
export function PurchaseLines({ search, ...purchase }: DescribedPurchase & { search: LineSearch | null }) {
	const { number, access, lines, total, refunded } = purchase;
	const hasLink = access !== "url";
	return (
		<Section id={linesId} title="Les extraits de votre commande" className="mt-10">
			{isLong(lines) ? (
				<>
					{hasLink && <SearchForm number={number} search={search} />}
					{search && <FoundLines {...purchase} search={search} />}
					<FoldedLines {...purchase} />
				</>
			) : (
				<ol className="divide-y divide-line border-y border-line">
					{lines.map((line) => (
						<FullLine key={line.line} line={line} number={number} hasLink={hasLink} />
					))}
				</ol>
			)}
			{total !== null && (
				<p className="figures mt-3 text-right font-semibold">
					Total TTC&nbsp;: {formatEuros(total)}
					{refunded > 0 && `, dont ${formatEuros(cents(refunded))} remboursés`}
				</p>
			)}
		</Section>
	);
}

const linesId = "extraits";

interface LineProps {
	/** Of the purchase. */
	number: string;
	line: PurchaseLine;
	hasLink: boolean;
}

function FullLine({ number, line, hasLink }: LineProps) {
	return (
		<li className="grid gap-x-6 gap-y-2 py-3 break-inside-avoid lg:grid-cols-2 lg:gap-x-12">
			<div className="min-w-0">
				<LineName line={line} number={number} hasLink={hasLink} />
				<p className="text-sm break-words text-soft">
					SIREN <Siren value={line.siren} />
					{line.reference && <>&nbsp;· {line.reference}</>}&nbsp;· {services[line.service].name}&nbsp;·{" "}
					<span className="figures whitespace-nowrap">{line.number}</span>
				</p>
			</div>
			<div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
				<div className="min-w-0">
					<OrderStatusInList status={line.status} cancelled={line.cancelled} />
					<LineDetails line={line} />
				</div>
				<div className="flex flex-wrap items-center gap-x-6">
					{line.cancellable && <LineLink number={number} line={line} part={pageParts.cancel} label="Annuler" />}
					{line.shareable && <LineLink number={number} line={line} part={pageParts.sharing} label="Partager" />}
					{line.documentUrl && <DownloadLink className={button("secondary")} line={line} url={line.documentUrl} />}
				</div>
			</div>
		</li>
	);
}

function DownloadLink({ className, line, url }: { className: string; line: PurchaseLine; url: string }) {
	return (
		<a className={className} href={url} target="_blank" rel="noopener">
			<span>
				Télécharger <span className="sr-only">l’extrait {nameWithOf(line.company)}</span>
			</span>
		</a>
	);
}

/** Finds lines by POST, so that no URL holds a name or a reference. */
function SearchForm({ number, search }: { number: string; search: LineSearch | null }) {
	const page = href("/suivi/:number/ensemble", { number });
	return (
		<search>
			<Form method="post" action={`${page}#${linesId}`} className="mb-6 flex flex-wrap items-end gap-x-4 gap-y-3 print:hidden">
				<TextField
					name="q"
					type="search"
					autoComplete="off"
					label="Entreprise, SIREN, numéro ou votre référence"
					defaultValue={search?.typed}
					className="w-full max-w-form"
				/>
				<button type="submit" name="intent" value={findIntent} className={button("secondary")}>
					Chercher
				</button>
				{search && (
					<a href={page} className={button("quiet")}>
						Tout afficher
					</a>
				)}
			</Form>
		</search>
	);
}

function FoundLines({ number, access, lines, search: { found } }: DescribedPurchase & { search: LineSearch }) {
	return (
		<div className="mb-6">
			<p className="figures mb-2" role="status">
				{found.length > 0
					? describeFound(found.length, lines.length)
					: "Aucun extrait ne correspond. Vérifiez l’orthographe, ou affichez tous les extraits."}
			</p>
			<CompactLines number={number} lines={lines.filter(({ line }) => found.includes(line))} hasLink={access !== "url"} />
		</div>
	);
}

/** A fold for each state, what needs attention first, and open unless it is long itself. */
function FoldedLines({ number, access, lines, paid }: DescribedPurchase) {
	return (
		<div className="border-b border-line">
			{groupLines(lines, paid).map(({ key, title, lines: own, isUrgent }) => (
				<Disclosure key={key} title={title} open={isUrgent && own.length <= mostUnfolded} className="border-t">
					<CompactLines number={number} lines={own} hasLink={access !== "url"} />
				</Disclosure>
			))}
		</div>
	);
}

interface LineGroup {
	key: string;
	title: string;
	lines: readonly PurchaseLine[];
	/** Whether its customer may have to do something, or was told of it. */
	isUrgent: boolean;
}

/** The groups that have a line. */
function groupLines(lines: readonly PurchaseLine[], paid: boolean): LineGroup[] {
	const isOpen = ({ status }: PurchaseLine) => !isFinal(status);
	const [ready, allReady] = nameReady(lines);
	const groups: [key: string, one: string, several: string, holds: (line: PurchaseLine) => boolean][] = paid
		? [
				["failed", "n’a pas abouti", "n’ont pas abouti", (line) => line.status === "failed" && !line.cancelled],
				["late", "en retard", "en retard", (line) => isOpen(line) && line.late],
				["open", "en cours", "en cours", (line) => isOpen(line) && !line.late],
				["ready", ready, allReady, ({ status }) => status === "completed"],
				["cancelled", "annulé", "annulés", ({ cancelled }) => cancelled],
			]
		: [["unpaid", "non payé", "non payés", () => true]];
	return groups.flatMap(([key, one, several, holds]) => {
		const own = lines.filter(holds);
		const title = own.length > 1 ? `${own.length} extraits ${several}` : `1 extrait ${one}`;
		return own.length > 0 ? { key, title, lines: own, isUrgent: key === "failed" || key === "late" } : [];
	});
}

function CompactLines({ lines, ...props }: Omit<LineProps, "line"> & { lines: readonly PurchaseLine[] }) {
	return (
		<ol className="divide-y divide-line">
			{lines.map((line) => (
				<CompactLine key={line.line} line={line} {...props} />
			))}
		</ol>
	);
}

/** The company, its state and its document. The page of the line has the rest. */
function CompactLine({ number, line, hasLink }: LineProps) {
	const sentences = [...describePromise(line), ...describeOutcome(line)].join(" ");
	const details = [line.reference ?? "", sentences].filter(Boolean);
	return (
		<li className="flex items-center justify-between gap-x-6 pt-1 pb-2 break-inside-avoid">
			<div className="min-w-0">
				<LineName line={line} number={number} hasLink={hasLink} />
				<p className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
					<OrderStatusInList status={line.status} cancelled={line.cancelled} />
					{details.length > 0 && <span className="min-w-0 break-words">{details.join("\u00a0· ")}</span>}
				</p>
			</div>
			{line.documentUrl && (
				<DownloadLink className="link inline-flex min-h-11 items-center print:hidden" line={line} url={line.documentUrl} />
			)}
		</li>
	);
}

/** A link to a part of the page of a line. */
function LineLink({ number, line, part, label }: { number: string; line: PurchaseLine; part: PagePart; label: string }) {
	return (
		<a className="link inline-flex min-h-11 items-center" href={`${toLineUrl(number, line.line)}#${part}`}>
			<span>
				{label} <span className="sr-only">l’extrait {nameWithOf(line.company)}</span>
			</span>
		</a>
	);
}

export const toLineUrl = (number: string, line: number) => href("/suivi/:number/ensemble/ligne/:line", { number, line: String(line) });

/** The company; for readers who may see the order, a link to its own page. */
function LineName({ line, number, hasLink }: { line: PurchaseLine; number: string; hasLink: boolean }) {
	if (!hasLink) return <p className="font-semibold break-words">{line.company}</p>;
	return (
		<a className="link inline-flex min-h-11 items-center font-semibold break-words" href={toLineUrl(number, line.line)}>
			{line.company}
		</a>
	);
}

/** The hour of a line, its delay, its letter and its refund. */
function LineDetails({ line }: { line: PurchaseLine }) {
	const sentences = describeLine(line);
	if (sentences.length === 0) return null;
	return (
		<p className="text-sm text-soft">
			{sentences.join(" ")}
			{line.trackingNumber && (
				<span className="block">
					<TrackingNumber number={line.trackingNumber} />
				</span>
			)}
		</p>
	);
}

function describeLine(line: PurchaseLine): string[] {
	const delivered = `${isPosted(line.service) ? "Posté" : "Livré"} `;
	return [
		...describePromise(line),
		...(line.status === "completed" && line.completedAt
			? [`${delivered}${formatDayAndHour(new Date(line.completedAt))}${line.late ? ", en retard" : ""}.`]
			: []),
		...(line.destination ? [`Destination\u00a0: ${line.destination}.`] : []),
		...(line.arrival ? [line.arrival] : []),
		...describeOutcome(line),
	];
}

/** What is said of a line while it is awaited. */
function describePromise({ status, service, promisedAt, late, requested }: PurchaseLine): string[] {
	if (!isInProgress(status)) return [];
	return [
		...(promisedAt && !late
			? [`${isPosted(service) ? "Posté" : "Livré"} au plus tard ${formatDayAndHour(new Date(promisedAt))}${inParis}.`]
			: []),
		...(requested ? ["Demande transmise au greffe."] : []),
		...(late ? ["En retard\u00a0: vous le recevrez dès que nous l’aurons."] : []),
	];
}

/** What became of its file and of its price. */
function describeOutcome({ purged, refunded, refundAwaited, refundDueBy }: PurchaseLine): string[] {
	return [
		...(purged ? ["L’extrait est supprimé\u00a0: sa durée de conservation est passée."] : []),
		...(refunded > 0 ? [`${formatEuros(cents(refunded))} remboursés.`] : []),
		...(refundAwaited ? ["Remboursement en cours."] : []),
		...(refundDueBy ? [`Remboursement dû\u00a0: il part au plus tard ${formatDayAndHour(new Date(refundDueBy))}${inParis}.`] : []),
	];
}
