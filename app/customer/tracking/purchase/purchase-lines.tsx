import { href } from "react-router";
import { formatDayAndHour } from "../../../catalogue/instants.ts";
import { cents, formatEuros } from "../../../catalogue/money.ts";
import { isPosted, services } from "../../../catalogue/services.ts";
import { button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/page.tsx";
import { Siren } from "../../../ui/siren.tsx";
import { OrderStatusInList } from "../order-state.tsx";
import type { DescribedPurchase, PurchaseLine } from "./describe-purchase.server.ts";

/** The lines of a purchase, each with its state and its document, and their price. */
export function PurchaseLines({ number, access, lines, total }: Pick<DescribedPurchase, "number" | "access" | "lines" | "total">) {
	return (
		<Section title="Les extraits de votre commande" className="mt-10">
			<ol className="divide-y divide-line border-y border-line">
				{lines.map((line) => (
					<li
						key={line.line}
						className="grid gap-x-6 gap-y-2 py-3 break-inside-avoid lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-x-12"
					>
						<div className="min-w-0">
							<LineName line={line} number={number} hasLink={access !== "url"} />
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
							{line.documentUrl && (
								<a className={button("secondary", "ml-auto")} href={line.documentUrl} target="_blank" rel="noopener">
									<span>
										Télécharger <span className="sr-only">l’extrait de {line.company}</span>
									</span>
								</a>
							)}
						</div>
					</li>
				))}
			</ol>
			{total !== null && <p className="figures mt-3 text-right font-semibold">Total TTC&nbsp;: {formatEuros(total)}</p>}
		</Section>
	);
}

/** The company; for readers who may see the order, a link to its own page. */
function LineName({ line, number, hasLink }: { line: PurchaseLine; number: string; hasLink: boolean }) {
	if (!hasLink) return <p className="font-semibold break-words">{line.company}</p>;
	return (
		<a
			className="link inline-flex min-h-11 items-center font-semibold break-words"
			href={href("/suivi/:number/ensemble/ligne/:line", { number, line: String(line.line) })}
		>
			{line.company}
		</a>
	);
}

/** The hour of a line, its delay, its letter and its refund. */
function LineDetails({ line }: { line: PurchaseLine }) {
	const sentences = describeLine(line);
	if (sentences.length === 0) return null;
	return <p className="text-sm text-soft">{sentences.join(" ")}</p>;
}

function describeLine(line: PurchaseLine): string[] {
	const posted = isPosted(line.service);
	const isOpen = line.status === "paid" || line.status === "processing";
	return [
		...(isOpen && line.promisedAt && !line.late
			? [`${posted ? "Posté" : "Livré"} au plus tard ${formatDayAndHour(new Date(line.promisedAt))}.`]
			: []),
		...(isOpen && line.requested ? ["Demande transmise au greffe."] : []),
		...(isOpen && line.late ? ["En retard\u00a0: vous le recevrez dès que nous l’aurons."] : []),
		...(line.status === "completed" && line.completedAt
			? [`${posted ? "Posté" : "Livré"} ${formatDayAndHour(new Date(line.completedAt))}${line.late ? ", en retard" : ""}.`]
			: []),
		...(line.trackingNumber ? [`Numéro de suivi\u00a0: ${line.trackingNumber}.`] : []),
		...(line.purged ? ["L’extrait est supprimé\u00a0: sa durée de conservation est passée."] : []),
		...(line.refunded > 0 ? [`${formatEuros(cents(line.refunded))} remboursés.`] : []),
		...(line.refundAwaited ? ["Remboursement en cours."] : []),
		...(line.refundDueBy ? [`Remboursement dû\u00a0: il part au plus tard ${formatDayAndHour(new Date(line.refundDueBy))}.`] : []),
	];
}
