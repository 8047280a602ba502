import type { ReactNode } from "react";
import { href } from "react-router";
import type { Deadlines } from "../../catalogue/deadlines.ts";
import { type ServiceCode, services } from "../../catalogue/services.ts";
import { button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PrivateService } from "../../ui/private-service.tsx";
import type { RecipientCard, RecipientEssentials } from "./describe-recipients.ts";

/** Beside the text of a kind of recipient: how old the extract may be, its form, and what it costs. */
export function Essentials({ question, answer, note, form, free, offer }: RecipientEssentials) {
	return (
		<section aria-label="L’essentiel" className="rounded-lg border border-line bg-sheet p-5 sm:p-6">
			<p className="label text-soft">{question}</p>
			<p className="figures mt-1 font-serif text-2xl font-medium">{answer}</p>
			{note && <p className="text-sm text-soft">{note}</p>}
			<Answers
				rows={[
					["Forme", form],
					["Gratuitement", free],
					[
						"Par notre service",
						<a key="offer" href="#offre" className="link inline-flex min-h-11 items-center">
							{offer ?? "Inutile dans votre cas"}
						</a>,
					],
				]}
			/>
		</section>
	);
}

/** The kinds of recipients, each with its answer. */
export function RecipientCards({ cards }: { cards: readonly RecipientCard[] }) {
	return (
		<div className="@container pb-10">
			<ul className="grid gap-5 sm:grid-cols-2 @min-[46rem]:grid-cols-3">
				{cards.map(({ kind, label, summary, question, answer, free }) => (
					<li key={kind} className="row-span-4 grid grid-rows-subgrid gap-y-0">
						<Card className="row-span-4 grid grid-rows-subgrid">
							<h2 className="text-lg">
								<a href={href(`/destinataires/${kind}`)} className="link inline-flex min-h-11 items-center">
									{label}
								</a>
							</h2>
							<p>{summary}</p>
							<Answers
								className="row-span-2 grid grid-rows-subgrid"
								rows={[
									[question, answer],
									["Gratuitement", free],
								]}
							/>
						</Card>
					</li>
				))}
			</ul>
		</div>
	);
}

/** Questions, each with its answer below. */
function Answers({ rows, className = "" }: { rows: readonly (readonly [question: string, answer: ReactNode])[]; className?: string }) {
	return (
		<dl className={`mt-4 divide-y divide-line border-t border-line ${className}`}>
			{rows.map(([question, answer]) => (
				<div key={question} className="py-2.5">
					<dt className="text-sm text-soft">{question}</dt>
					<dd>{answer}</dd>
				</div>
			))}
		</dl>
	);
}

/** The button that orders the service of the page, or leads to the prices while it cannot be ordered. */
export function RecipientOffer({ service, deadlines }: { service: ServiceCode; deadlines: Deadlines }) {
	return (
		<>
			<p className="print:hidden">
				{deadlines[service].open ? (
					<a href={`${href("/commande")}?service=${service}`} className={button("primary", "px-6")}>
						{`Commander un ${services[service].name}`}
						<Icon name="arrow" className="size-4.5" />
					</a>
				) : (
					<a href={href("/tarifs")} className={button("secondary")}>
						Voir les tarifs
					</a>
				)}
			</p>
			<PrivateService />
		</>
	);
}
